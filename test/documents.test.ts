/** A PDF is read page by page, a text file is translated (spec §2, Documents). */
import { dirname } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { openKeptDatabase } from './kept-database.ts';
import { aDocx, paragraph } from './media/docxes.ts';
import { aBomb, aPdf, type Page } from './media/pdfs.ts';
import {
  buttonsOf,
  hasChinese,
  hasTibetan,
  isVoice,
  newChinese,
  newTibetan,
  SPEAK_BUTTONS,
  says,
} from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene({ env: { DAILY_CALLS_PER_USER: '30' } });

/** No two of its lines are alike: PDFium leaves out what stands beside its like. */
const aLongPage = (words = 'བོད་ཡིག་'): Page => ({
  lines: Array.from({ length: 110 }, (_, line) => `${words.repeat(12)}${line + 1000}`),
});

/** A page that is a unique picture. */
async function aScan(): Promise<Page> {
  return { jpeg: { bytes: await aJpeg(), width: 320, height: 200 }, size: [160, 100] };
}

const scans = (count: number): Promise<Page[]> => Promise.all(Array.from({ length: count }, aScan));

function sendPdf(person: Person, pdf: Buffer, caption?: string, chat = person.chat): Promise<Message> {
  return person.sendDocument(chat, pdf, {
    fileName: 'book.pdf',
    mimeType: 'application/pdf',
    ...(caption !== undefined && { caption }),
  });
}

function sendText(person: Person, bytes: Buffer, caption?: string): Promise<Message> {
  return person.sendDocument(person.chat, bytes, {
    fileName: 'letter.txt',
    mimeType: 'text/plain',
    ...(caption !== undefined && { caption }),
  });
}

/** The line under pages in a message. */
const NOTE = /\n\n📄 .*$/su;
/** Whether a message shows the pages of a document, or holds them in a file. */
const isPages = ({ document, text }: Message): boolean =>
  document === undefined ? NOTE.test(text ?? '') : document.file_name?.endsWith('.txt') === true;
const pagesOf = ({ document, text = '' }: Message): string =>
  document === undefined
    ? text.replace(NOTE, '')
    : scene.telegram.world.fileBytes(document.file_id).toString('utf8');
/** What is said of them. */
const noteOf = ({ caption, text = '' }: Message): string => caption ?? NOTE.exec(text)?.[0] ?? '';
const asks = ({ text }: Message): boolean => text?.includes(says('costly-sure')) === true;

