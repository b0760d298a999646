/** A photo whose caption is a command: what the command asks is done with that photo. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import { pageFile, pdfFile, sendFile, textFile } from './files.ts';
import {
  buttonsOf,
  hasChinese,
  hasTibetan,
  isProgress,
  isVoice,
  newTibetan,
  numberOf,
  says,
} from './phrases.ts';
import { aJpeg, sendPage, sendPhotos, wordsIn, wordsInAlbum } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
/** The bot sees in it only what is meant for it. */
let group: Group;
beforeAll(async () => {
  group = scene.telegram.world.addGroup({ title: 'Readers', members: [scene.anna], type: 'supergroup' });
});

async function send(where: 'private' | 'group', text: string, caption: string): Promise<Message> {
  const { anna } = scene;
  return sendPage(anna, where === 'private' ? anna.chat : group, text, caption);
}

describe.each(['private', 'group'] as const)('in a chat (%s)', (where) => {
  it('/speak amdo speaks what stands in the photo', async () => {
    const text = newTibetan();
    const paid = await scene.paidBy(async () => {
      const sent = await send(where, text, '/speak amdo');
      const voice = await scene.answerTo(sent, isVoice);
      expect(voice.caption).toContain(says('amdo'));
      expect(numberOf(voice.caption)).toBe(numberOf(text));
      expect(voice.reply_to_message?.message_id).toBe(sent.message_id);
    });
    expect(paid).toBe(2);
  });

  it('/chinese translates it', async () => {
    const text = newTibetan();
    const sent = await send(where, text, '/chinese@lotsawa_bot');
    const answer = await scene.answerTo(sent, ({ text }) => hasChinese(text));
    expect(numberOf(answer.text)).toBe(numberOf(text));
    expect(buttonsOf(answer)).toContain('speak:chinese');
  });

  it('/ocr zh reads it as Chinese, for this once', async () => {
    const { anna, telegram } = scene;
    const chat = where === 'private' ? anna.chat : group;
    const sent = await anna.sendPhoto(chat, await aJpeg(), { caption: '/ocr zh' });
    const answer = await scene.answerTo(sent);
    expect(answer.text).toBe(await wordsIn(telegram, sent, 'zh'));
    const plain = await anna.sendPhoto(anna.chat, await aJpeg());
    expect((await scene.answerTo(plain)).text).toBe(await wordsIn(telegram, plain, 'bo'));
  });
});

it('a command with a text of its own is about that text', async () => {
  const text = newTibetan();
  const paid = await scene.paidBy(async () => {
    const answer = await scene.answerTo(await send('private', newTibetan(), `/chinese ${text}`));
    expect(numberOf(answer.text)).toBe(numberOf(text));
  });
  expect(paid).toBe(1);
});

/** service-interface §4.2: 0 is Tibetan, 1 Chinese. */
const readAs = () => scene.lastCall('recognition')?.language_type;

describe('a picture is read in the language to translate from', () => {
  it.each([
    ['/tibetan', '1'],
    ['/chinese', '0'],
    ['/auto', '0'],
    ['/chinese 中文', '1'],
    ['/tibetan བོད་ཡིག', '0'],
    ['/speak chinese', '0'],
    ['/speak amdo 中文', '1'],
  ])('under %s, language_type %s', async (caption, language) => {
    const sent = await scene.anna.sendPhoto(scene.anna.chat, await aJpeg(), { caption });
    await scene.everythingAfter(sent, scene.anna);
    expect(readAs()).toBe(language);
  });

  it.each([
    ['/tibetan', '', '1'],
    ['/chinese', '', '0'],
    ['/tibetan', 'བོད་ཡིག', '0'],
    ['/chinese', '中文', '1'],
  ])('that %s replies to, captioned "%s": language_type %s', async (text, caption, language) => {
    const sent = await scene.anna.sendPhoto(group, await aJpeg(), caption === '' ? {} : { caption });
    const asked = scene.anna.send(group, { text, replyTo: sent });
    await scene.everythingAfter(asked, scene.anna);
    expect(readAs()).toBe(language);
  });

  it('whatever the language in which it reads otherwise; /auto goes by that', async () => {
    const person = scene.newcomer();
    await scene.ask(person, '/ocr zh');
    const photo = await person.sendPhoto(person.chat, await aJpeg(), { caption: '/chinese' });
    await scene.answerTo(photo, ({ text }) => hasChinese(text));
    expect(readAs()).toBe('0');
    const other = await person.sendPhoto(person.chat, await aJpeg(), { caption: '/auto' });
    const answer = await scene.answerTo(other, ({ text }) => hasTibetan(text));
    expect(readAs()).toBe('1');
    expect(buttonsOf(answer)).toContain('read:tibetan');
  });
});

