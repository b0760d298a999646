/** Telegram takes 20 messages a minute in a group: a burst of requests loses none, and delays no other chat. */
import { expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import { hasTibetan, newChinese, numberOf } from './phrases.ts';
import { useScene } from './shared-scene.ts';

const MEMBERS = 24;
const PAUSE_S = 12;

const scene = useScene();

it('a burst is answered at Telegram’s pace, each under its question', async () => {
  const { telegram, newcomer, log } = scene;
  telegram.faults.flood = { perGroupPerMinute: 20, perChatPerSecond: 1000, perSecond: 1000 };
  const members = Array.from({ length: MEMBERS }, (_, index) => newcomer({ firstName: `Member ${index}` }));
  const group = telegram.world.addGroup({ title: 'Readers', members, type: 'supergroup' });
  const calls = () => telegram.calls.filter(({ payload }) => payload.chat_id === group.id);
  const refused = () => calls().findIndex(({ errorCode }) => errorCode === 429);
  telegram.faults.next('sendMessage', { retryAfter: PAUSE_S });
  const asked: Message[] = [];
  for (const member of members) {
    asked.push(member.send(group, { text: `/tibetan ${newChinese()}` }));
    // The bot knows of the refusal.
    await telegram.world.waitUntil(() => log().includes('an update failed: retrying'));
  }
  expect((await scene.ask(newcomer(), newChinese())).text).toSatisfy(hasTibetan);
  const answers = () => telegram.world.messages(group).filter(({ from }) => from?.is_bot === true);
  for (const question of asked) {
    const isOwn = ({ text, reply_to_message: to }: Message) =>
      to?.message_id === question.message_id && numberOf(text) === numberOf(question.text);
    await telegram.world.waitUntil(() => answers().some(isOwn));
  }
  expect(answers()).toHaveLength(MEMBERS);
  const since = calls().slice(refused());
  // On a slow machine a chat action is sent before the bot knows.
  if (since[1]?.method === 'sendChatAction') since.splice(1, 1);
  const [before, after, ...more] = since;
  expect((after?.at ?? 0) - (before?.at ?? 0)).toBeGreaterThanOrEqual(PAUSE_S * 1000);
  expect(more.filter(({ errorCode }) => errorCode === 429)).toEqual([]);
});
