/** A PDF is read page by page, a text file is translated. */
import { dirname } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { docxFile, pdfFile, sendFile, textFile } from './files.ts';
import { openKeptDatabase } from './kept-database.ts';
import { aDocx, paragraph, run } from './media/docxes.ts';
import { aBomb, aPdf, type Page } from './media/pdfs.ts';
import { tiff } from './media/tiffs.ts';
import {
  buttonsOf,
  hasChinese,
  hasTibetan,
  isVoice,
  newChinese,
  newTibetan,
  PROGRESS,
  SPEAK_BUTTONS,
  says,
} from './phrases.ts';
import { aJpeg, scans } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene({ env: { DAILY_CALLS_PER_USER: '30' } });

/** No two of its lines are alike: PDFium leaves out what stands beside its like. */
const aLongPage = (): Page => ({
  size: [700, 1900],
  lines: Array.from({ length: 110 }, (_, line) => `${'བོད་ཡིག་'.repeat(12)}${line + 1000}`),
});

const sendPdf = (person: Person, pdf: Buffer | readonly Page[], caption?: string) =>
  sendFile(person, pdfFile(pdf, caption));

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
  it('a PDF gives a file of its pages, whose text is free', async () => {
    const person = scene.newcomer();
    const [sound, next] = [newTibetan(), newTibetan()];
    const pdf = aPdf([{ lines: [sound, next] }, ...(await scans(1)), {}, { lines: [sound], isLegacy: true }]);
    const before = scene.service.paid().calls;
    const paid = () => scene.service.paid().calls - before;
    const answer = await scene.answerTo(await sendPdf(person, pdf), isPages);
    expect(paid()).toBe(2);
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
      'read:chinese',
    ]);

    // Its buttons mean what the pages say, without the marks between them.
    await person.press(answer, says('button-translate'));
    await scene.answerTo(answer, (one) => hasChinese(one.text ?? one.caption));
    expect(paid()).toBe(3);
    expect(scene.lastCall('translation')?.inputText).not.toContain('—');

    // The same file again, and its other language.
    await scene.answerTo(await sendPdf(person, pdf), isPages);
    await person.press(answer, says('button-read-chinese'));
    await scene.answerTo(answer, (one) => isPages(one) && hasChinese(pagesOf(one)));
    expect(paid()).toBe(5);
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
      const answer = await scene.answerTo(await sendPdf(person, [...pages, unknown]), isPages);
      const texts = FONTS.flatMap(([, , text]) => Array(2).fill(`${text.repeat(9)}\n${text.repeat(8)}`));
      const marked = texts.map((text, index) => `———— ${index + 1} ————\n${text}\n\n`).join('');
      expect(pagesOf(answer)).toSatisfy((all: string) => all.startsWith(`${marked}———— 7 ————\n`));
    });
    expect(paid).toBe(1);
  });

  it('a PDF with unsound text is recognised, and a blank page named', async () => {
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
    const hidden = newTibetan();
    const pages = [
      ...Object.values(LAYERS).map((lines) => ({ lines })),
      { ...(await scans(1))[0], lines: [hidden], isInvisible: true },
      { content: Buffer.from('1 1 1 rg 0 0 100 100 re f') },
    ];
    const lostSubjoined = { lines: ['བོད་ཀི་སྐད་དང་ཡི་གེ་', 'རྒྱ་ནག་གི་ཡིག་ཀིས་བྲིས་'] };
    const paid = await scene.paidBy(async () => {
      const text = pagesOf(await scene.answerTo(await sendPdf(person, pages), isPages));
      expect(text).toContain(`———— 3 ————\n${LAYERS['Sanskrit, which has such stacks'][0]}\n`);
      expect(text).not.toContain(hidden);
      expect(text).toContain(`———— 5 ————\n⚠️ ${says('failure-document-page-blank')}`);
      await scene.answerTo(await sendPdf(person, [lostSubjoined]), isPages);
    });
    expect(paid).toBe(4);
  });

  it('has the text that each page shows; what nobody sees is recognised', async () => {
    const person = scene.newcomer();
    const sheet = Array.from({ length: 24 }, (_, line) => `${newTibetan()}${line}`);
    const [hidden, spaced] = [newTibetan(), 'མཁའ་ འགྲོ་ གསང་ བ་'];
    const pages = [
      { lines: sheet, entries: '/CropBox [0 606 595 842]' },
      { lines: sheet, entries: '/CropBox [0 0 595 606]' },
      { lines: [spaced] },
      { lines: [hidden], content: (lines: string) => `1 g ${lines} 0 g 50 40 m 500 40 l S` },
      {
        ...(await scans(1))[0],
        lines: [hidden],
        size: [595, 842] as const,
        content: (lines: string) => `${lines} 595 0 0 842 0 0 cm /I Do`,
      },
    ];
    const paid = await scene.paidBy(async () => {
      const text = pagesOf(await scene.answerTo(await sendPdf(person, pages), isPages));
      const [, upper, lower, plain] = text.split(/———— \d ————\n/u).map((page) => page.trim());
      expect([upper, lower, plain]).toEqual([
        sheet.slice(0, 12).join('\n'),
        sheet.slice(12).join('\n'),
        spaced.replaceAll(' ', ''),
      ]);
      expect(text).not.toContain(hidden);
    });
    expect(paid).toBe(2);
  });

  it('an encrypted PDF opens by its caption, whose password is not kept', async () => {
    const person = scene.newcomer();
    const pdf = aPdf([{ lines: [newTibetan()] }, ...(await scans(1))], { password: 'Tashi-24' });
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

  it('an encrypted PDF opens by any word of its caption', async () => {
    const person = scene.newcomer();
    const lines = Array.from({ length: 4 }, newTibetan);
    const pdf = aPdf(
      lines.map((line) => ({ lines: [line] })),
      { password: 'Zx9-khata' },
    );
    const message = await sendPdf(person, pdf, '2-3 Zx9-khata');
    const answer = await scene.answerTo(message, isPages);
    expect(pagesOf(answer).trim()).toBe(`———— 2 ————\n${lines[1]}\n\n———— 3 ————\n${lines[2]}`);
    const reply = person.send(person.chat, { text: '/ocr 4', replyTo: message });
    expect(pagesOf(await scene.answerTo(reply, isPages)).trim()).toBe(`———— 4 ————\n${lines[3]}`);
  });

  it('a wrong password is asked for kindly, and an edit corrects it', async () => {
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
      const pages = [{ lines: [text] }, { lines: [text] }, {}];
      const answer = await scene.answerTo(await sendPdf(person, pages, '识别 2-3'), isPages);
      expect(pagesOf(answer)).not.toContain(text);
      expect(buttonsOf(answer).filter((data) => data.startsWith('caption'))).toEqual([]);
    });
    expect(paid).toBe(1);
  });

  it('a caption chooses pages and language, and its edit chooses anew', async () => {
    const person = scene.newcomer();
    const message = await sendPdf(person, await scans(4), 'zh ༢–༣');
    const answer = await scene.answerTo(message, isPages);
    expect(pagesOf(answer)).toMatch(/^———— 2 ————\n\p{Script=Han}+\n\n———— 3 ————\n\p{Script=Han}+$/u);
    const paid = await scene.paidBy(async () => {
      person.editCaption(message, 'zh 3,4');
      await scene.becomes(answer, (one) => isPages(one) && pagesOf(one).startsWith('———— 3 ————'));
      person.editCaption(message, 'zh 最后一页');
      await scene.becomes(answer, (one) => isPages(one) && /^———— 4 ————\n[^—]+$/u.test(pagesOf(one)));
      person.editCaption(message, '7-9');
      await scene.becomes(
        answer,
        ({ text }) => text === says('failure-document-no-such-pages', 'en', { count: '4' }),
      );
    });
    expect(paid).toBe(1);
  });

  it('is translated and spoken, as its caption or a reply asks', async () => {
    const person = scene.newcomer();
    const text = { lines: [`${newTibetan()}།`] };
    const message = await sendPdf(person, [text, {}, text], '/chinese');
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
    const other = await sendFile(person, pdfFile(), group.chat);
    const asked = person.send(group.chat, { text: '/ocr@lotsawa_bot', replyTo: other });
    expect((await scene.answerTo(asked, isPages)).reply_to_message?.message_id).toBe(other.message_id);
  });

  it('a document in both languages gives two files, paid for once', async () => {
    const person = scene.newcomer();
    const pages = [...(await scans(6)), { lines: [newTibetan()] }];
    const message = await sendPdf(person, pages, '/ocr both');
    const question = await scene.answerTo(message, asks);
    expect(question.text).toContain(says('costly', 'en', { calls: '12' }));
    expect(await scene.everythingAfter(message, person)).toEqual([question]);
    const paid = await scene.paidBy(async () => {
      const before = scene.service.paid().calls;
      await person.press(question, says('button-go-on'));
      await scene.telegram.world.waitUntil(() => scene.service.paid().calls >= before + 4);
      await scene.restart('SIGKILL');
      const tibetan = await scene.answerTo(message, isPages);
      const chinese = await scene.answerTo(tibetan, isPages);
      expect(noteOf(tibetan)).toMatch(/📄 7 pages read/u);
      expect(noteOf(chinese)).toMatch(/📄 7 pages read/u);
      expect(pagesOf(tibetan).match(/^———— \d+ ————\n\p{Script=Tibetan}/gmu)).toHaveLength(7);
      expect(pagesOf(chinese).match(/^———— \d+ ————\n\p{Script=Han}/gmu)).toHaveLength(6);
    });
    // What was in flight when the process was killed may have been charged; nobody can know.
    expect(paid).toBeLessThanOrEqual(12 + 3);

    // 18 at most are left.
    const dear = await scene.answerTo(await sendPdf(person, await scans(20)));
    expect(dear.text).toMatch(/\(1\d of 30\)/);
  });

  it('a document keeps its pages through an outage, and reads the rest', async () => {
    const person = scene.newcomer();
    const { faults } = scene.service;
    onTestFinished(() => faults.clear());
    faults.spare('recognition', 2);
    faults.set('recognition', 'undocumented-error');
    const before = scene.service.paid().calls;
    const message = await sendPdf(person, await scans(5));
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

  it('is spoken by its button with the times of its pages', async () => {
    const person = scene.newcomer();
    const page = () => ({ lines: Array.from({ length: 40 }, newTibetan) });
    const pages = await scene.answerTo(await sendFile(person, pdfFile([page(), page()])), isPages);
    await person.press(pages, 'speak:amdo');
    const note = await scene.answerTo(pages, isVoice);
    expect(note.caption).toMatch(/^🔊 Amdo · 0:00 p\. 1 · \d:\d\d p\. 2\n/u);
  });

  it('a long document becomes a file, and its buttons find the text', async () => {
    const person = scene.newcomer();
    const named = { ...pdfFile([aLongPage(), aLongPage()]), fileName: '.pe/cha "40".v2.pdf' };
    const pages = await scene.answerTo(await sendFile(person, named), isPages);
    expect(pages.document?.file_name).toBe('pe cha 40 .v2 · བོད་ཡིག.txt');
    expect(buttonsOf(pages).some((data) => data.startsWith('read:'))).toBe(false);
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
      await person.press(pages, says('button-translate'));
      const translation = await scene.answerTo(pages, ({ document }) => document !== undefined);
      expect(translation.document?.file_name).toBe('pe cha 40 .v2 · 中文.txt');
      expect(pagesOf(translation)).toMatch(/^———— 1(?:–2)? ————\n.*\p{Script=Han}/u);
      const messages = await scene.everythingAfter(pages, person);
      expect(messages.filter(({ text }) => hasChinese(text))).toEqual([]);
      // The bot knows its own files by any name.
      const inWylie = person.send(person.chat, { text: '/wylie', replyTo: pages });
      await scene.answerTo(inWylie, ({ text }) => text?.startsWith('bod yig bod') === true);
    });
    expect(paid).toBe(8);
  });

  it('a page that takes too much memory says so in its place', async () => {
    const person = scene.newcomer();
    const [before, behind] = [newTibetan(), newTibetan()];
    // More text than a pipe holds at once: it waits in the process that opens the file, unless that writes it before it goes on.
    const long = Array<string>(1100).fill(`${newTibetan()}།`.repeat(8).slice(0, 70));
    const town: Page = { ...(await scans(1))[0], size: [1e5, 1e5] };
    const paid = await scene.paidBy(async () => {
      const pdf: Page[] = [
        { lines: long, size: [595, 18_000] },
        { lines: [before] },
        aBomb(),
        { lines: [behind] },
        town,
      ];
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
});

/** This number of characters, in pieces that differ: equal ones are paid for once. */
function hanCharacters(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + (index % 20_903)));
}

