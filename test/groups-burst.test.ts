/** Telegram takes 20 messages a minute in a group: a burst of requests loses none, and delays no other chat. */
import { expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import { hasTibetan, newChinese, numberOf } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';

const MEMBERS = 24;

/** A group all of whose members ask for something at one moment. */
function burst(scene: Scene): { group: Group; asked: Message[] } {
  const { telegram, newcomer } = scene;
  const members = Array.from({ length: MEMBERS }, (_, index) => newcomer({ firstName: `Member ${index}` }));
  const group = telegram.world.addGroup({ title: 'Readers', members, type: 'supergroup' });
  return { group, asked: members.map((member) => member.send(group, { text: `/tibetan ${newChinese()}` })) };
}

it.concurrent('a burst is answered as fast as Telegram takes it, each answer under its question, and nothing is refused', async () => {
  const scene = await startScene();
  scene.telegram.faults.flood = { perGroupPerMinute: 20, perChatPerSecond: 1000, perSecond: 1000 };
  const { group, asked } = burst(scene);
  const answers = () => scene.telegram.world.messages(group).filter(({ from }) => from?.is_bot === true);
  expect((await scene.ask(scene.newcomer(), newChinese())).text).toSatisfy(hasTibetan);
  for (const question of asked) {
    const isOwn = ({ text, reply_to_message: to }: Message) =>
      to?.message_id === question.message_id && numberOf(text) === numberOf(question.text);
    await scene.telegram.world.waitUntil(() => answers().some(isOwn), 100_000);
  }
  expect(answers()).toHaveLength(MEMBERS);
  expect(scene.telegram.calls.filter(({ errorCode }) => errorCode === 429)).toEqual([]);
  await scene.close();
});

it.concurrent('what Telegram asks to leave alone is left alone to the second, and then answered', async () => {
  const scene = await startScene();
  const { telegram, newcomer } = scene;
  const members = [newcomer(), newcomer()];
  const group = telegram.world.addGroup({ title: 'Readers', members });
  telegram.faults.next('sendMessage', { retryAfter: 12 });
  const calls = () => telegram.calls.filter(({ payload }) => payload.chat_id === group.id);
  const refused = () => calls().findIndex(({ errorCode }) => errorCode === 429);
  const asked: Message[] = [];
  for (const member of members) {
    asked.push(member.send(group, { text: `/tibetan ${newChinese()}` }));
    await telegram.world.waitUntil(() => refused() >= 0);
  }
  for (const question of asked) await scene.answerTo(question);
  const [before, after] = calls().slice(refused());
  expect((after?.at ?? 0) - (before?.at ?? 0)).toBeGreaterThanOrEqual(12_000);
  await scene.close();
});
