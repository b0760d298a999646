/** Failures between the bot and Telegram lose no answer. */
import { afterEach, describe, expect, it } from 'vitest';
import { TOKEN } from './bot-process.ts';
import { buttonsOf, hasChinese, hasTibetan, isVoice, newChinese, newTibetan, says } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
afterEach(() => scene.telegram.faults.clear());

it('an answer waits as long as Telegram asks', async () => {
  scene.telegram.faults.next('sendMessage', { retryAfter: 2 });
  const before = scene.telegram.calls.length;
  await scene.ask(scene.newcomer(), newChinese());
  const [refused, sent] = scene.telegram.calls.slice(before).filter(({ method }) => method === 'sendMessage');
  expect((sent?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(2000);
});

it('a press that cannot be acknowledged is done all the same', async () => {
  const person = scene.newcomer();
  const result = await scene.ask(person, newChinese());
  scene.telegram.faults.next('answerCallbackQuery', {
    status: 400,
    description: 'Bad Request: query is too old and response timeout expired or query ID is invalid',
  });
  person.press(result, 'speak:amdo').catch(() => {});
  await scene.answerTo(result, isVoice);
});

it.each([
  ['an answer', 'translation', newChinese()],
  ['a voice note', 'speech', `/speak ${newTibetan()}`],
] as const)('%s for a message that was deleted meanwhile comes without a reply', async (_, kind, text) => {
  const endCall = scene.service.faults.hold(kind);
  const person = scene.newcomer();
  const asked = person.send(person.chat, { text });
  await scene.underWay();
  person.deleteMessage(asked);
  endCall();
  const answer = await scene.answerTo(asked);
  expect(isVoice(answer) || hasTibetan(answer.text)).toBe(true);
  expect(answer.reply_to_message).toBeUndefined();
});

describe('a photo whose download meets', () => {
  it('a 500 each time can be had again with one press', async () => {
    scene.telegram.faults.next('downloadFile', { status: 500, times: 3 });
    const person = scene.newcomer();
    const told = await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
    expect(told.text).toBe(says('failure-file-unfetched'));
    await person.press(told, says('button-try-again'));
    await scene.becomes(told, ({ text }) => hasTibetan(text));
  });

  it('404 once is fetched from where it is now', async () => {
    scene.telegram.faults.next('downloadFile', { status: 404 });
    const person = scene.newcomer();
    const answer = await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
    expect(answer.text).toSatisfy(hasTibetan);
  });

  it('404, and whose id is refused then, is answered in words, unpaid', async () => {
    const person = scene.newcomer();
    const description = 'Bad Request: wrong file_id or the file is temporarily unavailable';
    scene.telegram.faults.next('getFile', { status: 400, description });
    const paid = await scene.paidBy(async () => {
      const answer = await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
      expect(answer.text).toBe(says('failure-file-gone'));
    });
    expect(paid).toBe(0);
  });
});

it.each([
  ['that nobody foresaw', { status: 400, description: 'Bad Request: SOMETHING_NEW' }],
  ['of a proxy', { status: 413, body: '<html>413 Request Entity Too Large</html>', times: Infinity }],
])('a refusal %s is told in words, and the next request is answered', async (_, refusal) => {
  scene.telegram.faults.next('sendVoice', refusal);
  const person = scene.newcomer();
  expect((await scene.ask(person, `/speak ${newTibetan()}`)).text).toBe(says('failure-unforeseen'));
  expect((await scene.ask(person, newTibetan())).text).toSatisfy(hasChinese);
});

it('buttons that Telegram does not know cost nobody the answer', async () => {
  const description = 'Bad Request: Text buttons are unallowed in the inline keyboard';
  scene.telegram.faults.next('sendMessage', { status: 400, description });
  const answer = await scene.ask(scene.newcomer(), newChinese());
  expect(answer.text).toSatisfy(hasTibetan);
  expect(buttonsOf(answer)).toEqual([]);
});

it('a voice note whose reference has expired is uploaded again, and not paid for again', async () => {
  const text = `/speak ${newTibetan()}`;
  await scene.ask(scene.newcomer(), text, isVoice);
  await scene.atRest();
  const description = 'Bad Request: FILE_REFERENCE_EXPIRED';
  scene.telegram.faults.next('sendVoice', { status: 400, description });
  expect(await scene.paidBy(() => scene.ask(scene.newcomer(), text, isVoice))).toBe(0);
});

it('requests wait while the token is revoked, and are paid once', async () => {
  scene.telegram.faults.next('sendMessage', { status: 401, description: 'Unauthorized', times: 2 });
  const paid = await scene.paidBy(async () => {
    expect((await scene.ask(scene.newcomer(), newChinese())).text).toSatisfy(hasTibetan);
  });
  expect(paid).toBe(1);
});

it('the log of all this holds no token, no text and no address', () => {
  const log = scene.log();
  expect(log).toContain('a call to Telegram failed: retrying');
  expect(log).not.toContain(TOKEN.split(':')[1]);
  expect(log).not.toSatisfy(hasTibetan);
  expect(log).not.toSatisfy(hasChinese);
  expect(log).not.toContain(scene.telegram.apiRoot);
});