describe('a TIFF of several pages', () => {
  it('is read page by page, those chosen in its caption, and names its file', async () => {
    const person = scene.newcomer();
    const before = scene.telegram.calls.length;
    const pages = await Promise.all([aJpeg(), aJpeg(), aJpeg()]);
    const scan = await sharp(pages, { join: { animated: true } })
      .tiff({ compression: 'lzw' })
      .toBuffer();
    const named = { fileName: 'scan.tif', mimeType: 'image/tiff' };
    const paid = await scene.paidBy(async () => {
      const all = await scene.answerTo(await person.sendDocument(person.chat, scan, named), isPages);
      expect(pagesOf(all)).toMatch(/^———— 1 ————\n\p{Script=Tibetan}.*\n\n———— 2 ————\n.*\n\n———— 3 ————\n/u);
      expect(new Set(pagesOf(all).split('\n').filter(hasTibetan)).size).toBe(3);
      const shown = scene.telegram.calls.slice(before).map(({ payload }) => String(payload.text));
      expect(shown.find((text) => text.startsWith(PROGRESS))).toMatch(/\/3$/);
      const sent = await person.sendDocument(person.chat, scan, { ...named, caption: '2-3' });
      expect(pagesOf(await scene.answerTo(sent, isPages))).toMatch(/^———— 2 ————/u);
      await person.press(all, says('button-read-chinese'));
      await scene.answerTo(all, (one) => isPages(one) && hasChinese(pagesOf(one)));
    });
    expect(paid).toBe(6);
  });

  it('has no page that is a thumbnail, and none is paid for', async () => {
    const person = scene.newcomer();
    const scan = tiff([{ side: 64 }, { side: 8, newSubfileType: 1 }, { side: 64, grey: 90 }]);
    const paid = await scene.paidBy(async () => {
      const sent = await person.sendDocument(person.chat, scan, {
        fileName: 'a.tif',
        mimeType: 'image/tiff',
      });
      expect(pagesOf(await scene.answerTo(sent, isPages))).toMatch(/^———— 1 ————\n.*\n\n———— 2 ————\n.*$/u);
    });
    expect(paid).toBe(2);
  });
});

