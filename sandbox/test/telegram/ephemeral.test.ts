/** Messages for one pair of eyes (Bot API 10.2): a member's command, and what the bot answers to that member alone. */
import { beforeEach, expect, test } from 'vitest';
import type { Group } from '../../telegram/group.ts';
import type { Person } from '../../telegram/person.ts';
import { type BotClient, startBotClient } from './bot-client.ts';

let bot: BotClient;
let tashi: Person;
let pema: Person;
let group: Group;
let clock: number;

beforeEach(async () => {
  clock = Date.parse('2026-01-01T00:00:00Z');
  bot = await startBotClient({ now: () => new Date(clock) });
  const { world } = bot.telegram;
  tashi = world.addPerson({ firstName: 'Tashi' });
  pema = world.addPerson({ firstName: 'Pema' });
  group = world.addGroup({ title: 'Readers', members: [tashi, pema], type: 'supergroup' });
  const commands = [
    { command: 'usage', description: 'What you used', is_ephemeral: true },
    { command: 'speak', description: 'Speak' },
  ];
  await bot.call('setMyCommands', { commands, scope: { type: 'all_group_chats' } });
  return () => bot.close();
});

/** What the bot says to Tashi alone; `more` names what it answers. */
function whisper(more: Record<string, unknown>, receiver = tashi, query: object = {}) {
  const ephemeral_message_parameters = { receiver_user_id: receiver.id, ...query };
  return bot.call('sendMessage', { chat_id: group.id, text: 'hush', ephemeral_message_parameters, ...more });
}

test('only a registered command is sent privately to the bot', async () => {
  const before = bot.telegram.world.messages(group.chat).length;
  const sent = tashi.sendEphemeral(group, `/usage@${bot.telegram.bot.username}`);
  const { message } = (await bot.updates()).at(-1) ?? {};
  expect(message).toMatchObject({
    message_id: 0,
    ephemeral_message_id: sent.ephemeral_message_id,
    from: { id: tashi.id },
    receiver_user: { id: bot.telegram.bot.id },
  });
  expect(bot.telegram.world.messages(group.chat)).toHaveLength(before);
  expect(tashi.sendEphemeral(group, '/usage', 7)).toMatchObject({
    message_thread_id: 7,
    is_topic_message: true,
  });
  expect(() => tashi.sendEphemeral(group, '/speak')).toThrow(RangeError);
  expect(() => tashi.sendEphemeral(tashi, '/usage')).toThrow(RangeError);
});

test('within 15 seconds the bot answers it, for that person alone, and changes its answer', async () => {
  const asked = tashi.sendEphemeral(group, '/usage');
  const reply_parameters = { ephemeral_message_id: asked.ephemeral_message_id };
  const { result } = await whisper({ reply_parameters });
  expect(result).toMatchObject({ message_id: 0, receiver_user: { id: tashi.id }, text: 'hush' });
  const { world } = bot.telegram;
  expect(world.ephemerals(group, tashi).map(({ text }) => text)).toEqual(['/usage', 'hush']);
  expect(world.ephemerals(group, pema)).toEqual([]);

  const [, answer] = world.ephemerals(group, tashi);
  const target = {
    chat_id: group.id,
    receiver_user_id: tashi.id,
    ephemeral_message_id: answer?.ephemeral_message_id,
  };
  expect(await bot.call('editEphemeralMessageText', { ...target, text: 'softly' })).toMatchObject({
    ok: true,
  });
  expect(world.ephemerals(group, tashi).at(-1)?.text).toBe('softly');
  const others = { ...target, receiver_user_id: pema.id };
  expect(await bot.call('deleteEphemeralMessage', others)).toMatchObject({ error_code: 400 });
  expect(await bot.call('deleteEphemeralMessage', target)).toMatchObject({ ok: true });
  expect(world.ephemerals(group, tashi)).toHaveLength(1);
});

test('a press may be answered ephemerally, also under an ephemeral message', async () => {
  const reply_markup = { inline_keyboard: [[{ text: 'More', callback_data: 'more' }]] };
  const shown = await bot.send({ chat_id: group.id, text: 'Which?', reply_markup });
  const pressed = tashi.press(shown, 'more');
  const id = async () => (await bot.updates()).at(-1)?.callback_query?.id;
  const first = await id();
  expect(await whisper({ reply_markup }, pema, { callback_query_id: first })).toMatchObject({ ok: false });
  expect(await whisper({ reply_markup }, tashi, { callback_query_id: first })).toMatchObject({ ok: true });
  await bot.call('answerCallbackQuery', { callback_query_id: first });
  await pressed;
  const [hushed] = bot.telegram.world.ephemerals(group, tashi);
  if (hushed === undefined) throw new Error('there is no answer');
  const again = tashi.press(hushed, 'more');
  const [update] = await bot.updates();
  expect(update?.callback_query).toMatchObject({
    message: { message_id: 0, ephemeral_message_id: hushed.ephemeral_message_id },
  });
  await bot.call('answerCallbackQuery', { callback_query_id: update?.callback_query?.id });
  await again;
});

test('an ephemeral answer that is late or misaddressed needs an admin bot', async () => {
  const asked = tashi.sendEphemeral(group, '/usage');
  const reply_parameters = { ephemeral_message_id: asked.ephemeral_message_id };
  expect(await whisper({ reply_parameters }, pema)).toMatchObject({ error_code: 400 });
  expect(await whisper({})).toMatchObject({ error_code: 400 });
  expect(await whisper({ chat_id: tashi.id, reply_parameters })).toMatchObject({ error_code: 400 });
  expect(await bot.call('sendMessage', { chat_id: group.id, text: 'x', reply_parameters })).toMatchObject({
    description: 'Bad Request: message to be replied not found',
  });
  clock += 16_000;
  expect(await whisper({ reply_parameters })).toMatchObject({ error_code: 400 });
  group.promote(group.bot);
  expect(await whisper({})).toMatchObject({ ok: true });
});