describe('a PDF', () => {
  it('is answered with a file of its pages: the text that it has is free, the others are read', async () => {
    const person = scene.newcomer();
    const [sound, next] = [newTibetan(), newTibetan()];
    const pdf = aPdf([{ lines: [sound, next] }, await aScan(), {}, { lines: [sound], isLegacy: true }]);
    let answer: Message | undefined;
    const paid = await scene.paidBy(async () => {
      answer = await scene.answerTo(await sendPdf(person, pdf), isPages);
    });
    expect(paid).toBe(2);
    if (answer === undefined) throw new Error('no answer');
    const text = pagesOf(answer);
    expect(text).toMatch(
      /^———— 1 ————\n.*\n.*\n\n———— 2 ————\n\p{Script=Tibetan}.*\n\n———— 3 ————\n\n———— 4 ————\n/u,
    );
    expect(text).toContain(`———— 1 ————\n${sound}\n${next}\n`);
    expect(noteOf(answer)).toContain('4 pages read.');
    const buttons = buttonsOf(answer).map((data) => data.split(':').slice(0, 2).join(':'));
    expect(buttons.slice(0, SPEAK_BUTTONS.length + 2)).toEqual([
      ...SPEAK_BUTTONS,
      expect.stringMatching(/^translate/),
      'pages:chinese',
    ]);

    // Its buttons mean what the pages say, without the marks between them.
    const more = await scene.paidBy(async () => {
      await person.press(answer as Message, says('button-translate'));
      await scene.answerTo(answer as Message, (one) => hasChinese(one.text ?? one.caption));
    });
    expect(more).toBe(1);
    expect(scene.lastCall('translation')?.inputText).not.toContain('—');

    // The same file again, and its other language.
    const again = await scene.paidBy(async () => {
      await scene.answerTo(await sendPdf(person, pdf), isPages);
      await person.press(answer as Message, says('button-read-chinese'));
      await scene.answerTo(answer as Message, (one) => isPages(one) && hasChinese(pagesOf(one)));
    });
    expect(again).toBe(2);
  });

  it('in old fonts is free, upright or turned, but for characters that no table knows', async () => {
    const FONTS = [
      ['Dedris-a', '2.-0-=-', 'བད་པ་ལ་'],
      ['ABCDEF+Ededris-a1', '2-$<-', 'བུ་གུརུ་'],
      ['TibetanMachineWeb', '!-#-', 'ཀ་ག་'],
    ] as const;
    const person = scene.newcomer();
    const pages = FONTS.flatMap(([font, line]): Page[] => {
      const lines = [line.repeat(9), line.repeat(8)];
      return [
        { font, lines },
        { font, lines, isTurned: true },
      ];
    });
    const unknown = { font: 'Dedris-a', lines: ['2.-\xB5-'.repeat(9)] };
    const paid = await scene.paidBy(async () => {
      const answer = await scene.answerTo(await sendPdf(person, aPdf([...pages, unknown])), isPages);
      const texts = FONTS.flatMap(([, , text]) => Array(2).fill(`${text.repeat(9)}\n${text.repeat(8)}`));
      const marked = texts.map((text, index) => `———— ${index + 1} ————\n${text}\n\n`).join('');
      expect(pagesOf(answer)).toSatisfy((all: string) => all.startsWith(`${marked}———— 7 ————\n`));
    });
    expect(paid).toBe(1);
  });

  it('is recognised where its text layer has letters that Tibetan cannot have, but not for Sanskrit', async () => {
    const LAYERS = {
      'a map that puts letters for vowels': [
        ...['བཟླས་པའྗོ་ཞླེས་བླེ་སྨྲ་ལྟར་གསུངས་སྗོ་', 'མཐྗོང་སྗོམ་མི་སྗོབ་ལམ་གསུམ་ལ་', 'བཟྗོད་པ་ནི་མཐྗོང་བ་ཉིད་', 'ཁྗོ་ན་དང་'],
      ],
      'Latin letters inside syllables': ['བxོད་ཡiིག་སlོབ་'.repeat(8)],
      'Sanskrit, which has such stacks': [
        ...['ཨོཾ་བཛྲ་པཱ་ཎི་ཧཱུྃ་པྷཊ྄་', 'ཀརྨྨ་དྷརྨྨ་བུདྡྷ་སཏྟྭ་', 'ཏིཥྛ་ཤྲཱི་ཧེ་རུ་ཀ་', 'གུཧྱ་སིདྡྷི་ཕལ་ཧོཿ', 'ཏྲཱཾ་ཧྲཱིཿཨཱཿ'],
      ],
    };
    const person = scene.newcomer();
    const pdf = aPdf(Object.values(LAYERS).map((lines) => ({ lines })));
    const lostSubjoined = aPdf([{ lines: ['བོད་ཀི་སྐད་དང་ཡི་གེ་', 'རྒྱ་ནག་གི་ཡིག་ཀིས་བྲིས་'] }]);
    const paid = await scene.paidBy(async () => {
      const pages = pagesOf(await scene.answerTo(await sendPdf(person, pdf), isPages));
      expect(pages).toContain(`———— 3 ————\n${LAYERS['Sanskrit, which has such stacks'][0]}\n`);
      await scene.answerTo(await sendPdf(person, lostSubjoined), isPages);
    });
    expect(paid).toBe(3);
  });

  it('whose letters nobody sees is recognised, and a page without a mark is named and not paid for', async () => {
    const person = scene.newcomer();
    const white: Page = { content: Buffer.from('1 1 1 rg 0 0 100 100 re f') };
    const hidden = newTibetan();
    const pdf = aPdf([{ ...(await aScan()), lines: [hidden], isInvisible: true }, white]);
    let text = '';
    const paid = await scene.paidBy(async () => {
      text = pagesOf(await scene.answerTo(await sendPdf(person, pdf), isPages));
    });
    expect(paid).toBe(1);
    expect(text).not.toContain(hidden);
    expect(text).toContain(`———— 2 ————\n⚠️ ${says('failure-document-page-blank')}`);
  });

  it('that is encrypted is opened by its caption, and its button finds the password there, which is not kept', async () => {
    const person = scene.newcomer();
    const pdf = aPdf([{ lines: [newTibetan()] }, await aScan()], { password: 'Tashi-24' });
    const paid = await scene.paidBy(async () => {
      const answer = await scene.answerTo(await sendPdf(person, pdf, 'password: Tashi-24'), isPages);
      expect(noteOf(answer)).toContain('2 pages read.');
      await person.press(answer, says('button-read-chinese'));
      await scene.answerTo(answer, (one) => isPages(one) && hasChinese(pagesOf(one)));
    });
    expect(paid).toBe(2);
    using database = openKeptDatabase({ path: dirname(scene.databaseFile) });
    const kept = () =>
      database
        .rows("select name from sqlite_master where type = 'table'")
        .flatMap((table) => database.rows(`select * from "${String(Object(table).name)}"`));
    // While the request runs, its row holds its caption.
    await expect.poll(() => JSON.stringify(kept())).not.toContain('Tashi-24');
    expect(scene.log()).not.toContain('Tashi-24');
  });

  it('whose password is wrong is asked for kindly, and an edit of the caption with the right one is answered', async () => {
    const person = scene.newcomer();
    const pdf = aPdf([{ lines: [newTibetan()] }], { password: '1234' });
    const paid = await scene.paidBy(async () => {
      const message = await sendPdf(person, pdf, 'password 4321');
      const told = await scene.answerTo(message);
      expect(told.text).toBe(says('failure-document-encrypted'));
      // It looks like a page number.
      person.editCaption(message, '1234');
      expect(noteOf(await scene.answerTo(message, isPages))).toContain('1 page read.');
    });
    expect(paid).toBe(0);
  });

  it('is recognised in spite of its text where the caption says so', async () => {
    const person = scene.newcomer();
    const text = newTibetan();
    const paid = await scene.paidBy(async () => {
      const pdf = aPdf([{ lines: [text] }, { lines: [text] }, {}]);
      const answer = await scene.answerTo(await sendPdf(person, pdf, '识别 2-3'), isPages);
      expect(pagesOf(answer)).not.toContain(text);
      expect(buttonsOf(answer).filter((data) => data.startsWith('caption'))).toEqual([]);
    });
    expect(paid).toBe(1);
  });

  it('beside pictures is answered after them', async () => {
    const person = scene.newcomer();
    const [picture, pdf] = await person.sendAlbum(person.chat, [
      { bytes: await aJpeg(), fileName: 'scan.jpg', mimeType: 'image/jpeg' },
      { bytes: aPdf([{ lines: [newTibetan()] }]), fileName: 'book.pdf', mimeType: 'application/pdf' },
    ]);
    if (picture === undefined || pdf === undefined) throw new Error('no album');
    expect(pagesOf(await scene.answerTo(pdf, isPages))).toSatisfy(hasTibetan);
    expect((await scene.answerTo(picture)).text).toSatisfy(hasTibetan);
  });

  it('has its pages and language chosen in the caption, and anew by an edit of it', async () => {
    const person = scene.newcomer();
    const message = await sendPdf(person, aPdf(await scans(4)), 'zh ༢–༣');
    const answer = await scene.answerTo(message, isPages);
    expect(pagesOf(answer)).toMatch(/^———— 2 ————\n\p{Script=Han}+\n\n———— 3 ————\n\p{Script=Han}+$/u);
    const paid = await scene.paidBy(async () => {
      person.editCaption(message, 'zh 3,4');
      await scene.becomes(answer, (one) => isPages(one) && pagesOf(one).startsWith('———— 3 ————'));
    });
    expect(paid).toBe(1);
    const last = await scene.answerTo(await sendPdf(person, aPdf(await scans(3)), 'zh 最后一页'), isPages);
    expect(pagesOf(last)).toMatch(/^———— 3 ————\n[^—]+$/u);
    const none = await scene.answerTo(await sendPdf(person, aPdf(await scans(2)), '7-9'));
    expect(none.text).toBe(says('document-no-such-pages', 'en', { count: '2' }));
  });

  it('is translated and spoken, as its caption or a reply asks', async () => {
    const person = scene.newcomer();
    const text = { lines: [`${newTibetan()}།`] };
    const message = await sendPdf(person, aPdf([text, {}, text]), '/chinese');
    const pages = await scene.answerTo(message, isPages);
    const translation = await scene.answerTo(pages, ({ text }) => hasChinese(text));
    expect(pagesOf(translation)).toMatch(
      /^———— 1 ————\n.*\p{Script=Han}.*\n\n———— 2 ————\n\n———— 3 ————\n.*\p{Script=Han}/u,
    );
    expect(scene.lastCall('translation')?.inputText).not.toContain('—');
    expect(buttonsOf(translation)[0]).toMatch(/^speak:chinese/);

    const reply = person.send(person.chat, { text: '/speak amdo', replyTo: message });
    const voice = await scene.answerTo(reply, isVoice);
    expect(voice.caption).toMatch(/^🔊 Amdo\n/);

    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person] });
    const other = await sendPdf(person, aPdf([{ lines: [newTibetan()] }]), undefined, group.chat);
    const asked = person.send(group.chat, { text: '/ocr@lotsawa_bot', replyTo: other });
    expect((await scene.answerTo(asked, isPages)).reply_to_message?.message_id).toBe(other.message_id);
  });

  it('is read in both languages by /ocr both, with a file of each, and asked about by what both cost', async () => {
    const person = scene.newcomer();
    const pdf = await sendPdf(person, aPdf([...(await scans(2)), { lines: [newTibetan()] }]), '/ocr both');
    const first = await scene.answerTo(pdf, isPages);
    const second = await scene.answerTo(first, isPages);
    expect(noteOf(first)).toMatch(/📄 Tibetan: 3 pages read/u);
    expect(noteOf(second)).toMatch(/📄 Chinese: 3 pages read/u);
    expect(pagesOf(first)).toMatch(/^———— 1 ————\n\p{Script=Tibetan}/u);
    expect(pagesOf(second)).toMatch(/^———— 1 ————\n\p{Script=Han}/u);

    const question = await scene.answerTo(await sendPdf(person, aPdf(await scans(6)), '/ocr both'), asks);
    expect(question.text).toContain(says('costly', 'en', { calls: '12' }));
  });

  it('of many pages asks first; after a kill halfway nothing is paid twice', async () => {
    const person = scene.newcomer();
    const message = await sendPdf(person, aPdf(await scans(11)));
    const question = await scene.answerTo(message, asks);
    expect(question.text).toContain(says('costly', 'en', { calls: '11' }));
    expect(await scene.everythingAfter(message, person)).toEqual([question]);
    const paid = await scene.paidBy(async () => {
      const before = scene.service.paid().calls;
      await person.press(question, says('button-go-on'));
      await scene.telegram.world.waitUntil(() => scene.service.paid().calls >= before + 4);
      await scene.restart('SIGKILL');
      const answer = await scene.answerTo(message, isPages);
      expect(pagesOf(answer).match(/^———— \d+ ————$/gm)).toHaveLength(11);
    });
    // What was in flight when the process was killed may have been charged; nobody can know.
    expect(paid).toBeLessThanOrEqual(11 + 3);

    // 19 at most are left.
    const dear = await scene.answerTo(await sendPdf(person, aPdf(await scans(20))));
    expect(dear.text).toMatch(/\(1\d of 30\)/);
  });

  it('keeps what was read before an outage, says what is missing, and reads just that when it is tried again', async () => {
    const person = scene.newcomer();
    const { faults } = scene.service;
    onTestFinished(() => faults.clear());
    faults.latency.recognition = 500;
    const before = scene.service.paid().calls;
    const message = await sendPdf(person, aPdf(await scans(5)));
    await scene.telegram.world.waitUntil(() => scene.service.paid().calls > before);
    faults.set('recognition', 'undocumented-error');
    const part = await scene.answerTo(message, isPages);
    expect(pagesOf(part)).toSatisfy(hasTibetan);
    expect(pagesOf(part)).toContain(says('failure-unavailable'));
    faults.clear();
    // Why it cannot be read again either is said in words of its own.
    scene.telegram.faults.next('downloadFile', { status: 500, times: 3 });
    await person.press(part, says('button-try-again'));
    const unfetched = await scene.becomes(part, ({ text }) => text === says('failure-file-unfetched'));
    await person.press(unfetched, says('button-try-again'));
    const whole = await scene.answerTo(
      message,
      (one) => isPages(one) && !pagesOf(one).includes(says('failure-unavailable')),
    );
    expect(pagesOf(whole).match(/^———— \d+ ————\n\p{Script=Tibetan}/gmu)).toHaveLength(5);
    expect(scene.service.paid().calls - before).toBe(5);
  });

  it.each<[string, () => Buffer, string]>([
    ['cut off', () => aPdf([{ lines: ['བོད'] }]).subarray(0, 700), 'failure-document-unreadable'],
    ['empty of pages', () => aPdf([]), 'failure-document-unreadable'],
  ])('that is %s gets one clear answer, and nothing is paid', async (_, pdf, id) => {
    const person = scene.newcomer();
    const paid = await scene.paidBy(async () => {
      const message = await sendPdf(person, pdf());
      const answer = await scene.answerTo(message);
      expect(answer.text).toBe(says(id));
      expect(await scene.everythingAfter(message, person)).toEqual([answer]);
    });
    expect(paid).toBe(0);
  });

  it('of long text is answered with files, named after it and after what they are in', async () => {
    const person = scene.newcomer();
    const named = { fileName: 'pe/cha "40".v2.pdf', mimeType: 'application/pdf', caption: '/chinese' };
    const book = aPdf([aLongPage('སློབ་གྲྭ་'), aLongPage('སློབ་གྲྭ་')]);
    const message = await person.sendDocument(person.chat, book, named);
    const pages = await scene.answerTo(message, isPages);
    const translation = await scene.answerTo(pages, isPages);
    expect([pages, translation].map(({ document }) => document?.file_name)).toEqual([
      'pe cha 40 .v2 · བོད་ཡིག.txt',
      'pe cha 40 .v2 · 中文.txt',
    ]);
    // The bot knows its own files by any name.
    const spoken = person.send(person.chat, { text: '/wylie', replyTo: pages });
    expect((await scene.answerTo(spoken)).text).toMatch(/^slob grwa slob/);
  });

  it('of long text that costs nothing leaves none of it in the database; its buttons find it in the file', async () => {
    const person = scene.newcomer();
    const message = await sendPdf(person, aPdf([aLongPage(), aLongPage()]));
    const answer = await scene.answerTo(message, isPages);
    expect(buttonsOf(answer).some((data) => data.startsWith('pages:'))).toBe(false);
    // Half a text is not spoken.
    expect((await scene.ask(person, '/speak')).text).toBe(says('nothing-to-speak'));
    using database = openKeptDatabase({ path: dirname(scene.databaseFile) });
    const [kept] = database.rows(
      `select max(length) as most from (
        select length(text) as length from results where person = ?
        union all select length(session) from "telegraf-sessions" where key = ?)`,
      String(person.chat.id),
      String(person.chat.id),
    );
    expect(kept).toEqual({ most: expect.toSatisfy((most: number) => most > 0 && most < 1000) });
    const paid = await scene.paidBy(async () => {
      await person.press(answer, says('button-translate'));
      await scene.answerTo(answer, ({ text }) => hasChinese(text));
    });
    expect(paid).toBe(8);
  });

  it('of which one page takes more memory than there is says so in its place; the others are read, and text costs nothing', async () => {
    const person = scene.newcomer();
    const [before, behind] = [newTibetan(), newTibetan()];
    // More text than a pipe holds at once: it waits in the process that opens the file, unless that writes it before it goes on.
    const long = Array<string>(1100).fill(`${newTibetan()}།`.repeat(8).slice(0, 70));
    const pdf = aPdf([{ lines: long }, { lines: [before] }, aBomb(), { lines: [behind] }, await aScan()]);
    const paid = await scene.paidBy(async () => {
      const answer = await scene.answerTo(await sendPdf(person, pdf), isPages);
      expect(answer.caption).toMatch(/^4 pages read\. /);
      expect(answer.caption).toContain(says('document-read-failed', 'en', { count: 1 }));
      const [second, third, fourth, fifth] = pagesOf(answer)
        .split(/———— \d ————\n/u)
        .slice(2);
      expect([second, fourth]).toEqual([`${before}\n\n`, `${behind}\n\n`]);
      expect(third).toContain(says('document-page-unreadable'));
      expect(fifth).toMatch(/^\p{Script=Tibetan}/u);
    });
    expect(paid).toBe(1);
  });

  it('of a million pages, and one as large as a town, are no matter', async () => {
    const person = scene.newcomer();
    const million = aPdf([{ lines: [newTibetan()] }], { count: 1_000_000 });
    const refused = await scene.answerTo(await sendPdf(person, million));
    expect(refused.text).toBe(says('document-too-many-pages', 'en', { count: '1,000,000', most: '200' }));
    const paid = await scene.paidBy(async () => {
      const answer = await scene.answerTo(
        await sendPdf(person, aPdf([{ ...(await aScan()), size: [1e5, 1e5] }])),
        isPages,
      );
      expect(pagesOf(answer)).toSatisfy(hasTibetan);
    });
    expect(paid).toBe(1);
  });
});