it('a Word document is translated, paragraph by paragraph', async () => {
  const person = scene.newcomer();
  const [first, second] = [newChinese(), newChinese()];
  const docx = docxFile(aDocx(paragraph(first) + paragraph(second)));
  expect((await scene.answerTo(await sendFile(person, docx))).text).toSatisfy(hasTibetan);
  expect(scene.lastCall('translation')?.inputText).toBe(`${first}\n${second}`);
});

it('a Word document is translated as Word shows it', async () => {
  const [first, second, third] = [newChinese(), newChinese(), newChinese()];
  const stops = '<w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs>';
  const ruby = `<w:r><w:ruby><w:rt>${run('hǎo')}</w:rt><w:rubyBase>${run('好')}</w:rubyBase></w:ruby></w:r>`;
  const body = [
    `<w:p><w:moveFrom>${run(first)}</w:moveFrom></w:p>`,
    paragraph(second, stops),
    `<w:p><w:pPr>${stops}</w:pPr>${run('hidden', '<w:vanish/>')}<w:moveTo>${run(first)}</w:moveTo>${ruby}</w:p>`,
    paragraph('请', '<w:framePr w:dropCap="drop"/>'),
    paragraph(third),
  ].join('');
  await scene.answerTo(await sendFile(scene.newcomer(), docxFile(aDocx(body))));
  expect(scene.lastCall('translation')?.inputText).toBe(`${second}\n${first}好\n请${third}`);
});

