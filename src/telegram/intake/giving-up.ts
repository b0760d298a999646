/** The apology to the sender of a request that is given up. */
import type { Opts } from 'telegraf/types';
import { interfaceLanguage } from '../../language/interface-language.ts';
import type { Log } from '../../log.ts';
import type { RequestRow } from '../../queue/request-row.ts';
import type { BotApi } from '../api/api.ts';
import type { Words } from '../locale.ts';
import { isGuestUpdate, isUsable, originOf } from './usable-update.ts';

/** Tells the sender of an update that it could not be handled; logs a sender who cannot be reached. */
export function apologise(api: BotApi, words: Words, log: Log, update: unknown): void {
  const apology = apologyFor(words, update);
  if (apology === undefined) return;
  api
    .callApi('sendMessage', apology)
    .catch((error: unknown) => log.warn({ error }, 'an apology was not delivered'));
}

/** Tells the sender of a guest query, by editing its placeholder. */
export async function apologiseAsGuest(
  { api, words, log }: { api: BotApi; words: Words; log: Log },
  { sent }: Pick<RequestRow, 'sent'>,
  update: unknown,
): Promise<void> {
  if (!isGuestUpdate(update)) return;
  const text = words(interfaceLanguage(update.guest_message.from.language_code), 'given-up');
  try {
    for (const { id } of sent) {
      if (typeof id === 'string') await api.editMessageText(undefined, undefined, id, text);
    }
  } catch (error) {
    log.warn({ error }, 'an apology was not delivered');
  }
}

/** The apology to the sender of an update; undefined if the update asks for nothing. */
function apologyFor(words: Words, update: unknown): Opts<'sendMessage'> | undefined {
  if (!isUsable(update)) return undefined;
  const { message, from } = originOf(update);
  // A change of the bot's membership asks for nothing, nor does a channel's post.
  const isPost = message?.chat.type === 'channel' && !('callback_query' in update);
  if (message === undefined || isPost) return undefined;
  return {
    chat_id: message.chat.id,
    // Not the session's language: the database may be what fails.
    text: words(interfaceLanguage(from?.language_code), 'given-up'),
    reply_parameters: { message_id: message.message_id, allow_sending_without_reply: true },
  };
}
