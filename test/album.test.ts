/** An album is answered once, in album order. */
import { beforeEach, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
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
import { aJpeg, aJpegSaying, wordsIn } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene({ env: { SERVICE_TIMEOUT_MS: '3000' } });
beforeEach(() => scene.service.faults.clear());

async function sendAlbum(person: Person, size: number, caption?: string, chat = person.chat) {
  const photos = await Promise.all(Array.from({ length: size }, aJpeg));
  return person.sendAlbum(
    chat,
    photos.map((bytes, index) => ({ bytes, ...(index === 0 && caption !== undefined && { caption }) })),
  );
}

const isAnswer = ({ text }: { text?: string }) => text?.startsWith('1.\n') === true;

/** What the button carries that has all of it read in another language. */
const again = (language: string) => new RegExp(`^read:${language}:[\\w-]{22}$`);

it('gets one answer with the text of every photo, one paid call each', async () => {
  const person = scene.newcomer();
  const paid = await scene.paidBy(async () => {
    const [first, ...more] = await sendAlbum(person, 3);
    if (first === undefined) throw new Error('the album is empty');
    const answer = await scene.answerTo(first, isAnswer);
    const words = await Promise.all([first, ...more].map((photo) => wordsIn(scene.telegram, photo, 'bo')));
    expect(answer.text).toBe(words.map((text, index) => `${index + 1}.\n${text}`).join('\n\n'));
    expect(answer.reply_to_message?.message_id).toBe(first.message_id);
    expect(buttonsOf(answer)).toEqual([
      ...SPEAK_BUTTONS,
      'translate',
      expect.stringMatching(again('chinese')),
      'speak:chinese',
      'copy',
      ...SPELLING_BUTTONS,
    ]);
    expect(await scene.everythingAfter(first, person)).toEqual([answer]);
  });
  expect(paid).toBe(3);
});

it('is answered in album order, whichever photo is read first', async () => {
  const endFirst = scene.service.faults.hold('recognition');
  const person = scene.newcomer();
  const read = () =>
    scene.service.calls.filter(({ kind, outcome }) => kind === 'recognition' && outcome === 'ok').length;
  const before = read();
  const album = await sendAlbum(person, 3);
  const last = album.at(-1);
  if (last === undefined) throw new Error('the album is empty');
  await scene.telegram.world.waitUntil(() => read() === before + 2);
  endFirst();
  const answer = await scene.answerTo(last, isAnswer);
  const words = await Promise.all(album.map((photo) => wordsIn(scene.telegram, photo, 'bo')));
  expect(answer.text).toBe(words.map((text, index) => `${index + 1}.\n${text}`).join('\n\n'));
});

it('shows how far it is, in one message that goes away', async () => {
  const endFirst = scene.service.faults.hold('recognition');
  const person = scene.newcomer();
  const [first] = await sendAlbum(person, 4);
  if (first === undefined) throw new Error('the album is empty');
  const count = await scene.answerTo(first, ({ text }) => /\d\/4/.test(text ?? ''));
  endFirst();
  await scene.telegram.world.waitUntil(() => scene.telegram.world.message(count) === undefined);
  expect((await scene.everythingAfter(first, person)).filter(isAnswer)).toHaveLength(1);
});

it('is read in the language that its caption names', async () => {
  const person = scene.newcomer();
  const [first] = await sendAlbum(person, 2, '中文');
  if (first === undefined) throw new Error('the album is empty');
  expect((await scene.answerTo(first, isAnswer)).text).toSatisfy(hasChinese);
});

it('is read whole in the other language by its button, and back, also after a restart', async () => {
  const person = scene.newcomer();
  const album = await sendAlbum(person, 3);
  const [first] = album;
  if (first === undefined) throw new Error('the album is empty');
  const answer = await scene.answerTo(first, isAnswer);
  await scene.restart();
  const paid = await scene.paidBy(async () => {
    await person.press(answer, says('button-read-chinese'));
    const chinese = await scene.answerTo(answer, isAnswer);
    const words = await Promise.all(album.map((photo) => wordsIn(scene.telegram, photo, 'zh')));
    expect(chinese.text).toBe(words.map((text, index) => `${index + 1}.\n${text}`).join('\n\n'));
    expect(chinese.reply_to_message?.message_id).toBe(first.message_id);
    await person.press(chinese, says('button-read-tibetan'));
    expect((await scene.answerTo(chinese, isAnswer)).text).toBe(answer.text);
  });
  expect(paid).toBe(3);
});

it('whose pictures are kept no more says so for that button', async () => {
  const person = scene.newcomer();
  const [first] = await sendAlbum(person, 2);
  if (first === undefined) throw new Error('the album is empty');
  const answer = await scene.answerTo(first, isAnswer);
  const sure = await scene.ask(person, '/forget');
  await person.press(sure, says('button-forget'));
  await scene.becomes(sure, (now) => now.text === says('forgotten'));
  const told = await person.press(answer, says('button-read-chinese'));
  expect(told).toEqual({ text: says('photo-gone'), showAlert: true });
  expect(await scene.everythingAfter(sure, person)).toEqual([]);
});

it('is translated whole by its button, in one paid call', async () => {
  const person = scene.newcomer();
  const [first] = await sendAlbum(person, 3);
  if (first === undefined) throw new Error('the album is empty');
  const answer = await scene.answerTo(first, isAnswer);
  const paid = await scene.paidBy(async () => {
    await person.press(answer, 'translate');
    const translation = await scene.answerTo(answer, ({ text }) => hasChinese(text));
    expect(translation.text).toMatch(
      /^1\.\n\p{Script=Han}+\n\n2\.\n\p{Script=Han}+\n\n3\.\n\p{Script=Han}+$/u,
    );
  });
  expect(paid).toBe(1);
});

it('of which one photo fails says so in its place, and the others are there', async () => {
  scene.service.faults.next('recognition', 'undocumented-error');
  const person = scene.newcomer();
  const [first] = await sendAlbum(person, 3);
  if (first === undefined) throw new Error('the album is empty');
  const answer = await scene.answerTo(first, isAnswer);
  const parts = answer.text?.split('\n\n') ?? [];
  expect(parts).toHaveLength(3);
  expect(parts.filter((part) => part.includes(says('failure-unavailable')))).toHaveLength(1);
  expect(buttonsOf(answer).filter((data) => data.startsWith('again:'))).toHaveLength(1);
});

it('of which one photo fails is translated without the words that say so, whose language it is not', async () => {
  scene.service.faults.next('recognition', 'undocumented-error');
  const person = scene.newcomer({ languageCode: 'zh' });
  const [first] = await sendAlbum(person, 2);
  if (first === undefined) throw new Error('the album is empty');
  const answer = await scene.answerTo(first, isAnswer);
  expect(answer.text).toContain(says('failure-unavailable', 'zh'));
  const results = [
    ...SPEAK_BUTTONS,
    'translate',
    expect.stringMatching(again('chinese')),
    'speak:chinese',
    'copy',
    ...SPELLING_BUTTONS,
  ];
  expect(buttonsOf(answer).slice(0, -1)).toEqual(results);
  await person.press(answer, 'translate');
  const translation = await scene.answerTo(answer, ({ text }) => hasChinese(text));
  expect(translation.text).toMatch(/^\d\.\n\p{Script=Han}{8}$/u);
});

it('of which every photo fails says so once, and is read whole by the button, in that place', async () => {
  scene.service.faults.set('recognition', 'undocumented-error');
  const person = scene.newcomer();
  const [first] = await sendAlbum(person, 3);
  if (first === undefined) throw new Error('the album is empty');
  const told = await scene.answerTo(first, ({ text }) => text === says('failure-unavailable'));
  scene.service.faults.clear();
  const paid = await scene.paidBy(async () => {
    await person.press(told, says('button-try-again'));
    const answer = await scene.becomes(told, isAnswer);
    expect(answer.text?.split('\n\n')).toHaveLength(3);
  });
  expect(paid).toBe(3);
});

it('of which one photo stays in doubt has a button that pays for just that one, and completes the answer', async () => {
  scene.service.faults.next('recognition', 'hang');
  const person = scene.newcomer();
  const [first] = await sendAlbum(person, 2, '中文');
  if (first === undefined) throw new Error('the album is empty');
  const answer = await scene.answerTo(first, isAnswer);
  const again = buttonsOf(answer).filter((data) => data.startsWith('again:'));
  expect(again).toHaveLength(1);
  const paid = await scene.paidBy(async () => {
    await person.press(answer, again[0] ?? '');
    const isWhole = ({ text = '' }: Message) =>
      /^1\.\n.+\n\n2\.\n/s.test(text) && !text.includes(says('failure-in-doubt'));
    const after = await scene.becomes(answer, isWhole);
    expect(buttonsOf(after)).toContain('speak:chinese');
    expect(buttonsOf(after).filter((data) => data.startsWith('again:'))).toEqual([]);
  });
  expect(paid).toBe(1);
});

it('in a group has a failed photo read by its button, also in the other language', async () => {
  const person = scene.newcomer();
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person], privacyMode: false });
  const [first] = await sendAlbum(person, 2, '@lotsawa_bot', group.chat);
  if (first === undefined) throw new Error('the album is empty');
  const whole = await scene.answerTo(first, isAnswer);

  /** Presses the button under an answer in which one photo failed; gives the answer without the failure. */
  const readAgain = async (answer: Message): Promise<Message> => {
    const [again = ''] = buttonsOf(answer).filter((data) => data.startsWith('again:'));
    await person.press(answer, again);
    return scene.becomes(answer, ({ text }) => !text?.includes(says('failure-unavailable')));
  };
  scene.service.faults.next('recognition', 'undocumented-error');
  await person.press(whole, says('button-read-chinese'));
  const chinese = await scene.answerTo(whole, isAnswer);
  expect((await readAgain(chinese)).text).toSatisfy(hasChinese);

  scene.service.faults.next('recognition', 'undocumented-error');
  const [other] = await sendAlbum(person, 2, '@lotsawa_bot', group.chat);
  const tibetan = await scene.answerTo(other ?? first, isAnswer);
  expect((await readAgain(tibetan)).text).toSatisfy(hasTibetan);
});