describe('subtitles', () => {
  const send = (person: Person, srt: string) =>
    sendFile(person, { ...textFile(srt), fileName: 'film.srt', mimeType: 'application/x-subrip' });

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

  it('have their times in every form that players take', async () => {
    const [first, second, third] = [newChinese(), newChinese(), newChinese()];
    const srt = [
      `1\n0:0:1,5 --> 0:0:2,25\n${first} &amp; ${second}`,
      '2\n00:00:03 --> 00:00:04\n1998',
      `3\n\u200E00:00:05,000 --> 00:00:06,000\n- ${second}\n- ${third}`,
      `4\n01:02 --> 01:04\n${first}\n\n${third}\n`,
    ].join('\n\n');
    const answer = await scene.answerTo(await send(scene.newcomer(), srt), ({ document }) => !!document);
    expect(pagesOf(answer).match(/^.*-->.*$/gmu)).toEqual([
      '0:0:1,5 --> 0:0:2,25',
      '00:00:03 --> 00:00:04',
      '00:00:05,000 --> 00:00:06,000',
      '01:02 --> 01:04',
    ]);
    const said = `${first} & ${second}\n\n1998\n\n- ${second}\n- ${third}\n\n${first}\n${third}`;
    expect(scene.lastCall('translation')?.inputText).toBe(said);
  });

  it('without times are a text like any other', async () => {
    const answer = await scene.answerTo(await send(scene.newcomer(), newChinese()));
    expect(answer.text).toSatisfy(hasTibetan);
  });
});

