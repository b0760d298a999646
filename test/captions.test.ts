/** Captions: of what is no picture they are texts; of a picture they have a button. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import { pdfFile, sendFile, textFile } from './files.ts';
import {
  buttonsOf,
  hasChinese,
  hasTibetan,
  isVoice,
  newChinese,
  newTibetan,
  numberOf,
  says,
} from './phrases.ts';
import { aJpeg, sendPage, sendPhotos } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

const VIDEO = { fileName: 'clip.mp4', mimeType: 'video/mp4', width: 320, height: 240, duration: 2 };
const bytes = Buffer.from('a film');

describe('in a private chat', () => {
  it.each(['video', 'voice', 'animation'] as const)(
    'a caption of a %s is translated, under it',
    async (kind) => {
      const text = newTibetan();
      const sent = scene.anna.sendOther(scene.anna.chat, kind, { caption: text });
      const answer = await scene.answerTo(sent);
      expect(answer.text).toSatisfy(hasChinese);
      expect(numberOf(answer.text)).toBe(numberOf(text));
      expect(answer.reply_to_message?.message_id).toBe(sent.message_id);
      expect(buttonsOf(answer)).toContain('speak:chinese');
    },
  );

  it('so is that of a file, and of a forwarded post; each is edited with its answer', async () => {
    const { anna } = scene;
    const zip = { bytes, fileName: 'letter.zip', mimeType: 'application/zip', caption: newTibetan() };
    const file = await sendFile(anna, zip);
    const answer = await scene.answerTo(file);
    expect(answer.text).toSatisfy(hasChinese);
    const now = newChinese();
    anna.editCaption(file, now);
    const edited = await scene.becomes(answer, ({ text }) => numberOf(text) === numberOf(now));
    expect(edited.text).toSatisfy(hasTibetan);
    const forwarded = anna.forward(file, anna.chat);
    expect((await scene.answerTo(forwarded)).text).toBe(edited.text);
  });

  it('an album of films is one text', async () => {
    const person = scene.newcomer();
    const parts = [newTibetan(), newTibetan()].map((caption) => ({ ...VIDEO, bytes, caption }));
    const [first] = await person.sendAlbum(person.chat, parts);
    const paid = await scene.paidBy(async () => {
      const answer = await scene.answerTo(first);
      for (const { caption } of parts) expect(answer.text).toContain(numberOf(caption));
    });
    expect(paid).toBe(1);
  });

  it('a command in it is about its words', async () => {
    const text = newTibetan();
    const sent = scene.anna.sendOther(scene.anna.chat, 'video', { caption: `/speak amdo ${text}` });
    const note = await scene.answerTo(sent, isVoice);
    expect(note.caption).toContain(text);
    const bare = scene.anna.sendOther(scene.anna.chat, 'video', { caption: '/chinese' });
    expect((await scene.answerTo(bare)).text).toBe(says('anything-else'));
  });
});

describe('a picture’s own caption', () => {
  it('is translated by a button under what was read, also after an edit and a restart', async () => {
    const { anna } = scene;
    const photo = await sendPage(anna, anna.chat, newTibetan(), newChinese());
    const read = await scene.answerTo(photo);
    expect(buttonsOf(read)).toContain('caption');
    const now = newChinese();
    anna.editCaption(photo, now);
    await scene.restart();
    const paid = await scene.paidBy(async () => {
      await anna.press(read, 'caption');
      const answer = await scene.answerTo(read);
      expect(answer.text).toSatisfy(hasTibetan);
      expect(numberOf(answer.text)).toBe(numberOf(now));
      expect(answer.reply_to_message?.message_id).toBe(photo.message_id);
    });
    expect(paid).toBe(1);
  });

  it.each([
    ['another photo of the album', async (caption: string) => ({ bytes: await aJpeg(), caption })],
    ['a film beside it', async (caption: string) => ({ ...VIDEO, bytes, caption })],
  ])('is that of %s, too, also where it was read in the other language', async (_, other) => {
    const person = scene.newcomer();
    const caption = newChinese();
    const parts = [{ bytes: await aJpeg() }, { bytes: await aJpeg() }, await other(caption)];
    const [first] = await person.sendAlbum(person.chat, parts);
    const read = await scene.answerTo(first);
    await person.press(read, says('button-read-chinese'));
    const again = await scene.answerTo(read);
    for (const one of [read, again]) {
      await person.press(one, says('button-translate-caption'));
      await scene.answerTo(one, (answer) => numberOf(answer.text) === numberOf(caption));
    }
  });

  it.each(['中文', 'བོད་ཡིག', 'hello', '/ocr zh'])('%s has none', async (caption) => {
    const { anna } = scene;
    const read = await scene.answerTo(await sendPage(anna, anna.chat, newTibetan(), caption));
    expect(buttonsOf(read)).not.toContain('caption');
  });
});

it('a document’s caption is translated by a button, unless it chooses pages', async () => {
  const { anna } = scene;
  for (const file of [pdfFile(), textFile(newTibetan())]) {
    const caption = newChinese();
    const document = await sendFile(anna, { ...file, caption });
    const answer = await scene.answerTo(document, (one) => buttonsOf(one).includes('caption'));
    await anna.press(answer, 'caption');
    const translation = await scene.answerTo(answer);
    expect(numberOf(translation.text)).toBe(numberOf(caption));
    expect(translation.reply_to_message?.message_id).toBe(document.message_id);
  }
  const chosen = await sendFile(anna, pdfFile(undefined, '第1页'));
  const pages = await scene.answerTo(chosen, ({ text }) => text?.includes('📄') === true);
  expect(buttonsOf(pages)).not.toContain('caption');
});

describe('in a group that the bot listens to', () => {
  let group: Group;
  beforeAll(async () => {
    const owner = scene.newcomer();
    group = scene.telegram.world.addGroup({
      title: 'Readers',
      type: 'supergroup',
      members: [scene.anna],
      admins: [owner],
    });
    group.promote(group.bot);
    await scene.answerTo(owner.send(group, { text: '/listen on' }));
  });

  it('captions are translated, and pictures are not read', async () => {
    const { anna } = scene;
    const paid = await scene.paidBy(async () => {
      const text = newTibetan();
      const photo = await anna.sendPhoto(group, await aJpeg(), { caption: text });
      const answer = await scene.answerTo(photo);
      expect(numberOf(answer.text)).toBe(numberOf(text));
      expect(answer.reply_to_message?.message_id).toBe(photo.message_id);
      const film = anna.sendOther(group, 'video', { caption: newTibetan() });
      expect((await scene.answerTo(film)).text).toSatisfy(hasChinese);
      const now = newTibetan();
      anna.editCaption(photo, now);
      await scene.becomes(answer, (changed) => numberOf(changed.text) === numberOf(now));
    });
    expect(paid).toBe(3);
  });

  it('those of PDFs and text files, too, which are not read', async () => {
    const { anna } = scene;
    const paid = await scene.paidBy(async () => {
      for (const file of [pdfFile(), textFile(newTibetan())]) {
        const caption = newTibetan();
        const answer = await scene.answerTo(await sendFile(anna, { ...file, caption }, group));
        expect(answer.text).toSatisfy(hasChinese);
        expect(numberOf(answer.text)).toBe(numberOf(caption));
      }
    });
    expect(paid).toBe(2);
  });

  it('a reading stays where its mention goes', async () => {
    const { anna } = scene;
    const read = await anna.sendPhoto(group, await aJpeg(), { caption: '@lotsawa_bot' });
    const reading = await scene.answerTo(read);
    expect(buttonsOf(reading)).toContain('read:chinese');
    anna.editCaption(read, '');
    await scene.ask(anna, '/help');
    const now = await scene.answerTo(read, ({ message_id }) => message_id === reading.message_id);
    expect([now.text, buttonsOf(now)]).toEqual([reading.text, buttonsOf(reading)]);
  });

  it('an album’s, too', async () => {
    const { anna } = scene;
    const caption = newTibetan();
    const paid = await scene.paidBy(async () => {
      const [first] = await sendPhotos(anna, group, 2, '', caption);
      expect(numberOf((await scene.answerTo(first)).text)).toBe(numberOf(caption));
    });
    expect(paid).toBe(1);
  });

  it('a caption in another language, and one for another bot, are left alone', async () => {
    const { anna } = scene;
    const first = await anna.sendPhoto(group, await aJpeg(), { caption: 'hello' });
    await anna.sendPhoto(group, await aJpeg(), { caption: `/say@other_bot ${newTibetan()}` });
    expect(await scene.everythingAfter(first, anna)).toEqual([]);
  });
});