it('of which one photo stays in doubt is not paid for again where the text needs no translation', async () => {
  const person = scene.newcomer();
  await scene.ask(person, '/tibetan');
  await scene.set(person, 'photo', 'translate');
  scene.service.faults.next('recognition', 'hang');
  const calls = scene.service.calls.length;
  const [first] = await sendAlbum(person, 2);
  if (first === undefined) throw new Error('the album is empty');
  const answer = await scene.answerTo(first, ({ text }) => hasTibetan(text));
  expect(answer.text).toContain(says('failure-in-doubt'));
  const messages = await scene.everythingAfter(first, person);
  expect(scene.service.calls.length - calls).toBe(2);
  // It is said once, with one button.
  const again = messages.flatMap((message) =>
    buttonsOf(message).flatMap((data) => (data.startsWith('again:') ? [{ message, data }] : [])),
  );
  expect(again).toHaveLength(1);
  const [{ message, data } = { message: answer, data: '' }] = again;
  const paid = await scene.paidBy(async () => {
    await person.press(message, data);
    const isWhole = ({ text = '' }: Message) =>
      /^1\.\n.+\n\n2\.\n/s.test(text) && !text.includes(says('failure-in-doubt'));
    await scene.telegram.world.waitUntil(() => scene.telegram.world.messages(person.chat).some(isWhole));
  });
  expect(paid).toBe(1);
});