/** This number of characters, in pieces that differ: equal ones are paid for once. */
function hanCharacters(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + (index % 20_903)));
}

describe('a TIFF of several pages', () => {
  /** Pages of their own, written one behind another: offsets are moved by where each begins. */
  async function aTiff(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let [length, link] = [0, -1];
    for (let page = 0; page < count; page += 1) {
      const one = await sharp(await aJpeg())
        .tiff({ compression: 'lzw' })
        .toBuffer();
      const directory = one.readUInt32LE(4);
      const entries = one.readUInt16LE(directory);
      for (let entry = 0; entry < entries; entry += 1) {
        const at = directory + 2 + entry * 12;
        const size = ({ 3: 2, 4: 4, 5: 8 }[one.readUInt16LE(at + 2)] ?? 1) * one.readUInt32LE(at + 4);
        const isStripOffset = one.readUInt16LE(at) === 273 && size <= 4;
        if (size > 4 || isStripOffset) one.writeUInt32LE(one.readUInt32LE(at + 8) + length, at + 8);
        if (one.readUInt16LE(at) === 273 && size > 4) throw new Error('a page of several strips');
      }
      const before = parts.at(-1);
      if (before !== undefined) before.writeUInt32LE(directory + length, link);
      link = directory + 2 + entries * 12;
      parts.push(one);
      length += one.length;
    }
    return Buffer.concat(parts);
  }

  it('is read page by page, those chosen in its caption, and names its file', async () => {
    const person = scene.newcomer();
    const tiff = await aTiff(3);
    const named = { fileName: 'scan.tif', mimeType: 'image/tiff' };
    const paid = await scene.paidBy(async () => {
      const all = await scene.answerTo(await person.sendDocument(person.chat, tiff, named), isPages);
      expect(pagesOf(all)).toMatch(/^———— 1 ————\n\p{Script=Tibetan}.*\n\n———— 2 ————\n.*\n\n———— 3 ————\n/u);
      expect(new Set(pagesOf(all).split('\n').filter(hasTibetan)).size).toBe(3);
      const sent = await person.sendDocument(person.chat, tiff, { ...named, caption: '2-3' });
      expect(pagesOf(await scene.answerTo(sent, isPages))).toMatch(/^———— 2 ————/u);
      await person.press(all, says('button-read-chinese'));
      await scene.answerTo(all, (one) => isPages(one) && hasChinese(pagesOf(one)));
    });
    expect(paid).toBe(6);
  });
});

