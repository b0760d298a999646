/** What the bot registers about itself, and what people see of it. */
import { beforeEach, expect, test } from 'vitest';
import type { Group } from '../../telegram/group.ts';
import type { Person } from '../../telegram/person.ts';
import { type BotClient, startBotClient } from './bot-client.ts';

let bot: BotClient;
let tashi: Person;
let pema: Person;
let group: Group;

beforeEach(async () => {
  bot = await startBotClient();
  const { world } = bot.telegram;
  tashi = world.addPerson({ firstName: 'Tashi', languageCode: 'bo' });
  pema = world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  group = world.addGroup({ title: 'Tea', members: [tashi, pema], admins: [tashi] });
  return () => bot.close();
});

async function register(command: string, type: string, language_code = ''): Promise<void> {
  const commands = [{ command, description: 'd' }];
  expect(await bot.call('setMyCommands', { commands, scope: { type }, language_code })).toEqual({
    ok: true,
    result: true,
  });
}

test('a menu holds the narrowest scope’s commands in the person’s language', async () => {
  const { world } = bot.telegram;
  const menu = (chat: Person | Group, person: Person): string[] =>
    world.commandsFor(chat, person).map(({ command }) => command);
  await register('everywhere', 'default');
  expect(menu(tashi, tashi)).toEqual(['everywhere']);
  await register('private', 'all_private_chats');
  await register('private_bo', 'all_private_chats', 'bo');
  await register('group', 'all_group_chats');
  await register('admin', 'all_chat_administrators');
  expect(menu(tashi, tashi)).toEqual(['private_bo']);
  expect(menu(pema, pema)).toEqual(['private']);
  expect(menu(group, pema)).toEqual(['group']);
  expect(menu(group, tashi)).toEqual(['admin']);
  await bot.call('setMyCommands', {
    commands: [{ command: 'here', description: 'd' }],
    scope: { type: 'chat_member', chat_id: group.id, user_id: pema.id },
  });
  expect(menu(group, pema)).toEqual(['here']);
});

test('commands are told back as registered, and can be taken back', async () => {
  await register('private_bo', 'all_private_chats', 'bo');
  const scope = { type: 'all_private_chats' as const };
  const here = { scope, language_code: 'bo' };
  expect((await bot.call('getMyCommands', here)).result).toEqual([
    { command: 'private_bo', description: 'd' },
  ]);
  expect((await bot.call('getMyCommands', { scope })).result).toEqual([]);
  expect(bot.telegram.world.commands(scope, 'bo')).toHaveLength(1);
  await bot.call('setMyCommands', { ...here, commands: [] });
  expect(bot.telegram.world.commands(scope, 'bo')).toEqual([]);
});

test('descriptions are kept per language, with the common one for all others', async () => {
  await bot.call('setMyDescription', { description: 'Reads Tibetan' });
  await bot.call('setMyDescription', { description: 'བོད་ཡིག་ཀློག', language_code: 'bo' });
  expect((await bot.call('getMyDescription', { language_code: 'bo' })).result).toEqual({
    description: 'བོད་ཡིག་ཀློག',
  });
  expect((await bot.call('getMyDescription', { language_code: 'zh' })).result).toEqual({
    description: 'Reads Tibetan',
  });
  expect((await bot.call('getMe')).result).toMatchObject({
    is_bot: true,
    username: 'lotsawa_bot',
    supports_inline_queries: true,
  });
});
