/** An edited caption, of a photo or in an album, has the answer edited, not sent again. */
import { describe, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { aPdf } from './media/pdfs.ts';
import { hasChinese, newTibetan, says } from './phrases.ts';
import { aJpeg, wordsIn } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

it('a caption that comes to name a language has the photo read in it, in the same answer', async () => {
  const person = scene.newcomer();
  const message = await person.sendPhoto(person.chat, await aJpeg());
  const answer = await scene.answerTo(message);
  person.editCaption(message, '中文');
  const words = await wordsIn(scene.telegram, message, 'zh');
  await scene.becomes(answer, ({ text }) => text === words);
  expect(await scene.everythingAfter(message, person)).toHaveLength(1);
});

it('a caption that changes without naming another language costs nothing and edits nothing', async () => {
  const person = scene.newcomer();
  const message = await person.sendPhoto(person.chat, await aJpeg(), { caption: 'look' });
  const answer = await scene.answerTo(message);
  const edits = () => scene.telegram.calls.filter(({ method }) => method === 'editMessageText').length;
  const before = edits();
  const paid = await scene.paidBy(async () => {
    person.editCaption(message, 'look at this');
    expect((await scene.everythingAfter(message, person)).map(({ text }) => text)).toEqual([answer.text]);
  });
  expect(paid).toBe(0);
  expect(edits()).toBe(before);
});

describe('the caption of a PDF', () => {
  const book = () => aPdf([{ lines: [newTibetan()] }, { lines: [newTibetan()] }]);
  const idsAfter = async (message: Message, person: Person) =>
    (await scene.everythingAfter(message, person)).map(({ message_id }) => message_id);
  const named = { fileName: 'book.pdf', mimeType: 'application/pdf' };

  it('that changes without choosing other pages leaves its answer where it is', async () => {
    const person = scene.newcomer();
    const message = await person.sendDocument(person.chat, book(), { ...named, caption: 'look at thsi' });
    const answer = await scene.answerTo(message);
    person.editCaption(message, 'look at this');
    expect(await idsAfter(message, person)).toEqual([answer.message_id]);
  });

  it('in a group, from which the mention goes, leaves what was read', async () => {
    const person = scene.newcomer();
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person], privacyMode: false });
    const message = await person.sendDocument(group, book(), { ...named, caption: '@lotsawa_bot 1-2' });
    const answer = await scene.answerTo(message);
    for (const caption of ['1-2', 'see here', '']) person.editCaption(message, caption);
    expect(await idsAfter(message, person)).toEqual([answer.message_id]);
  });
});

it('the caption of one of several PDFs leaves the answers to all of them', async () => {
  const person = scene.newcomer();
  const books = [{ caption: 'loook' }, {}].map((words) => ({
    ...words,
    bytes: aPdf([{ lines: [newTibetan()] }]),
    fileName: 'book.pdf',
    mimeType: 'application/pdf',
  }));
  const [first] = await person.sendAlbum(person.chat, books);
  if (first === undefined) throw new Error('the album is empty');
  const idsAfter = async () =>
    (await scene.everythingAfter(first, person)).map(({ message_id }) => message_id);
  const answers = await idsAfter();
  expect(answers.length).toBeGreaterThan(1);
  person.editCaption(first, 'look');
  expect(await idsAfter()).toEqual(expect.arrayContaining(answers));
});

describe('the edit of a caption in an album', () => {
  async function askedAlbum(caption?: string) {
    const person = scene.newcomer();
    const pictures = await Promise.all([aJpeg(), aJpeg(), aJpeg()]);
    const photos = pictures.map((bytes, index) => ({ bytes, ...(index === 1 && caption && { caption }) }));
    const parts = await person.sendAlbum(person.chat, photos);
    const [first] = parts;
    if (first === undefined) throw new Error('the album is empty');
    const answer = await scene.answerTo(first, ({ text }) => text?.startsWith('1.\n') === true);
    const inLanguage = async (language: 'bo' | 'zh') => {
      const words = await Promise.all(parts.map((part) => wordsIn(scene.telegram, part, language)));
      return words.map((text, index) => `${index + 1}.\n${text}`).join('\n\n');
    };
    return { person, parts, first, answer, inLanguage };
  }

  it.each([0, 2])(
    'has all of it read in the language that it comes to name, in the same answer (photo %i)',
    async (index) => {
      const { person, parts, first, answer, inLanguage } = await askedAlbum();
      const chinese = await inLanguage('zh');
      const paid = await scene.paidBy(async () => {
        const part = parts[index];
        if (part !== undefined) person.editCaption(part, '中文');
        await scene.becomes(answer, ({ text }) => text === chinese);
      });
      expect(paid).toBe(3);
      const back = await scene.paidBy(async () => {
        const part = parts[index];
        if (part !== undefined) person.editCaption(part, 'both');
        const tibetan = await inLanguage('bo');
        await scene.becomes(answer, ({ text }) => text === tibetan);
      });
      expect(back).toBe(0);
      expect(await scene.everythingAfter(first, person)).toHaveLength(1);
    },
  );

  it('that becomes a command has all of it done, and an edit of another photo leaves that as it is', async () => {
    const { person, parts, first, answer } = await askedAlbum();
    if (parts[2] !== undefined) person.editCaption(parts[2], '/chinese');
    const translation = await scene.becomes(answer, ({ text }) => hasChinese(text));
    expect(translation.text).toMatch(/^1\.\n[^\n]+\n\n2\.\n[^\n]+\n\n3\.\n[^\n]+$/u);
    const paid = await scene.paidBy(async () => {
      person.editCaption(first, 'the first');
      expect((await scene.everythingAfter(first, person)).map(({ text }) => text)).toEqual([
        translation.text,
      ]);
      person.editCaption(first, '中文');
      await scene.becomes(answer, ({ text }) => text === says('already-chinese'));
    });
    expect(paid).toBe(3);
  });

  it('that leaves the language as it was costs nothing and edits nothing', async () => {
    const { person, parts, first, answer } = await askedAlbum('中文');
    const edits = () => scene.telegram.calls.filter(({ method }) => method === 'editMessageText').length;
    const before = edits();
    const paid = await scene.paidBy(async () => {
      if (parts[1] !== undefined) person.editCaption(parts[1], '中文, please');
      if (parts[2] !== undefined) person.editCaption(parts[2], 'the third');
      expect((await scene.everythingAfter(first, person)).map(({ text }) => text)).toEqual([answer.text]);
    });
    expect(paid).toBe(0);
    expect(edits()).toBe(before);
  });

  it('after a restart is followed as well', async () => {
    const { person, first, answer, inLanguage } = await askedAlbum();
    await scene.restart();
    person.editCaption(first, '中文');
    const chinese = await inLanguage('zh');
    await scene.becomes(answer, ({ text }) => text === chinese);
  });

  it('in a group is followed, though the bot is mentioned under another photo', async () => {
    const person = scene.newcomer();
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person], privacyMode: false });
    const photos = [{ bytes: await aJpeg(), caption: '@lotsawa_bot' }, { bytes: await aJpeg() }];
    const parts = await person.sendAlbum(group, photos);
    const [first, second] = parts;
    if (first === undefined || second === undefined) throw new Error('the album is empty');
    const answer = await scene.answerTo(first, ({ text }) => text?.startsWith('1.\n') === true);
    person.editCaption(second, '中文');
    await scene.becomes(answer, ({ text }) => hasChinese(text));
  });
});
