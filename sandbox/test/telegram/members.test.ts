/** What members of a group may do in the local Telegram, and in whose name. */
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '../../telegram/person.ts';
import { type BotClient, startBotClient } from './bot-client.ts';

let bot: BotClient;
let tashi: Person;
let pema: Person;
beforeEach(async () => {
  bot = await startBotClient();
  tashi = bot.telegram.world.addPerson({ firstName: 'Tashi' });
  pema = bot.telegram.world.addPerson({ firstName: 'Pema' });
  return () => bot.close();
});

const forum = () =>
  bot.telegram.world.addGroup({
    title: 'Forum',
    members: [tashi, pema],
    admins: [tashi],
    isForum: true,
    topics: [{ name: 'Open' }, { name: 'Closed', isClosed: true }],
  });

test('a forum has topics, and a closed one takes only admins’ messages', async () => {
  const group = forum();
  const [open, closed] = group.topics;
  expect([open, closed]).toMatchObject([
    { name: 'Open', isClosed: false },
    { name: 'Closed', isClosed: true },
  ]);
  expect(await bot.updates()).toEqual([]);
  const threadId = closed?.id ?? 0;
  expect(tashi.send(group, { text: 'notice', threadId }).message_thread_id).toBe(threadId);
  expect(() => pema.send(group, { text: 'and I?', threadId })).toThrow(RangeError);
  group.reopenTopic(threadId, tashi);
  expect(pema.send(group, { text: 'thanks', threadId }).message_thread_id).toBe(threadId);
});

test('whatever an anonymous admin sends comes from the group, and they may edit it', async () => {
  const group = forum();
  group.setAnonymous(tashi, true);
  const sent = tashi.send(group, { text: '/quota 5' });
  expect(sent).toMatchObject({ from: { username: 'GroupAnonymousBot' }, sender_chat: { id: group.id } });
  expect(tashi.editText(sent, '/quota 6').text).toBe('/quota 6');
  expect(() => pema.editText(sent, '/quota 0')).toThrow(RangeError);
  expect((await bot.call('getChatMember', { chat_id: group.id, user_id: tashi.id })).result).toMatchObject({
    status: 'creator',
    is_anonymous: true,
  });
  const small = bot.telegram.world.addGroup({ title: 'Small', members: [tashi], admins: [tashi] });
  expect(() => small.setAnonymous(tashi, true)).toThrow(RangeError);
  expect(() => group.setAnonymous(pema, true)).toThrow(RangeError);
});

test('a forwarded message keeps its content and names its first sender', () => {
  const group = forum();
  const asked = pema.send(pema, { text: 'བོད་' });
  const once = pema.forward(asked, group);
  const twice = tashi.forward(once, tashi);
  expect(twice).toMatchObject({
    from: { id: tashi.id },
    text: 'བོད་',
    forward_origin: { type: 'user', sender_user: { id: pema.id } },
  });
  const { world } = bot.telegram;
  tashi.send(world.addChannel({ title: 'News', admins: [tashi], discussion: group }), { text: 'news' });
  const post = world.messages(group).at(-1);
  expect(post && tashi.forward(post, tashi)).toMatchObject({ forward_origin: { type: 'channel' } });
  const [root] = world.messages(group);
  expect(() => root && tashi.forward(root, tashi)).toThrow(RangeError);
});

test('a message keeps one set of reactions a person until it goes', async () => {
  const { world } = bot.telegram;
  const asked = pema.send(pema, { text: 'hi' });
  const place = { chat_id: pema.id, message_id: asked.message_id };
  await bot.call('setMessageReaction', { ...place, reaction: [{ type: 'emoji', emoji: '👀' }] });
  pema.react(asked, ['🔥']);
  pema.react(asked, ['🙏']);
  expect(world.reactions(asked).map(({ emoji }) => emoji)).toEqual(['👀', '🙏']);
  pema.deleteMessage(asked);
  expect(world.reactions(asked)).toEqual([]);
});