describe('a Word document', () => {
  const send = (person: Person, bytes: Buffer) =>
    person.sendDocument(person.chat, bytes, {
      fileName: 'letter.docx',
      mimeType: 'application/octet-stream',
    });

  it('is translated, paragraph by paragraph', async () => {
    const person = scene.newcomer();
    const [first, second] = [newChinese(), newChinese()];
    const answer = await scene.answerTo(await send(person, aDocx(paragraph(first) + paragraph(second))));
    expect(answer.text).toSatisfy(hasTibetan);
    expect(scene.lastCall('translation')?.inputText).toBe(`${first}\n${second}`);
  });

  it.each([
    ['of pictures alone', () => aDocx('<w:p><w:r><w:drawing/></w:r></w:p>'), 'neither-script'],
    ['that is a bomb', () => aDocx(paragraph('a'.repeat(17_000_000))), 'failure-text-file-too-large'],
    ['that is none', () => Buffer.from('PK\x03\x04 and nothing more'), 'failure-document-unreadable'],
  ])('%s gets one clear answer, and nothing is paid', async (_, bytes, words) => {
    const person = scene.newcomer();
    const paid = await scene.paidBy(async () => {
      expect((await scene.answerTo(await send(person, bytes()))).text).toBe(says(words));
    });
    expect(paid).toBe(0);
  });
});

