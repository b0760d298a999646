/** An album is answered once, in album order. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import {
  buttonsOf,
  hasChinese,
  hasTibetan,
  isVoice,
  newTibetan,
  SPEAK_BUTTONS,
  SPELLING_BUTTONS,
  says,
} from './phrases.ts';
import { sendPages, sendPhotos, wordsInAlbum } from './pictures.ts';
import { useScene, useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
beforeEach(() => scene.service.faults.clear());

const isAnswer = ({ text }: { text?: string }) => text?.startsWith('1.\n') === true;

const BUTTONS = [...SPEAK_BUTTONS, 'translate', 'read:chinese', 'speak:chinese', 'copy', ...SPELLING_BUTTONS];
const triesAgain = (message: Message) => buttonsOf(message).filter((data) => data.startsWith('again:'));

it('an album gets one answer, translated and spoken as a whole', async () => {
  const person = scene.newcomer();
  const paid = await scene.paidBy(async () => {
    const album = await sendPhotos(person, person.chat, 3);
    const answer = await scene.answerTo(album[0], isAnswer);
    expect(answer.text).toBe(await wordsInAlbum(scene.telegram, album, 'bo'));
    expect(answer.reply_to_message?.message_id).toBe(album[0].message_id);
    expect(buttonsOf(answer)).toEqual(BUTTONS);
    expect(await scene.everythingAfter(album[0], person)).toEqual([answer]);
    await person.press(answer, 'translate');
    const translation = await scene.answerTo(answer, ({ text }) => hasChinese(text));
    expect(translation.text).toMatch(
      /^1\.\n\p{Script=Han}+\n\n2\.\n\p{Script=Han}+\n\n3\.\n\p{Script=Han}+$/u,
    );
    await person.press(answer, 'speak:chinese');
    await scene.answerTo(answer, isVoice);
    expect(scene.lastCall('speech')?.inputText).toBe(translation.text?.replaceAll(/\d\.\n/g, ''));
  });
  expect(paid).toBe(5);
});

it('an album is answered in album order, with passing progress', async () => {
  const endFirst = scene.service.faults.hold('recognition');
  const person = scene.newcomer();
  const before = scene.service.paid().calls;
  const album = await sendPhotos(person, person.chat, 3);
  const count = await scene.answerTo(album[0], ({ text }) => /\d\/3/.test(text ?? ''));
  // The one that is held is charged, too.
  await scene.telegram.world.waitUntil(() => scene.service.paid().calls === before + 3);
  await scene.underWay();
  endFirst();
  const answer = await scene.answerTo(album[0], isAnswer);
  expect(answer.text).toBe(await wordsInAlbum(scene.telegram, album, 'bo'));
  await scene.telegram.world.waitUntil(() => scene.telegram.world.message(count) === undefined);
});

it('an album is read again in the other language, and back', async () => {
  const person = scene.newcomer();
  const album = await sendPhotos(person, person.chat, 3);
  const answer = await scene.answerTo(album[0], isAnswer);
  await scene.restart();
  const paid = await scene.paidBy(async () => {
    await person.press(answer, says('button-read-chinese'));
    const chinese = await scene.answerTo(answer, isAnswer);
    expect(chinese.text).toBe(await wordsInAlbum(scene.telegram, album, 'zh'));
    expect(chinese.reply_to_message?.message_id).toBe(album[0].message_id);
    await person.press(chinese, says('button-read-tibetan'));
    expect((await scene.answerTo(chinese, isAnswer)).text).toBe(answer.text);
  });
  expect(paid).toBe(3);

  const sure = await scene.ask(person, '/forget');
  await person.press(sure, says('button-forget'));
  await scene.becomes(sure, (now) => now.text === says('forgotten'));
  const told = await person.press(answer, says('button-read-chinese'));
  expect(told).toEqual({ text: says('callback-too-old'), showAlert: true });
  expect(await scene.everythingAfter(sure, person)).toEqual([]);
});

it('an album’s failed photo says so in its place, untranslated', async () => {
  scene.service.faults.next('recognition', 'undocumented-error');
  const person = scene.newcomer({ languageCode: 'zh' });
  const [first] = await sendPhotos(person, person.chat, 3);
  const answer = await scene.answerTo(first, isAnswer);
  const parts = answer.text?.split('\n\n') ?? [];
  expect(parts).toHaveLength(3);
  expect(parts.filter((part) => part.includes(says('failure-unavailable', 'zh')))).toHaveLength(1);
  expect(buttonsOf(answer)).toEqual([...BUTTONS, ...triesAgain(answer)]);
  expect(triesAgain(answer)).toHaveLength(1);
  await person.press(answer, 'translate');
  const translation = await scene.answerTo(answer, ({ text }) => hasChinese(text));
  expect(translation.text).toMatch(/^\d\.\n\p{Script=Han}{8}\n\n\d\.\n\p{Script=Han}{8}$/u);
});

it('an album of failures says so once, with one button', async () => {
  scene.service.faults.set('recognition', 'undocumented-error');
  const person = scene.newcomer();
  const [first] = await sendPhotos(person, person.chat, 3);
  const told = await scene.answerTo(first, ({ text }) => text === says('failure-unavailable'));
  scene.service.faults.clear();
  const paid = await scene.paidBy(async () => {
    await person.press(told, says('button-try-again'));
    const answer = await scene.becomes(told, isAnswer);
    expect(answer.text?.split('\n\n')).toHaveLength(3);
  });
  expect(paid).toBe(3);
});

it('a failed photo of a group’s album is read by its button', async () => {
  const person = scene.newcomer();
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person], privacyMode: false });
  const [first] = await sendPhotos(person, group, 2, '@lotsawa_bot');
  const whole = await scene.answerTo(first, isAnswer);

  /** Presses the button under an answer in which one photo failed; gives the answer without the failure. */
  const readAgain = async (answer: Message): Promise<Message> => {
    await person.press(answer, triesAgain(answer)[0] ?? '');
    return scene.becomes(answer, ({ text }) => !text?.includes(says('failure-unavailable')));
  };
  scene.service.faults.next('recognition', 'undocumented-error');
  await person.press(whole, says('button-read-chinese'));
  const chinese = await scene.answerTo(whole, isAnswer);
  expect((await readAgain(chinese)).text).toSatisfy(hasChinese);

  scene.service.faults.next('recognition', 'undocumented-error');
  const [other] = await sendPhotos(person, group, 2, '@lotsawa_bot');
  const tibetan = await scene.answerTo(other, isAnswer);
  expect((await readAgain(tibetan)).text).toSatisfy(hasTibetan);
});

