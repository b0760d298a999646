/** The last word on a request that was given up: its sender hears of it, whatever state the rest is in. */
import type { Message, Opts, User } from 'telegraf/types';
import { interfaceLanguage } from '../../language/interface-language.ts';
import type { Log } from '../../log.ts';
import type { BotApi } from '../api/api.ts';
import type { Words } from '../locale.ts';
import { isUsable, type UsableUpdate } from './usable-update.ts';

/** Tells the sender of an update that it could not be handled; one who cannot be reached is logged. */
export function apologise(api: BotApi, words: Words, log: Log, update: unknown): void {
  const apology = apologyFor(words, update);
  if (apology === undefined) return;
  api
    .callApi('sendMessage', apology)
    .catch((error: unknown) => log.warn({ error }, 'an apology was not delivered'));
}

/** What the sender of an update is to be told where it is given up; undefined where nobody has asked for anything. */
export function apologyFor(words: Words, update: unknown): Opts<'sendMessage'> | undefined {
  const request = isUsable(update) ? requestIn(update) : undefined;
  if (request === undefined) return undefined;
  const { message, from } = request;
  return {
    chat_id: message.chat.id,
    // Not the language of the session: the database may be what fails.
    text: words(interfaceLanguage(from?.language_code), 'given-up'),
    reply_parameters: { message_id: message.message_id, allow_sending_without_reply: true },
  };
}

/** The message that asked, or whose button was pressed, and by whom; a change of the bot's membership asks for nothing. */
function requestIn(update: UsableUpdate): { message: Message; from: User | undefined } | undefined {
  if ('my_chat_member' in update) return undefined;
  if ('callback_query' in update) {
    const { message, from } = update.callback_query;
    return { message, from };
  }
  const message = 'message' in update ? update.message : update.edited_message;
  return { message, from: message.from };
}
