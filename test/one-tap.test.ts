/** A text in the other language is understood and heard with one press. */
import { expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import { buttonsOf, hasChinese, hasTibetan, isVoice, newChinese, newTibetan, says } from './phrases.ts';
import { aJpeg, sendPage } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

const isOffer = ({ text }: Message) =>
  text === says('always-speak', 'bo', { language: says('language-chinese', 'bo') });

it('a Chinese page is translated and spoken in their dialect; after the second, always at once if they want', async () => {
  const person = scene.newcomer({ languageCode: 'bo' });
  await scene.ask(person, '/dialect amdo');
  await scene.ask(person, '/ocr zh');
  const hear = async () => {
    const page = await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
    expect(page.text).toSatisfy(hasChinese);
    expect(buttonsOf(page).filter((data) => data.startsWith('speak:'))).toEqual([
      'speak:chinese',
      'speak:amdo',
    ]);
    const paid = await scene.paidBy(async () => {
      await person.press(page, 'speak:amdo');
      const note = await scene.answerTo(page, isVoice);
      expect(note.caption).toContain(`🔊 ${says('amdo', 'bo')}\n`);
      expect(note.caption).toSatisfy(hasTibetan);
    });
    expect(paid).toBe(2);
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
  expect((await scene.answerTo(sent, isVoice)).caption).toContain(`🔊 ${says('amdo', 'bo')}\n`);
});

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

it('a Chinese page that was read as Tibetan is, too; after the second, new ones take no press', async () => {
  const person = scene.newcomer({ languageCode: 'bo' });
  await scene.ask(person, '/dialect amdo');
  const hear = async () => {
    const sent = await sendPage(person, person.chat, `##9242180]1926ཿ\f${newChinese()}`);
    const nothing = await scene.answerTo(sent);
    expect(buttonsOf(nothing)).toEqual(['read:chinese', 'read:chinese@amdo']);
    const paid = await scene.paidBy(async () => {
      await person.press(nothing, 'read:chinese@amdo');
      return scene.answerTo(nothing, isVoice);
    });
    expect(paid).toBe(3);
    return sent;
  };
  const first = await hear();
  await hear();
  const offer = await scene.answerTo(first, isOffer);
  await person.press(offer, 'always:speak:chinese');
  await scene.becomes(offer, ({ text }) => text === says('always-speak-chosen', 'bo'));
  const sent = await person.sendPhoto(person.chat, await aJpeg());
  expect((await scene.answerTo(sent, isVoice)).caption).toContain(`🔊 ${says('amdo', 'bo')}\n`);
});

it('a Tibetan page is translated and spoken in Chinese with one press', async () => {
  const person = scene.newcomer({ languageCode: 'zh-hans' });
  const page = await scene.answerTo(await sendPage(person, person.chat, newTibetan()));
  await person.press(page, 'speak:chinese');
  const note = await scene.answerTo(page, isVoice);
  expect(note.caption).toContain(`🔊 ${says('chinese', 'zh')}`);
  expect(note.caption).toSatisfy(hasChinese);
});
