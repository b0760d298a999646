/** One person's slow request delays nobody else, and nobody's messages overtake each other. */
import { afterEach, expect, it } from 'vitest';
import { hasTibetan, isVoice, newChinese, newTibetan, numberOf } from './phrases.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene();
afterEach(() => scene.service.faults.clear());

it('while one voice note is made, the texts of others are answered', async () => {
  scene.service.faults.hold('speech');
  const slow = scene.newcomer();
  const asked = slow.send(slow.chat, { text: `/speak amdo ${newTibetan()}` });
  await scene.telegram.world.waitUntil(() => scene.service.calls.some(({ kind }) => kind === 'speech'));
  const others = Array.from({ length: 20 }, () => scene.newcomer());
  const answers = await Promise.all(others.map((other) => scene.ask(other, newChinese())));
  expect(answers.every(({ text }) => hasTibetan(text))).toBe(true);
  expect(scene.service.calls.find(({ kind }) => kind === 'speech')?.outcome).toBe('running');
  expect(
    scene.telegram.world.messages(slow.chat).some(({ message_id }) => message_id > asked.message_id),
  ).toBe(false);
  await scene.restart('SIGKILL');
});

it("while one person's voice note is made, their next message waits for it", async () => {
  scene.service.faults.latency.speechFirstByte = 500;
  const person = scene.newcomer();
  const voiced = person.send(person.chat, { text: `/speak amdo ${newTibetan()}` });
  const text = newChinese();
  person.send(person.chat, { text });
  await scene.answerTo(voiced, ({ text: answer }) => numberOf(answer) === numberOf(text));
  const answers = await scene.everythingAfter(voiced, person);
  expect(answers.map((answer) => isVoice(answer))).toEqual([true, false]);
});

it('what many people send at once is all answered, to each their own', async () => {
  scene.service.faults.latency.translation = 100;
  const people = Array.from({ length: 60 }, () => scene.newcomer());
  const asked = people.map((person) => person.send(person.chat, { text: newChinese() }));
  const answers = await Promise.all(asked.map((message) => scene.answerTo(message)));
  expect(answers.map(({ text }) => numberOf(text))).toEqual(asked.map(({ text }) => numberOf(text)));
});

it('Telegram is asked for the next updates before the last ones are handled', async () => {
  const endCall = scene.service.faults.hold('translation');
  const person = scene.newcomer();
  const asked = person.send(person.chat, { text: newChinese() });
  await scene.telegram.world.waitUntil(() => scene.service.calls.at(-1)?.outcome === 'running');
  await scene.telegram.world.waitUntil(() => {
    const last = scene.telegram.calls.findLast(({ method }) => method === 'getUpdates');
    return last !== undefined && !last.answered;
  });
  endCall();
  await scene.answerTo(asked);
});
