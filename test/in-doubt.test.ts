/** A call that was sent and never answered may have been charged: only the person may have it repeated. */
import { beforeEach, expect, it } from 'vitest';
import { buttonsOf, hasChinese, hasTibetan, isVoice, newChinese, numberOf, says } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene({ env: { SERVICE_TIMEOUT_MS: '3000' } });
beforeEach(() => scene.service.faults.clear());

const AGAIN = says('button-try-again');

it('a translation in doubt waits for a press to be paid again', async () => {
  scene.service.faults.next('translation', 'hang');
  const person = scene.newcomer();
  const text = newChinese();
  const asked = person.send(person.chat, { text });
  const question = await scene.answerTo(asked);
  expect(question.text).toBe(says('failure-in-doubt'));
  const paid = await scene.paidBy(async () => {
    await person.press(question, AGAIN);
    const answer = await scene.becomes(question, (now) => hasTibetan(now.text));
    expect(numberOf(answer.text)).toBe(numberOf(text));
    expect(answer.reply_to_message?.message_id).toBe(asked.message_id);
    expect(buttonsOf(answer)).toContain('speak:amdo');
  });
  expect(paid).toBe(1);
});

it('a second press of the button asks nobody to send anew', async () => {
  scene.service.faults.next('translation', 'hang');
  const person = scene.newcomer();
  const question = await scene.ask(person, newChinese());
  // The button stays where it is, as on the screen of a client that has not heard of its end yet.
  const description = 'Bad Request: message to edit not found';
  scene.telegram.faults.next('editMessageReplyMarkup', { status: 400, description });
  const endCall = scene.service.faults.hold('translation');
  const calls = scene.service.calls.length;
  const paid = await scene.paidBy(async () => {
    await person.press(question, AGAIN);
    await scene.telegram.world.waitUntil(() => scene.service.calls.length > calls);
    expect((await person.press(question, AGAIN)).text).toBe(says('try-again-gone'));
    endCall();
    const answer = await scene.becomes(question, ({ text }) => hasTibetan(text));
    expect(await scene.everythingAfter(answer, person)).toEqual([]);
    expect(scene.telegram.world.message(answer)).toEqual(answer);
  });
  expect(paid).toBe(1);
});

it('a request in doubt survives a restart, for its asker alone', async () => {
  scene.service.faults.next('translation', 'hang');
  const person = scene.newcomer();
  const other = scene.newcomer();
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person, other] });
  const question = await scene.answerTo(person.send(group, { text: `/tibetan ${newChinese()}` }));
  await scene.restart();
  const paid = await scene.paidBy(async () => {
    const told = await other.press(question, AGAIN);
    expect(told).toEqual({ text: says('try-again-not-yours'), showAlert: true });
    await scene.ask(other, '/help');
    expect(scene.telegram.world.messages(group).at(-1)).toEqual(question);
  });
  expect(paid).toBe(0);
  await person.press(question, AGAIN);
  await scene.becomes(question, ({ text }) => hasTibetan(text));
});

it('a speech in doubt sends no note until its button is pressed', async () => {
  const person = scene.newcomer();
  const result = await scene.ask(person, newChinese());
  scene.service.faults.next('speech', 'hang');
  await person.press(result, 'speak:amdo');
  const question = await scene.answerTo(result);
  expect(question.text).toBe(says('failure-in-doubt'));
  await person.press(question, AGAIN);
  expect((await scene.answerTo(question, isVoice)).caption).toContain(result.text);
});

it.each([1, 2])('a photo in doubt in %i of both languages pays for that alone', async (doubts) => {
  scene.service.faults.next('recognition', 'hang', doubts);
  const person = scene.newcomer();
  const photo = await person.sendPhoto(person.chat, await aJpeg(), { caption: '/ocr both' });
  const answer = await scene.answerTo(photo, ({ text }) => text?.includes(says('failure-in-doubt')) === true);
  if (doubts === 2) expect(answer.text).toBe(says('failure-in-doubt'));
  const paid = await scene.paidBy(async () => {
    await person.press(answer, AGAIN);
    for (const isRead of [hasTibetan, hasChinese]) await scene.answerTo(photo, ({ text }) => isRead(text));
  });
  expect(paid).toBe(doubts);
});