describe('subtitles', () => {
  const send = (person: Person, srt: string, caption = '') =>
    person.sendDocument(person.chat, Buffer.from(srt), {
      fileName: 'film.srt',
      mimeType: 'application/x-subrip',
      caption,
    });

  it('are translated by one call, and keep their times', async () => {
    const person = scene.newcomer();
    const [first, second] = [newChinese(), newChinese()];
    const times = [
      '00:00:01,000 --> 00:00:02,500',
      '00:00:03,000 --> 00:00:04,000',
      '00:01:00,000 --> 00:01:02,000',
    ];
    const srt = `\uFEFF1\r\n${times[0]}\r\n<i>${first}</i>\r\n\r\n2\r\n${times[1]}\r\n♪\r\n\r\n3\r\n${times[2]} X1:20\r\n${second}\r\n`;
    const paid = await scene.paidBy(async () => {
      const answer = await scene.answerTo(await send(person, srt), ({ document }) => document !== undefined);
      const file = pagesOf(answer);
      expect(file).toMatch(
        new RegExp(
          `^1\n${times[0]}\n[^\n]*\\p{Script=Tibetan}.*\n\n2\n${times[1]}\n♪\n\n3\n${times[2]}.*\n.*\\p{Script=Tibetan}.*\n$`,
          'u',
        ),
      );
      expect(buttonsOf(answer)[0]).toMatch(/^speak:utsang/);
    });
    expect(paid).toBe(1);
    expect(scene.lastCall('translation')?.inputText).toBe(`${first}\n\n♪\n\n${second}`);
  });

  it('without times are a text like any other', async () => {
    const answer = await scene.answerTo(await send(scene.newcomer(), newChinese()));
    expect(answer.text).toSatisfy(hasTibetan);
  });
});

