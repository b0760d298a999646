/** A person sends an ephemeral command, as their app does with commands that the bot has registered as ephemeral. */
import { commandScopes } from './command-scopes.ts';
import type { Core } from './core.ts';
import type { Message, User } from './objects.ts';
import { type ChatRef, chatId } from './person-messages.ts';
import { typedText } from './person-text.ts';
import { topicFields } from './reply-fields.ts';

/** Whether this text is one of the bot's ephemeral commands in this chat. */
export function isEphemeralCommand(core: Core, user: User, chat: ChatRef, text: string): boolean {
  const room = core.room(chatId(chat));
  const [, name = '', addressee] = /^\/(\w+)(?:@(\w+))?(?=\s|$)/.exec(text.trim()) ?? [];
  const isForBot = addressee === undefined || addressee.toLowerCase() === core.bot.username.toLowerCase();
  if (!isForBot || !/group$/.test(room.chat.type) || room.refusal() !== undefined) return false;
  const language = user.language_code?.slice(0, 2) ?? '';
  const known = core.profile.resolve(commandScopes(room, user.id), language);
  return known.some(({ command, is_ephemeral }) => command === name && is_ephemeral === true);
}

/** `threadId`: the forum topic where it is sent. Throws RangeError if it is no such command. */
export function sendEphemeral(
  core: Core,
  user: User,
  chat: ChatRef,
  text: string,
  threadId?: number,
): Message {
  if (!isEphemeralCommand(core, user, chat, text)) throw new RangeError('this is no ephemeral command here');
  const room = core.room(chatId(chat));
  const message = core.ephemerals.post(
    room.chat,
    { from: user, ...typedText(text), ...topicFields(threadId) },
    core.me,
  );
  core.updates.push('message', message, room.chat.id);
  return message;
}