describe('a translation that no message holds is one file, named after its document', () => {
  const long = () => Array.from({ length: 300 }, () => `${newChinese()}，今天天气很好。`).join('\n');
  const shown = async (sent: Message, person: Person) =>
    (await scene.everythingAfter(sent, person)).map(({ text, document }) => document?.file_name ?? text);

  it.each([
    ['sent as it is', ''],
    ['with a command', '/tibetan'],
  ])('of a text file %s', async (_, caption) => {
    const person = scene.newcomer();
    const sent = await sendFile(person, textFile(long(), caption));
    await scene.answerTo(sent, isPages);
    expect(await shown(sent, person)).toEqual(['letter · བོད་ཡིག.txt']);
  });

  it('and so is what a reply makes of the file', async () => {
    const person = scene.newcomer();
    const sent = await sendFile(person, textFile(long()));
    const file = await scene.answerTo(sent, isPages);
    const reply = person.send(person.chat, { text: '/chinese', replyTo: file });
    await scene.answerTo(file, isPages);
    expect(await shown(reply, person)).toEqual(['letter · 中文.txt']);
  });

  it('of subtitles with their times, also of those that the bot sent', async () => {
    const person = scene.newcomer();
    const srt = `1\n00:00:01,000 --> 00:00:02,000\n${newChinese()}\n`;
    const film = { ...textFile(srt), fileName: 'film.srt' };
    const file = await scene.answerTo(await sendFile(person, film), ({ document }) => document !== undefined);
    const reply = person.send(person.chat, { text: '/chinese', replyTo: file });
    const again = await scene.answerTo(file, ({ document }) => document !== undefined);
    expect(pagesOf(again)).toMatch(/^1\n00:00:01,000 --> 00:00:02,000\n/u);
    expect(await shown(reply, person)).toEqual(['film · 中文.srt']);
  });
});

