/** Registrations that the real server refuses, and its words. */
import { TASHI, testRefusals } from './refusal-scene.ts';

testRefusals([
  [
    'a command in Tibetan',
    'setMyCommands',
    () => ({ commands: [{ command: 'བོད', description: 'x' }] }),
    'BOT_COMMAND_INVALID',
  ],
  [
    'a command in capitals',
    'setMyCommands',
    () => ({ commands: [{ command: 'Start', description: 'x' }] }),
    'BOT_COMMAND_INVALID',
  ],
  [
    'a command of 33 letters',
    'setMyCommands',
    () => ({ commands: [{ command: 'x'.repeat(33), description: 'x' }] }),
    'command length must not exceed 32',
  ],
  [
    'a command without description',
    'setMyCommands',
    () => ({ commands: [{ command: 'start', description: '' }] }),
    'command description must be non-empty',
  ],
  [
    'a description of 257 characters',
    'setMyCommands',
    () => ({ commands: [{ command: 'start', description: 'x'.repeat(257) }] }),
    'command description length must not exceed 256',
  ],
  [
    '101 commands',
    'setMyCommands',
    () => ({
      commands: Array.from({ length: 101 }, (_, n) => ({ command: `c${n}`, description: 'x' })),
    }),
    'BOT_COMMANDS_TOO_MUCH',
  ],
  [
    'a language of three letters',
    'setMyCommands',
    () => ({ commands: [], language_code: 'bod' }),
    'invalid language code specified',
  ],
  [
    'an unknown scope',
    'setMyCommands',
    () => ({ commands: [], scope: { type: 'everyone' } }),
    "can't parse BotCommandScope: Unsupported type specified",
  ],
  [
    'a webhook without https',
    'setWebhook',
    () => ({ url: 'http://bot.example/hook' }),
    'bad webhook: An HTTPS URL must be provided for webhook',
  ],
  [
    'a webhook secret with a space',
    'setWebhook',
    () => ({ url: 'https://bot.example/hook', secret_token: 'a b' }),
    'secret token contains unallowed characters',
  ],
  [
    'leaving a private chat',
    'leaveChat',
    () => ({ chat_id: TASHI }),
    "chat member status can't be changed in private chats",
  ],
]);
