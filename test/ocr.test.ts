/** /ocr: reads the photo replied to, or sets the language in which photos are read. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { buttonsOf, hasChinese, hasTibetan, isAnswer, labelsOf, says } from './phrases.ts';
import { aJpeg, sendPage, sendPhotos, wordsIn } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

it('as a reply to a photo it reads that photo, in a group too', async () => {
  const { anna } = scene;
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [anna] });
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
  ['in Chinese, please', hasChinese],
  ['简体', hasChinese],
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

it.each(['中文', '/ocr zh'])('a photo with the caption %s is read as that says', async (caption) => {
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
});

it('as a reply to a message without a photo it says so', async () => {
  const { anna } = scene;
  const said = anna.send(anna.chat, { text: 'hello' });
  await scene.answerTo(said);
  const answer = await scene.answerTo(anna.send(anna.chat, { text: '/ocr', replyTo: said }));
  expect(answer.text).toBe(says('ocr-no-photo'));
});

it('with a language alone it holds from now on', async () => {
  const person = scene.newcomer();
  for (const [word, language] of [
    ['དབུ་ཅན', 'tibetan'],
    ['cn', 'chinese'],
    ['tibetan', 'tibetan'],
    ['zh', 'chinese'],
  ])
    expect((await scene.ask(person, `/ocr ${word}`)).text).toBe(says(`reading-${language}`));
  const answer = await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
  expect(answer.text).toSatisfy(hasChinese);
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

describe('/ocr both', () => {
  it.each(['both', '双语', 'གཉིས་ཀ'])(
    'as a caption with %s: an answer for each language, with its own buttons',
    async (word) => {
      const { telegram } = scene;
      const person = scene.newcomer();
      const paid = await scene.paidBy(async () => {
        const photo = await person.sendPhoto(person.chat, await aJpeg(), { caption: `/ocr ${word}` });
        const chinese = await scene.answerTo(photo, ({ text }) => hasChinese(text));
        const answers = (await scene.everythingAfter(photo, person)).filter(isAnswer);
        expect(answers.map(({ text }) => text)).toEqual([
          await wordsIn(telegram, photo, 'bo'),
          await wordsIn(telegram, photo, 'zh'),
        ]);
        expect(buttonsOf(chinese)).toEqual(expect.arrayContaining(['speak:chinese', 'translate', 'copy']));
      });
      expect(paid).toBe(2);
    },
  );

  it('of a photo without text says so once', async () => {
    const person = scene.newcomer();
    const photo = await sendPage(person, person.chat, '', '/ocr both');
    const answer = await scene.answerTo(photo);
    expect(answer.text).toBe(says('nothing-found-both'));
    expect(await scene.everythingAfter(photo, person)).toEqual([answer]);
  });

  it('that fails in both languages, whatever the reasons, is said once, with one button', async () => {
    const person = scene.newcomer();
    const { faults } = scene.service;
    onTestFinished(() => faults.clear());
    faults.next('recognition', 'undocumented-error');
    faults.set('recognition', 'not-json');
    const photo = await sendPage(person, person.chat, '', '/ocr both');
    const told = await scene.everythingAfter(photo, person);
    expect(told.map(labelsOf)).toEqual([[says('button-try-again')]]);
  });

  it('of an album reads every photo in both', async () => {
    const person = scene.newcomer();
    const paid = await scene.paidBy(async () => {
      const [first] = await sendPhotos(person, person.chat, 2, '/ocr both');
      for (const isRead of [hasTibetan, hasChinese])
        expect((await scene.answerTo(first, ({ text }) => isRead(text))).text).toMatch(/^1\.\n.+\n\n2\.\n/u);
    });
    expect(paid).toBe(4);
  });

  it('a second reading pays only for the language not yet read', async () => {
    const { anna } = scene;
    const photo = await anna.sendPhoto(anna.chat, await aJpeg());
    await scene.answerTo(photo);
    const paid = await scene.paidBy(async () => {
      const asked = anna.send(anna.chat, { text: '/ocr both', replyTo: photo });
      await scene.answerTo(asked, ({ text }) => hasChinese(text));
      expect((await scene.ask(anna, '/ocr both')).text).toBe(says('ocr-how'));
    });
    expect(paid).toBe(1);
  });
});