describe('a text file', () => {
  it.each([
    ['a stray byte', (text: string) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0x0a])])],
    ['a byte less', (text: string) => Buffer.from(`${text}好`).subarray(0, -1)],
    ['a private character', (text: string) => Buffer.from(`\uFEFF${text}\uE000`, 'utf16le')],
  ])('with %s is translated', async (_, bytes) => {
    const text = newChinese();
    const answer = await scene.answerTo(await sendFile(scene.newcomer(), textFile(bytes(text))));
    expect(answer.text).toSatisfy(hasTibetan);
    expect(scene.lastCall('translation')?.inputText).toContain(text);
  });

  it('a document that repeats itself costs one call', async () => {
    const text = `${newChinese()}。`.padEnd(2990, '好').concat('。\n\n').repeat(12);
    const paid = await scene.paidBy(async () => {
      const sent = await sendFile(scene.newcomer(), textFile(text));
      const { document } = await scene.answerTo(sent, isPages);
      expect(document?.file_name).toBe('letter · བོད་ཡིག.txt');
    });
    expect(paid).toBe(1);
  });

  it('with an endless line of marks is translated like any other', async () => {
    const sent = await sendFile(scene.newcomer(), textFile(`${newTibetan()}།\n${'-'.repeat(60_000)}。`));
    expect(pagesOf(await scene.answerTo(sent, isPages))).toSatisfy(hasChinese);
  });

  it('is translated and spoken as a reply asks', async () => {
    const person = scene.newcomer();
    // 你好，今天天气很好。 in GB18030
    const bytes = Buffer.from('c4e3bac3a3acbdf1ccecccecc6f8badcbac3a1a3', 'hex');
    const message = await sendFile(person, textFile(bytes, '/speak'));
    expect((await scene.answerTo(message, isVoice)).caption).toContain('你好，今天天气很好。');
    const reply = person.send(person.chat, { text: '/tibetan', replyTo: message });
    expect((await scene.answerTo(reply)).text).toSatisfy(hasTibetan);
  });
});

it.each<[string, () => ReturnType<typeof pdfFile>, string]>([
  [
    'a PDF cut off',
    () => pdfFile(aPdf([{ lines: ['བོད'] }]).subarray(0, 700)),
    says('failure-document-unreadable'),
  ],
  ['a PDF empty of pages', () => pdfFile([]), says('failure-document-unreadable')],
  [
    'a PDF of a million pages',
    () => pdfFile(aPdf([{ lines: [newTibetan()] }], { count: 1_000_000 })),
    says('failure-document-too-many-pages', 'en', { count: '1,000,000', most: '200' }),
  ],
  [
    'a Word document of pictures alone',
    () => docxFile(aDocx('<w:p><w:r><w:drawing/></w:r></w:p>')),
    says('neither-script'),
  ],
  [
    'a Word document that is a bomb',
    () => docxFile(aDocx(paragraph('a'.repeat(17_000_000)))),
    says('failure-text-file-too-large'),
  ],
  [
    'a Word document that is none',
    () => docxFile(Buffer.from('PK\x03\x04 and nothing more')),
    says('failure-document-unreadable'),
  ],
  [
    'junk',
    () => textFile(Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256))),
    says('failure-document-unreadable'),
  ],
  [
    'a French text in Latin-1',
    () => textFile(Buffer.from('Où est la bibliothèque? Elle a été fermée.', 'latin1')),
    says('failure-document-unreadable'),
  ],
  [
    'a Japanese text in its own encoding',
    () => textFile(Buffer.from('baa3c6fca4cfa4a4a4a4c5b7b5a4a4c7a4b9a4cda1a3', 'hex')),
    says('failure-document-unreadable'),
  ],
  ['a text of 1.5 MB', () => textFile(Buffer.alloc(1_500_000, 'བོད་')), '1 MB'],
  ['one line of a million characters', () => textFile(Buffer.alloc(1_000_000, 'a')), says('neither-script')],
  [
    'what is dearer than what is left, of a quarter of a million lines',
    () => textFile(hanCharacters(250_000).join('\n')),
    '30 of 30',
  ],
])('%s gets one clear answer, and nothing is paid', async (_, file, words) => {
  const person = scene.newcomer();
  const paid = await scene.paidBy(async () => {
    const message = await sendFile(person, file());
    const answer = await scene.answerTo(message);
    expect(answer.text).toContain(words);
    expect(await scene.everythingAfter(message, person)).toEqual([answer]);
  });
  expect(paid).toBe(0);
});