it('is spoken without its numbers, and paid for once, by the button, as a reply or as the last text', async () => {
  const person = scene.newcomer();
  const [first] = await sendAlbum(person, 2);
  if (first === undefined) throw new Error('the album is empty');
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
  const [other] = await sendAlbum(person, 2);
  await scene.answerTo(other ?? first, isVoice);
  expect(scene.lastCall('speech')?.inputText).not.toMatch(/\d/);
});

it('spoken at length has the time of each page in its caption', async () => {
  const person = scene.newcomer();
  const pages = [`${'བོད་ཡིག་'.repeat(50)} ${newTibetan()}`, `${'ཀ་ཁ་ག་ང་'.repeat(100)} ${newTibetan()}`];
  const parts = pages.map(async (page) => ({
    bytes: await aJpegSaying(page),
    fileName: 'page.jpg',
    mimeType: 'image/jpeg',
  }));
  const [, last] = await person.sendAlbum(person.chat, await Promise.all(parts));
  if (last === undefined) throw new Error('the album is empty');
  const answer = await scene.answerTo(last);
  const speaks = buttonsOf(answer).find((data) => data.startsWith('speak:amdo')) ?? '';
  const seconds = Math.floor([...(pages[0] ?? '')].length * 0.06);
  const heading = `🔊 Amdo · 0:00 p. 1 · 0:${String(seconds).padStart(2, '0')} p. 2`;
  await person.press(answer, speaks);
  const note = await scene.answerTo(answer, isVoice);
  expect(note.caption?.split('\n')[0]).toBe(heading);
});

it('in which nothing was found has the other language one press away, and so has a translation of nothing', async () => {
  const body = '{"log_id":1,"words_result_num":0,"words_result":[]}';
  scene.service.faults.set('recognition', { type: 'status', status: 200, body });
  const person = scene.newcomer();
  const [first] = await sendAlbum(person, 2);
  if (first === undefined) throw new Error('the album is empty');
  const answer = await scene.answerTo(first, ({ text }) => text === says('nothing-found-tibetan'));
  expect(buttonsOf(answer)).toEqual([expect.stringMatching(again('chinese'))]);
  const [other] = await sendAlbum(person, 2, '/tibetan');
  const notice = await scene.answerTo(other ?? first, ({ text }) => text === says('nothing-found-chinese'));
  expect(buttonsOf(notice)).toEqual([expect.stringMatching(again('tibetan'))]);
});