describe('a text file', () => {
  it('in UTF-16 is translated', async () => {
    const answer = await scene.answerTo(
      await sendText(scene.newcomer(), Buffer.from(newChinese(), 'utf16le')),
    );
    expect(answer.text).toSatisfy(hasTibetan);
  });

  it('that says one thing over and over costs one call, and nobody is asked about more', async () => {
    const person = scene.newcomer();
    const text = `${newChinese()}。`.padEnd(2990, '好').concat('。\n\n').repeat(12);
    const paid = await scene.paidBy(async () => {
      expect(await scene.answerTo(await sendText(person, Buffer.from(text)), isPages)).toBeDefined();
    });
    expect(paid).toBe(1);
  });

  it('with an endless line of marks is translated like any other', async () => {
    const person = scene.newcomer();
    const text = `${newTibetan()}།\n${'-'.repeat(60_000)}。`;
    const answer = await scene.answerTo(await sendText(person, Buffer.from(text)), isPages);
    expect(pagesOf(answer)).toSatisfy(hasChinese);
  });

  it('is translated and spoken as a reply asks', async () => {
    const person = scene.newcomer();
    // 你好，今天天气很好。 in GB18030
    const message = await sendText(
      person,
      Buffer.from('c4e3bac3a3acbdf1ccecccecc6f8badcbac3a1a3', 'hex'),
      '/speak',
    );
    const voice = await scene.answerTo(message, isVoice);
    expect(voice.caption).toContain('你好，今天天气很好。');
    const reply = person.send(person.chat, { text: '/tibetan', replyTo: message });
    expect((await scene.answerTo(reply)).text).toSatisfy(hasTibetan);
  });

  it.each<[string, () => Buffer, RegExp]>([
    [
      'junk',
      () => Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256)),
      new RegExp(says('failure-document-unreadable').slice(0, 20)),
    ],
    ['of 1.5 MB', () => Buffer.alloc(1_500_000, 'བོད་'), /1 MB/],
    [
      'of one line of a million characters',
      () => Buffer.alloc(1_000_000, 'a'),
      new RegExp(says('neither-script').slice(0, 20)),
    ],
    [
      'dearer than what is left, of a quarter of a million lines',
      () => Buffer.from(hanCharacters(250_000).join('\n')),
      /30 of 30/,
    ],
  ])('%s gets one clear answer, and nothing is paid', async (_, bytes, words) => {
    const person = scene.newcomer();
    const paid = await scene.paidBy(async () => {
      const message = await sendText(person, bytes());
      const answer = await scene.answerTo(message);
      expect(answer.text).toMatch(words);
      expect(await scene.everythingAfter(message, person)).toEqual([answer]);
    });
    expect(paid).toBe(0);
  });
});
