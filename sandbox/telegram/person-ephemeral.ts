/** A person sends a command for the bot's eyes alone, as their app does with those that the bot has registered so. */
import { commandScopes } from './command-scopes.ts';
import type { Core } from './core.ts';
import type { Message, User } from './objects.ts';
import { type ChatRef, chatId } from './person-messages.ts';
import { typedText } from './person-text.ts';

/** Whether this text is a command of the bot's that in this chat is for its eyes alone. */
export function isEphemeralCommand(core: Core, user: User, chat: ChatRef, text: string): boolean {
  const room = core.room(chatId(chat));
  const [, name = '', addressee] = /^\/(\w+)(?:@(\w+))?(?=\s|$)/.exec(text.trim()) ?? [];
  const isForBot = addressee === undefined || addressee.toLowerCase() === core.bot.username.toLowerCase();
  if (!isForBot || !/group$/.test(room.chat.type) || room.refusal() !== undefined) return false;
  const language = user.language_code?.slice(0, 2) ?? '';
  const known = core.profile.resolve(commandScopes(room, user.id), language);
  return known.some(({ command, is_ephemeral }) => command === name && is_ephemeral === true);
}

/** Throws RangeError for what is no such command. */
export function sendEphemeral(core: Core, user: User, chat: ChatRef, text: string): Message {
  if (!isEphemeralCommand(core, user, chat, text)) throw new RangeError('this is no ephemeral command here');
  const room = core.room(chatId(chat));
  const message = core.ephemerals.post(room.chat, { from: user, ...typedText(text) }, core.me);
  core.updates.push('message', message, room.chat.id);
  return message;
}
