/** Groups: privacy mode, comings and goings, upgrades, topics. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Group } from '../../telegram/group.ts';
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

function addGroup(options: { type?: 'supergroup'; isForum?: boolean; privacyMode?: boolean } = {}): Group {
  return bot.telegram.world.addGroup({ title: 'Tea', members: [tashi, pema], admins: [tashi], ...options });
}

/** The texts of the messages that the bot was told of. */
async function heard(): Promise<unknown[]> {
  return (await bot.updates()).map(({ message }) => message?.text);
}

describe('privacy mode', () => {
  const texts: Array<[text: string, seen: boolean]> = [
    ['just talking', false],
    ['/speak', true],
    ['/speak@Lotsawa_Bot amdo', true],
    ['/speak@other_bot', false],
    ['talking /about commands', false],
    ['what do you think, @lotsawa_bot?', true],
    ['what do you think, @lotsawa_bots?', false],
  ];

  test.each(texts)('of %j the bot is told: %s', async (text, seen) => {
    pema.send(addGroup(), { text });
    expect(await heard()).toEqual(seen ? [text] : []);
  });

  test('lets replies to the bot through, and captions that mention it', async () => {
    const group = addGroup();
    const own = await bot.send({ chat_id: group.id, text: 'I am here' });
    pema.send(group, { text: 'to you', replyTo: own });
    const other = pema.send(group, { text: 'to nobody' });
    tashi.send(group, { text: 'to her', replyTo: other });
    await pema.sendDocument(group, Buffer.from('x'), {
      fileName: 'x',
      mimeType: 'x/x',
      caption: '@lotsawa_bot read',
    });
    expect(await heard()).toEqual(['to you', undefined]);
  });

  test('ends when the bot becomes an administrator, and where it is off', async () => {
    const group = addGroup();
    group.promote(group.bot);
    pema.send(group, { text: 'just talking' });
    pema.send(addGroup({ privacyMode: false }), { text: 'there too' });
    const [promoted, ...rest] = await bot.updates();
    expect(promoted).toMatchObject({ my_chat_member: { new_chat_member: { status: 'administrator' } } });
    expect(rest).toMatchObject([{ message: { text: 'just talking' } }, { message: { text: 'there too' } }]);
  });
});

test('the bot is told when it is added and removed, and cannot write once removed', async () => {
  const group = bot.telegram.world.addGroup({
    title: 'Tea',
    members: [tashi],
    type: 'supergroup',
    botIsMember: false,
  });
  expect(await bot.call('sendMessage', { chat_id: group.id, text: 'hi' })).toMatchObject({
    error_code: 403,
    description: 'Forbidden: bot is not a member of the supergroup chat',
  });
  tashi.send(group, { text: '/unheard' });
  group.addBot();
  group.removeBot();
  expect(await bot.call('sendMessage', { chat_id: group.id, text: 'hi' })).toMatchObject({
    error_code: 403,
    description: 'Forbidden: bot was kicked from the supergroup chat',
  });
  expect(await bot.updates()).toMatchObject([
    { my_chat_member: { from: { id: tashi.id }, new_chat_member: { status: 'member' } } },
    { message: { new_chat_members: [{ id: bot.telegram.bot.id }] } },
    { my_chat_member: { new_chat_member: { status: 'kicked' } } },
  ]);
});

test('people who join and leave are announced; chat_member updates come to an administrator who asked', async () => {
  await bot.call('getUpdates', { allowed_updates: ['message', 'chat_member'] });
  const group = bot.telegram.world.addGroup({ title: 'Tea', members: [tashi] });
  group.add(pema, tashi);
  group.promote(group.bot);
  group.remove(pema);
  expect(await bot.updates()).toMatchObject([
    { message: { from: { id: tashi.id }, new_chat_members: [{ first_name: 'Pema' }] } },
    { message: { left_chat_member: { first_name: 'Pema' } } },
    { chat_member: { new_chat_member: { status: 'left', user: { first_name: 'Pema' } } } },
  ]);
  expect(() => pema.send(group, { text: 'still here?' })).toThrow(RangeError);
});

test('a group that becomes a supergroup says so on both sides', async () => {
  const old = addGroup();
  const group = old.upgradeToSupergroup();
  expect(group.chat.type).toBe('supergroup');
  expect(await bot.updates()).toMatchObject([
    { my_chat_member: { chat: { id: group.id }, new_chat_member: { status: 'member' } } },
    { message: { chat: { id: old.id }, migrate_to_chat_id: group.id } },
    { message: { chat: { id: group.id }, migrate_from_chat_id: old.id } },
  ]);
  expect(await bot.call('sendMessage', { chat_id: old.id, text: 'hi' })).toEqual({
    ok: false,
    error_code: 400,
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: group.id },
  });
  tashi.send(group, { text: '/here' });
  expect(await heard()).toEqual(['/here']);
});

