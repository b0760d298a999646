/** /ocr: reads the photo replied to, or sets the language in which photos are read. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buttonsOf, hasChinese, hasTibetan, says } from './phrases.ts';
import { aJpeg, wordsIn } from './pictures.ts';
import { type Scene, startScene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

it('as a reply to a photo it reads that photo, in a group too', async () => {
  const { anna } = scene;
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [anna, scene.newcomer()] });
  const sent = await anna.sendPhoto(group, await aJpeg());
  const paid = await scene.paidBy(async () => {
    const answer = await scene.answerTo(anna.send(group, { text: '/ocr', replyTo: sent }));
    expect(answer.text).toBe(await wordsIn(scene.telegram, sent, 'bo'));
    expect(answer.reply_to_message?.message_id).toBe(sent.message_id);
  });
  expect(paid).toBe(1);
});

it.each([
  ['zh', hasChinese],
  ['中文', hasChinese],
  ['bo', hasTibetan],
  ['བོད་ཡིག', hasTibetan],
])('as a reply with %s it reads in that language, once', async (word, isRight) => {
  const { anna } = scene;
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [anna] });
  const sent = await anna.sendPhoto(group, await aJpeg());
  const answer = await scene.answerTo(anna.send(group, { text: `/ocr ${word}`, replyTo: sent }));
  expect(answer.text).toSatisfy(isRight);
  const plain = await scene.answerTo(await anna.sendPhoto(anna.chat, await aJpeg()));
  expect(plain.text).toSatisfy(hasTibetan);
});

it.each(['中文', '/ocr zh'])(
  'a photo with the caption %s is read as that says, however it is asked for',
  async (caption) => {
    const { anna } = scene;
    const sent = await anna.sendPhoto(anna.chat, await aJpeg(), { caption });
    expect((await scene.answerTo(sent)).text).toSatisfy(hasChinese);
    const reply = (text: string) => scene.answerTo(anna.send(anna.chat, { text, replyTo: sent }));
    const paid = await scene.paidBy(async () => {
      expect((await reply('/ocr')).text).toSatisfy(hasChinese);
      expect((await reply('/tibetan')).text).toSatisfy(hasTibetan);
      expect((await reply('/ocr bo')).text).toSatisfy(hasTibetan);
    });
    // The translation, and the other language that was asked for by name.
    expect(paid).toBe(2);
  },
);

it('as a reply to a message without a photo it says so', async () => {
  const { anna } = scene;
  const said = anna.send(anna.chat, { text: 'hello' });
  await scene.answerTo(said);
  const answer = await scene.answerTo(anna.send(anna.chat, { text: '/ocr', replyTo: said }));
  expect(answer.text).toBe(says('ocr-no-photo'));
});

it('with a language alone it holds from now on', async () => {
  const person = scene.newcomer();
  expect((await scene.ask(person, '/ocr zh')).text).toBe(says('reading-chinese'));
  const answer = await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
  expect(answer.text).toSatisfy(hasChinese);
  expect((await scene.ask(person, '/ocr tibetan')).text).toBe(says('reading-tibetan'));
});

it.each([
  ['/ocr', 'ocr-how'],
  ['/ocr klingon', 'ocr-unknown'],
])('%s alone offers both languages, and a press chooses in place', async (command, id) => {
  const person = scene.newcomer();
  const offer = await scene.ask(person, command);
  expect(offer.text).toBe(says(id));
  expect(buttonsOf(offer)).toEqual(['reading:tibetan', 'reading:chinese']);
  await person.press(offer, 'reading:chinese');
  const chosen = await scene.becomes(offer, ({ text }) => text === says('reading-chinese'));
  expect(buttonsOf(chosen)).toEqual([]);
});
