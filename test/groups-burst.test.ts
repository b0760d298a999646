/** Telegram takes 20 messages a minute in a group: a burst of requests there loses none, and delays nobody elsewhere. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import { hasTibetan, newChinese, numberOf } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

const MEMBERS = 24;

/** A group all of whose members ask for something at one moment. */
function burst(): { group: Group; asked: Message[] } {
  const { telegram, newcomer } = scene;
  const members = Array.from({ length: MEMBERS }, (_, index) => newcomer({ firstName: `Member ${index}` }));
  const group = telegram.world.addGroup({ title: 'Readers', members, type: 'supergroup' });
  return { group, asked: members.map((member) => member.send(group, { text: `/tibetan ${newChinese()}` })) };
}

const answersIn = (group: Group) =>
  scene.telegram.world.messages(group).filter(({ from }) => from?.is_bot === true);

it('a burst is answered as fast as Telegram takes it, each answer under its question, and nothing is refused', async () => {
  scene.telegram.faults.flood = { perGroupPerMinute: 20, perChatPerSecond: 1000, perSecond: 1000 };
  const { group, asked } = burst();
  expect((await scene.ask(scene.newcomer(), newChinese())).text).toSatisfy(hasTibetan);
  for (const question of asked) {
    const isOwn = ({ text, reply_to_message: to }: Message) =>
      to?.message_id === question.message_id && numberOf(text) === numberOf(question.text);
    await scene.telegram.world.waitUntil(() => answersIn(group).some(isOwn), 100_000);
  }
  expect(answersIn(group)).toHaveLength(MEMBERS);
  expect(scene.telegram.calls.filter(({ errorCode }) => errorCode === 429)).toEqual([]);
});

it('what Telegram asks to leave alone is left alone to the second, and then answered', async () => {
  const { telegram, newcomer } = scene;
  telegram.faults.clear();
  const members = [newcomer(), newcomer()];
  const group = telegram.world.addGroup({ title: 'Readers', members });
  telegram.faults.next('sendMessage', { retryAfter: 12 });
  const asked = members.map((member) => member.send(group, { text: `/tibetan ${newChinese()}` }));
  for (const question of asked) await scene.answerTo(question);
  const calls = telegram.calls.filter(({ payload }) => payload.chat_id === group.id);
  const refused = calls.findIndex(({ errorCode }) => errorCode === 429);
  const [before, after] = [calls[refused], calls[refused + 1]];
  expect((after?.at ?? 0) - (before?.at ?? 0)).toBeGreaterThanOrEqual(12_000);
});