test('an anonymous admin and a linked channel write in the name of a chat', async () => {
  const group = addGroup({ type: 'supergroup' });
  group.sendAsAnonymousAdmin({ text: '/listen on' });
  const channel = bot.telegram.world.addChannel({
    title: 'News',
    admins: [tashi],
    discussion: group,
    botIsAdmin: false,
  });
  tashi.send(channel, { text: '@lotsawa_bot news' });
  expect(await bot.updates()).toMatchObject([
    {
      message: {
        from: { id: 1087968824, is_bot: true },
        sender_chat: { id: group.id },
        entities: [{ type: 'bot_command' }],
      },
    },
    {
      message: {
        from: { id: 777000, is_bot: false },
        sender_chat: { type: 'channel' },
        is_automatic_forward: true,
      },
    },
  ]);
});

test('a message in a topic carries it; General’s is no topic message', async () => {
  const forum = addGroup({ isForum: true });
  const topic = forum.createTopic('Grammar');
  const asked = pema.send(forum, { text: '/help', threadId: topic });
  expect(asked).toMatchObject({
    message_thread_id: topic,
    is_topic_message: true,
    reply_to_message: { message_id: topic },
  });
  const answer = await bot.send({
    chat_id: forum.id,
    text: 'hi',
    reply_parameters: { message_id: asked.message_id },
  });
  expect(answer).toMatchObject({ message_thread_id: topic, is_topic_message: true });

  const general = pema.send(forum, { text: 'in General' });
  const reply = pema.send(forum, { text: 'me too', replyTo: general });
  expect(general).not.toHaveProperty('message_thread_id');
  expect(reply).toMatchObject({ message_thread_id: general.message_id });
  expect(reply).not.toHaveProperty('is_topic_message');
});

test('General closes and opens like any topic', async () => {
  const forum = addGroup({ isForum: true });
  const topic = forum.createTopic('Grammar');
  const { world } = bot.telegram;
  const send = (place: object) => bot.call('sendMessage', { chat_id: forum.id, text: 'hi', ...place });
  forum.closeTopic(undefined);
  expect(world.messages(forum).at(-1)).toMatchObject({ forum_topic_closed: {} });
  expect(world.messages(forum).at(-1)).not.toHaveProperty('is_topic_message');
  expect(await send({})).toMatchObject({ error_code: 400, description: 'Bad Request: TOPIC_CLOSED' });
  expect(await send({ message_thread_id: topic })).toMatchObject({ ok: true });
  expect(() => pema.send(forum, { text: 'hi' })).toThrow(RangeError);
  forum.reopenTopic(undefined);
  expect(await send({})).toMatchObject({ ok: true });
  forum.closeTopic(undefined);
  forum.promote(forum.bot);
  expect(await send({})).toMatchObject({ ok: true });
});

test('the bot can ask who is in a chat, and leave it', async () => {
  const group = addGroup();
  const chat_id = group.id;
  expect((await bot.call('getChat', { chat_id })).result).toMatchObject({
    id: chat_id,
    title: 'Tea',
    type: 'group',
  });
  expect((await bot.call('getChatMember', { chat_id, user_id: tashi.id })).result).toMatchObject({
    status: 'creator',
  });
  expect((await bot.call('getChatMember', { chat_id, user_id: pema.id })).result).toMatchObject({
    status: 'member',
  });
  expect((await bot.call('getChatAdministrators', { chat_id })).result).toMatchObject([
    { user: { first_name: 'Tashi' } },
  ]);
  await bot.call('leaveChat', { chat_id });
  expect(await bot.call('getChat', { chat_id })).toMatchObject({ error_code: 403 });
});

test('messages are forwarded with their sender, and deleted', async () => {
  const asked = pema.send(pema, { text: 'བོད་' });
  const from = { from_chat_id: pema.id, message_id: asked.message_id };
  const forwarded = await bot.send({ chat_id: tashi.id, ...from }, 'forwardMessage');
  expect(forwarded).toMatchObject({ text: 'བོད་', forward_origin: { sender_user: { id: pema.id } } });
  await bot.call('deleteMessage', { chat_id: tashi.id, message_id: forwarded.message_id });
  expect(bot.telegram.world.messages(tashi)).toEqual([]);
});
