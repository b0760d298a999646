/** A person presses an inline button: the callback query, and the wait for its answer. */
import { createHash } from 'node:crypto';
import type { Core } from './core.ts';
import type { CallbackAnswer } from './events.ts';
import type { CallbackQuery, Message, User } from './objects.ts';

/**
 * Presses the button of `message`, as it is now, whose callback data or text is `button`; resolves with the bot's answer.
 * Rejects with RangeError when there is no such button, with Error when no answer comes in `timeoutMs`.
 */
export async function pressButton(
  core: Core,
  from: User,
  { chat, message_id, ephemeral_message_id }: Message,
  button: string,
  timeoutMs: number,
): Promise<CallbackAnswer> {
  const room = core.room(chat.id);
  const message =
    ephemeral_message_id === undefined
      ? room.log.get(message_id)
      : core.ephemerals.get(chat.id, ephemeral_message_id);
  const buttons = message?.reply_markup?.inline_keyboard.flat() ?? [];
  const pressed =
    buttons.find(({ callback_data }) => callback_data === button) ??
    buttons.find(({ text }) => text === button);
  const data = pressed?.callback_data;
  if (!message || data === undefined) throw new RangeError('the message has no such callback button');

  const { promise, resolve, reject } = Promise.withResolvers<CallbackAnswer>();
  const queryId = core.callbackQueries.ask(resolve);
  const query: CallbackQuery = {
    id: queryId,
    from,
    ...whereFrom(core, message, room.log.asShown(message)),
    chat_instance: chatInstance(chat.id),
    data,
  };
  core.ephemerals.notePress(queryId, chat.id, from.id);
  core.updates.push('callback_query', query, from.id);
  const timer = setTimeout(() => reject(new Error('the bot did not answer the callback query')), timeoutMs);
  return promise.finally(() => clearTimeout(timer));
}

/** Messages sent through inline mode are known to the bot by `inline_message_id` alone. */
function whereFrom(core: Core, { chat, message_id }: Message, shown: Message): Partial<CallbackQuery> {
  for (const [inlineId, place] of core.inlineMessages)
    if (place.chatId === chat.id && place.messageId === message_id) return { inline_message_id: inlineId };
  return { message: shown };
}

function chatInstance(chatId: number): string {
  return createHash('sha256').update(`instance ${chatId}`).digest().readBigInt64BE().toString();
}