describe('an album with the command under its second photo', () => {
  const sendAlbum = async (caption: string) => {
    const person = scene.newcomer();
    const album = await sendPhotos(person, person.chat, 2, '', caption);
    const words = (language: 'bo' | 'zh') => wordsInAlbum(scene.telegram, album, language);
    return { person, first: album[0], words };
  };
  const isDone = (message: Message) => !isProgress(message);

  it.each([
    ['/chinese', 'bo', hasChinese],
    ['/tibetan', 'zh', hasTibetan],
  ] as const)(
    '%s is translated in one answer, in one call beside those that read it',
    async (command, from, isIn) => {
      const paid = await scene.paidBy(async () => {
        const { person, first, words } = await sendAlbum(command);
        const answer = await scene.answerTo(first, isDone);
        expect(answer.text).toSatisfy(isIn);
        expect(answer.text).toMatch(/^1\.\n[^\n]+\n\n2\.\n[^\n]+$/u);
        expect(answer.reply_to_message?.message_id).toBe(first.message_id);
        expect(scene.lastCall('translation')?.inputText).toBe(await words(from));
        expect(await scene.everythingAfter(first, person)).toEqual([answer]);
      });
      expect(paid).toBe(3);
    },
  );

  it('/speak amdo becomes one voice note over all of it, with all of it under it', async () => {
    const paid = await scene.paidBy(async () => {
      const { person, first, words } = await sendAlbum('/speak amdo');
      const voice = await scene.answerTo(first, isDone);
      const text = (await words('bo')).replace(/^\d\.\n/gmu, '');
      expect(voice.caption).toBe(`🔊 ${says('amdo')}\n${text}`);
      expect(scene.lastCall('speech')?.inputText).toBe(text);
      expect(await scene.everythingAfter(first, person)).toEqual([voice]);
    });
    expect(paid).toBe(3);
  });

  it('/speak chinese is read as Tibetan, translated, and spoken', async () => {
    const paid = await scene.paidBy(async () => {
      const { first } = await sendAlbum('/speak chinese');
      const voice = await scene.answerTo(first, isVoice);
      expect(voice.caption).toSatisfy(hasChinese);
      expect(buttonsOf(voice)).toEqual(['slow:xiaoxiao', 'read:chinese']);
    });
    expect(paid).toBe(4);
  });

  it('/ocr zh is read as Chinese', async () => {
    const { first, words } = await sendAlbum('/ocr zh');
    expect((await scene.answerTo(first, isDone)).text).toBe(await words('zh'));
  });

  it('/speak where a photo fails, and then the speech: what was read, then the rest, and nothing of the failures is left', async () => {
    scene.service.faults.next('recognition', 'undocumented-error');
    scene.service.faults.set('speech', 'undocumented-error');
    const { person, first } = await sendAlbum('/speak amdo');
    const told = await scene.answerTo(first, ({ text }) => text === says('failure-unavailable'));
    const [read, ...more] = await scene.everythingAfter(first, person);
    expect(read?.text).toContain(says('failure-unavailable'));
    expect(more).toEqual([told]);
    scene.service.faults.clear();
    await person.press(told, says('button-rest', 'en', { calls: 1 }));
    const voice = await scene.answerTo(told, isVoice);
    expect(await scene.everythingAfter(first, person)).toEqual([
      expect.objectContaining({ text: says('help') }),
      voice,
    ]);
  });

  it('and a photo that fails: which one is told, and the other is translated', async () => {
    scene.service.faults.next('recognition', 'undocumented-error');
    const { person, first } = await sendAlbum('/chinese');
    await scene.answerTo(first, ({ text }) => hasChinese(text));
    const [told, answer, ...more] = (await scene.everythingAfter(first, person)).map(({ text }) => text);
    expect(told).toMatch(/^[12]\.\n⚠️ /);
    expect(told).toContain(says('failure-unavailable'));
    expect(answer).toMatch(/^[12]\.\n\p{Script=Han}+$/u);
    expect(more).toEqual([]);
  });
});