it('an album is spoken without its numbers, and paid for once', async () => {
  const person = scene.newcomer();
  const [first] = await sendPhotos(person, person.chat, 2);
  const answer = await scene.answerTo(first, isAnswer);
  const paid = await scene.paidBy(async () => {
    await person.press(answer, 'speak:amdo');
    await scene.answerTo(answer, isVoice);
    expect(scene.lastCall('speech')?.inputText).not.toMatch(/\d/);
    for (const replyTo of [{ replyTo: answer }, {}]) {
      const asked = person.send(person.chat, { text: '/speak amdo', ...replyTo });
      await scene.answerTo(asked, isVoice);
    }
  });
  expect(paid).toBe(1);

  await scene.set(person, 'photo', 'speak');
  const [other] = await sendPhotos(person, person.chat, 2);
  await scene.answerTo(other, isVoice);
  expect(scene.lastCall('speech')?.inputText).not.toMatch(/\d/);
});

it('spoken at length has the time of each page in its caption', async () => {
  const person = scene.newcomer();
  const pages = [`${'བོད་ཡིག་'.repeat(50)} ${newTibetan()}`, `${'ཀ་ཁ་ག་ང་'.repeat(100)} ${newTibetan()}`];
  const [first] = await sendPages(person, person.chat, pages);
  const answer = await scene.answerTo(first, isAnswer);
  const speaks = buttonsOf(answer).find((data) => data.startsWith('speak:amdo')) ?? '';
  const seconds = Math.floor([...(pages[0] ?? '')].length * 0.06);
  const heading = `🔊 Amdo · 0:00 p. 1 · 0:${String(seconds).padStart(2, '0')} p. 2`;
  await person.press(answer, speaks);
  const note = await scene.answerTo(answer, isVoice);
  expect(note.caption?.split('\n')[0]).toBe(heading);
});

it('an empty album offers the other language, and so does its translation', async () => {
  const body = '{"log_id":1,"words_result_num":0,"words_result":[]}';
  scene.service.faults.set('recognition', { type: 'status', status: 200, body });
  const person = scene.newcomer();
  const [first] = await sendPhotos(person, person.chat, 2);
  const answer = await scene.answerTo(first, ({ text }) => text === says('nothing-found-tibetan'));
  expect(buttonsOf(answer)).toEqual(['read:chinese']);
  const [other] = await sendPhotos(person, person.chat, 2, '/tibetan');
  const notice = await scene.answerTo(other, ({ text }) => text === says('nothing-found-chinese'));
  expect(buttonsOf(notice)).toEqual(['read:tibetan']);
});

describe('of which one photo stays in doubt', () => {
  const hasty = useScene({ env: { SERVICE_TIMEOUT_MS: '3000' } });
  /** Whether both photos were read. */
  const isWhole = ({ text = '' }: Message) =>
    /^1\.\n.+\n\n2\.\n/s.test(text) && !text.includes(says('failure-in-doubt'));

  it('it has a button that pays for just that one', async () => {
    hasty.service.faults.next('recognition', 'hang');
    const person = hasty.newcomer();
    const [first] = await sendPhotos(person, person.chat, 2, '中文');
    const answer = await hasty.answerTo(first, isAnswer);
    expect(answer.text).toSatisfy(hasChinese);
    const [button = '', ...more] = triesAgain(answer);
    expect(more).toEqual([]);
    const paid = await hasty.paidBy(async () => {
      await person.press(answer, button);
      const after = await hasty.becomes(answer, isWhole);
      expect(buttonsOf(after)).toContain('speak:chinese');
      expect(triesAgain(after)).toEqual([]);
    });
    expect(paid).toBe(1);
  });

  it('it is not paid for again where the text needs no translation', async () => {
    const person = hasty.newcomer();
    await hasty.ask(person, '/tibetan');
    await hasty.set(person, 'photo', 'translate');
    hasty.service.faults.next('recognition', 'hang');
    const calls = hasty.service.calls.length;
    const [first] = await sendPhotos(person, person.chat, 2);
    const answer = await hasty.answerTo(first, ({ text }) => hasTibetan(text));
    expect(answer.text).toContain(says('failure-in-doubt'));
    const messages = await hasty.everythingAfter(first, person);
    expect(hasty.service.calls.length - calls).toBe(2);
    // It is said once, with one button.
    const [button = '', ...more] = messages.flatMap(triesAgain);
    expect(more).toEqual([]);
    const paid = await hasty.paidBy(async () => {
      await person.press(messages.find((message) => buttonsOf(message).includes(button)) ?? answer, button);
      await hasty.telegram.world.waitUntil(() => hasty.telegram.world.messages(person.chat).some(isWhole));
    });
    expect(paid).toBe(1);
  });
});
