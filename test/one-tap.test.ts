/** A text in the other language is understood and heard with one press. */
import { expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { buttonsOf, hasChinese, hasTibetan, isVoice, newChinese, newTibetan, says } from './phrases.ts';
import { aJpeg, sendPage } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

const isOffer = ({ text }: Message) =>
  text === says('always-speak', 'bo', { language: says('language-chinese', 'bo') });

it.each<[string, number, (person: Person) => Promise<Message>, string[]]>([
  [
    'Chinese',
    2,
    async (person) => {
      await scene.ask(person, '/ocr zh');
      return person.sendPhoto(person.chat, await aJpeg());
    },
    ['speak:chinese', 'speak:amdo'],
  ],
  [
    'Tibetan',
    3,
    (person) => sendPage(person, person.chat, `##9242180]1926ཿ\f${newChinese()}`),
    ['read:chinese', 'read:chinese@amdo'],
  ],
])(
  'a Chinese page, read as %s, is translated and spoken in their dialect, by %i calls; after the second, always at once if they want',
  async (_, calls, send, buttons) => {
    const person = scene.newcomer({ languageCode: 'bo' });
    await scene.ask(person, '/dialect amdo');
    const button = `🔊 ${says('amdo', 'bo')}`;
    const hear = async () => {
      const page = await scene.answerTo(await send(person));
      expect(buttonsOf(page).filter((data) => /^speak|^read:chinese/.test(data))).toEqual(buttons);
      const paid = await scene.paidBy(async () => {
        await person.press(page, button);
        const note = await scene.answerTo(page, isVoice);
        expect(note.caption).toContain(`${button}\n`);
        expect(note.caption).toSatisfy(hasTibetan);
      });
      expect(paid).toBe(calls);
      return page;
    };
    const first = await hear();
    await hear();
    const offer = await scene.answerTo(first, isOffer);
    const last = await hear();
    expect((await scene.everythingAfter(last, person)).some(isOffer)).toBe(false);
    await person.press(offer, 'always:speak:chinese');
    await scene.becomes(offer, ({ text }) => text === says('always-speak-chosen', 'bo'));
    const sent = await person.sendPhoto(person.chat, await aJpeg());
    expect((await scene.answerTo(sent, isVoice)).caption).toContain(`${button}\n`);
  },
);

it('under a translation into Chinese the dialect speaks what was written, and translates nothing back', async () => {
  const person = scene.newcomer({ languageCode: 'bo' });
  const text = newTibetan();
  const translation = await scene.ask(person, text);
  const paid = await scene.paidBy(async () => {
    await person.press(translation, 'speak:utsang');
    await scene.answerTo(translation, isVoice);
  });
  expect(scene.lastCall('speech')?.inputText).toBe(text);
  expect(paid).toBe(1);
});

it('a Tibetan page is translated and spoken in Chinese with one press', async () => {
  const person = scene.newcomer({ languageCode: 'zh-hans' });
  const page = await scene.answerTo(await sendPage(person, person.chat, newTibetan()));
  await person.press(page, 'speak:chinese');
  const note = await scene.answerTo(page, isVoice);
  expect(note.caption).toContain(`🔊 ${says('chinese', 'zh')}`);
  expect(note.caption).toSatisfy(hasChinese);
});