describe('an album of files', () => {
  /** What the answers are under, and which text they are of. */
  const said = (answers: readonly Message[]) =>
    answers
      .filter((answer) => !isProgress(answer))
      .map((answer) => {
        const { document, text = answer.caption, reply_to_message: asked } = answer;
        const file = document && scene.telegram.world.fileBytes(document.file_id).toString('utf8');
        return [asked?.message_id, numberOf((file ?? text)?.replaceAll('————', ''))];
      });

  it('has each document translated by a command, in turn', async () => {
    const person = scene.newcomer();
    const texts = [newTibetan(), newTibetan()];
    const books = texts.map((text, at) => pdfFile([{ lines: [text] }], at === 0 ? '/chinese' : ''));
    const album = await person.sendAlbum(person.chat, books);
    expect(said(await scene.everythingAfter(album[0], person))).toEqual(
      album.flatMap(({ message_id }, at) => Array(2).fill([message_id, numberOf(texts[at])])),
    );
  });

  it.each([
    ['/chinese', 1],
    ['/ocr', 0],
    ['', 0],
    ['/speak amdo', 1],
  ])('has its pictures and then its documents handled as "%s" asks', async (caption, more) => {
    const person = scene.newcomer();
    const texts = [newTibetan(), newTibetan()] as const;
    const files = [await pageFile(texts[0], caption), pdfFile([{ lines: [texts[1]] }])];
    const [picture, book] = await person.sendAlbum(person.chat, files);
    const [first, second] = texts.map(numberOf);
    expect(said(await scene.everythingAfter(picture, person))).toEqual([
      [picture.message_id, first],
      ...Array(1 + more).fill([book?.message_id, second]),
    ]);
  });
});

it.each(['wylie', 'phonetics'])(
  '/%s costs nothing under a text file, and under a photo, also in a group',
  async (name) => {
    const person = scene.newcomer();
    const readers = scene.telegram.world.addGroup({ title: 'Readers', members: [person] });
    const paid = await scene.paidBy(async () => {
      const file = await sendFile(person, textFile('བོད་ཡིག', `/${name}`));
      expect((await scene.answerTo(file)).text).toMatch(/^[a-z' ]+$|\n[a-zö' ]+$/iu);
      const photo = await person.sendPhoto(readers.chat, await aJpeg(), { caption: `/${name}@lotsawa_bot` });
      expect((await scene.answerTo(photo)).text).toBe(says('picture-unread'));
    });
    expect(paid).toBe(0);
  },
);

it('a command for another bot is not answered in a group', async () => {
  const loud = scene.telegram.world.addGroup({ title: 'Loud', members: [scene.anna], privacyMode: false });
  const paid = await scene.paidBy(async () => {
    const sent = await scene.anna.sendPhoto(loud, await aJpeg(), { caption: '/ocr@other_bot zh' });
    expect(await scene.everythingAfter(sent, scene.anna)).toEqual([]);
  });
  expect(paid).toBe(0);
});
