/** Telegram takes 20 messages a minute in a group: a burst of requests loses none, and delays no other chat. */
import { describe, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import { hasTibetan, isReplyTo, newChinese, numberOf, says } from './phrases.ts';
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
    await telegram.world.waitUntil(() => log().includes('a call to Telegram failed: retrying'));
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

describe('while a group must wait', () => {
  /** Longer than a worker waits, in s. */
  const LONG_S = 8;
  const since = (chat: Pick<Message['chat'], 'id'>, asked: Message) =>
    scene.telegram.world
      .messages(chat)
      .filter(({ from, message_id }) => from?.is_bot && message_id > asked.message_id);
  /** Somebody's question in a group, whose answer must wait. */
  async function waiting() {
    const { telegram } = scene;
    const person = scene.newcomer();
    const group = telegram.world.addGroup({ title: 'Readers', members: [person], type: 'supergroup' });
    await scene.atRest();
    const before = telegram.calls.length;
    const isRefused = () => telegram.calls.slice(before).some(({ errorCode }) => errorCode === 429);
    telegram.faults.next('sendMessage', { retryAfter: LONG_S });
    const asked = person.send(group, { text: `/tibetan ${newChinese()}` });
    await telegram.world.waitUntil(isRefused);
    return { person, group, asked, before };
  }

  it('its asker is answered elsewhere, and there in order', async () => {
    const { telegram } = scene;
    const { person, group, asked, before } = await waiting();
    const next = person.send(group, { text: `/tibetan ${newChinese()}` });
    await scene.ask(person, newChinese());
    await scene.ask(person, '/lang zh');
    expect(since(group, asked)).toEqual([]);
    await scene.answerTo(next, isReplyTo(next));
    const repliedTo = since(group, asked).map(({ reply_to_message: to }) => to?.message_id);
    expect(repliedTo).toEqual([asked.message_id, next.message_id]);
    await scene.atRest();
    // What was chosen meanwhile stays.
    expect((await scene.ask(person, '/help')).text).toBe(says('help', 'zh'));
    expect(telegram.calls.slice(before).filter(({ errorCode }) => errorCode === 429)).toHaveLength(1);
  });

  it.each<NodeJS.Signals>(['SIGTERM', 'SIGKILL'])('its answer comes once after %s', async (signal) => {
    const { person, group, asked } = await waiting();
    await scene.ask(person, newChinese());
    const later = person.send(group, { text: `/tibetan ${newChinese()}` });
    await scene.restart(signal);
    await scene.answerTo(later, isReplyTo(later));
    const repliedTo = since(group, asked).map(({ reply_to_message: to }) => to?.message_id);
    expect(repliedTo).toEqual([asked.message_id, later.message_id]);
    expect((await scene.ask(person, newChinese())).text).toSatisfy(hasTibetan);
  });
});
