/** An edited caption, of a photo or in an album, has the answer edited, not sent again. */
import { describe, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { aPdf } from './media/pdfs.ts';
import { hasChinese, newTibetan, says } from './phrases.ts';
import { aJpeg, sendPdf, sendPhotos, wordsIn } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

/** A group that the bot hears. */
const aGroup = (person: Person): Group =>
  scene.telegram.world.addGroup({ title: 'Readers', members: [person], privacyMode: false });

/** Expects the edits to cost nothing and to leave the person's answers as they are. */
async function changeNothing(message: Message, person: Person, edit: () => void): Promise<void> {
  const edits = () => scene.telegram.calls.filter(({ method }) => method === 'editMessageText').length;
  const answers = async () =>
    (await scene.everythingAfter(message, person))
      .filter(({ text }) => text !== says('help'))
      .map(({ message_id, text, edit_date }) => ({ message_id, text, edit_date }));
  const before = await answers();
  expect(before).not.toEqual([]);
  const editsBefore = edits();
  const paid = await scene.paidBy(async () => {
    edit();
    expect(await answers()).toEqual(before);
  });
  expect(paid).toBe(0);
  expect(edits()).toBe(editsBefore);
}

it('a caption that names a language has its photo read again', async () => {
  const person = scene.newcomer();
  const message = await person.sendPhoto(person.chat, await aJpeg(), { caption: 'look' });
  const answer = await scene.answerTo(message);
  await changeNothing(message, person, () => person.editCaption(message, 'look at this'));
  person.editCaption(message, '中文');
  const words = await wordsIn(scene.telegram, message, 'zh');
  await scene.becomes(answer, ({ text }) => text === words);
});

describe('the caption of a PDF', () => {
  const pages = () => [{ lines: [newTibetan()] }, { lines: [newTibetan()] }];

  it('that changes without choosing other pages leaves its answer where it is', async () => {
    const person = scene.newcomer();
    const message = await sendPdf(person, person.chat, pages(), 'look at thsi');
    await changeNothing(message, person, () => person.editCaption(message, 'look at this'));
  });

  it('in a group, from which the mention goes, leaves what was read', async () => {
    const person = scene.newcomer();
    const message = await sendPdf(person, aGroup(person), pages(), '@lotsawa_bot 1-2');
    await scene.answerTo(message);
    await changeNothing(message, person, () => {
      for (const caption of ['1-2', 'see here', '']) person.editCaption(message, caption);
    });
  });

  it('that is one of several leaves the answers to all of them', async () => {
    const person = scene.newcomer();
    const books = ['loook', ''].map((caption) => ({
      caption,
      bytes: aPdf(pages()),
      fileName: 'book.pdf',
      mimeType: 'application/pdf',
    }));
    const [first] = await person.sendAlbum(person.chat, books);
    const idsAfter = async () =>
      (await scene.everythingAfter(first, person)).map(({ message_id }) => message_id);
    const answers = await idsAfter();
    expect(answers.length).toBeGreaterThan(1);
    person.editCaption(first, 'look');
    expect(await idsAfter()).toEqual(expect.arrayContaining(answers));
  });
});

describe('the edit of a caption in an album', () => {
  async function askedAlbum(...captions: string[]) {
    const person = scene.newcomer();
    const parts = await sendPhotos(person, person.chat, 3, ...captions);
    const [first] = parts;
    const answer = await scene.answerTo(first, ({ text }) => text?.startsWith('1.\n') === true);
    const inLanguage = async (language: 'bo' | 'zh') => {
      const words = await Promise.all(parts.map((part) => wordsIn(scene.telegram, part, language)));
      return words.map((text, index) => `${index + 1}.\n${text}`).join('\n\n');
    };
    const edit = (index: number, caption: string) => person.editCaption(parts[index] ?? first, caption);
    return { person, first, answer, inLanguage, edit };
  }

  it.each([
    [0, 'while the bot runs'],
    [2, 'after a restart'],
  ])('an album is read again in the language of photo %i: %s', async (index, when) => {
    const { person, first, answer, inLanguage, edit } = await askedAlbum();
    if (when === 'after a restart') await scene.restart();
    const [chinese, tibetan] = [await inLanguage('zh'), await inLanguage('bo')];
    const paid = await scene.paidBy(async () => {
      edit(index, '中文');
      await scene.becomes(answer, ({ text }) => text === chinese);
      edit(index, 'both');
      await scene.becomes(answer, ({ text }) => text === tibetan);
    });
    expect(paid).toBe(3);
    expect(await scene.everythingAfter(first, person)).toHaveLength(1);
  });

  it('a caption that becomes a command is done for the whole album', async () => {
    const { person, first, answer, edit } = await askedAlbum();
    edit(2, '/chinese');
    const translation = await scene.becomes(answer, ({ text }) => hasChinese(text));
    expect(translation.text).toMatch(/^1\.\n[^\n]+\n\n2\.\n[^\n]+\n\n3\.\n[^\n]+$/u);
    await changeNothing(first, person, () => edit(0, 'the first'));
    const paid = await scene.paidBy(async () => {
      edit(0, '中文');
      await scene.becomes(answer, ({ text }) => text === says('already-chinese'));
    });
    expect(paid).toBe(3);
  });

  it('that leaves the language as it was changes nothing', async () => {
    const { person, first, edit } = await askedAlbum('', '中文');
    await changeNothing(first, person, () => {
      edit(1, '中文, please');
      edit(2, 'the third');
    });
  });

  it('in a group is followed, though the bot is mentioned under another photo', async () => {
    const person = scene.newcomer();
    const [first, second] = await sendPhotos(person, aGroup(person), 2, '@lotsawa_bot');
    const answer = await scene.answerTo(first, ({ text }) => text?.startsWith('1.\n') === true);
    person.editCaption(second ?? first, '中文');
    await scene.becomes(answer, ({ text }) => hasChinese(text));
  });
});
