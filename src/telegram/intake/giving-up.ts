/** Requests that are given up: when Telegram's trouble is theirs alone, and the last word to their sender. */
import type { Opts } from 'telegraf/types';
import { interfaceLanguage } from '../../language/interface-language.ts';
import type { Log } from '../../log.ts';
import { withinLimit } from '../../queue/attempt.ts';
import type { OwnTrouble } from '../../queue/queue.ts';
import type { GuestAnswers } from '../../store/kept/answers.ts';
import type { BotApi } from '../api/api.ts';
import { isRefusal, isTrouble } from '../api/api-errors.ts';
import type { Words } from '../locale.ts';
import { isGuestUpdate, isUsable, originOf } from './usable-update.ts';

/** Tells the sender of an update that it could not be handled; one who cannot be reached is logged. */
export function apologise(api: BotApi, words: Words, log: Log, update: unknown): void {
  const apology = apologyFor(words, update);
  if (apology === undefined) return;
  api
    .callApi('sendMessage', apology)
    .catch((error: unknown) => log.warn({ error }, 'an apology was not delivered'));
}

/** Tells the sender of a guest query in the message that answers it. */
export async function apologiseAsGuest(
  { api, words, log }: { api: BotApi; words: Words; log: Log },
  answers: Pick<GuestAnswers, 'find'>,
  update: unknown,
): Promise<void> {
  if (!isGuestUpdate(update)) return;
  const { guest_query_id, from } = update.guest_message;
  try {
    const place = await answers.find(guest_query_id);
    const text = words(interfaceLanguage(from.language_code), 'given-up');
    if (place !== undefined) await api.editMessageText(undefined, undefined, place, text);
  } catch (error) {
    log.warn({ error }, 'an apology was not delivered');
  }
}

/** What the sender of an update is to be told where it is given up; undefined where the update asks for nothing. */
function apologyFor(words: Words, update: unknown): Opts<'sendMessage'> | undefined {
  if (!isUsable(update)) return undefined;
  const { message, from } = originOf(update);
  // A change of the bot's membership asks for nothing, nor does a channel's post.
  const isPost = message?.chat.type === 'channel' && !('callback_query' in update);
  if (message === undefined || isPost) return undefined;
  return {
    chat_id: message.chat.id,
    // Not the language of the session: the database may be what fails.
    text: words(interfaceLanguage(from?.language_code), 'given-up'),
    reply_parameters: { message_id: message.message_id, allow_sending_without_reply: true },
  };
}

/** How long Telegram has to show that it serves others, in ms. */
const LONGEST_CALL_MS = 10_000;

/**
 * Judges by calls to the same chat: a chat action, which disturbs no one, and at last the apology itself. Each is tried once, right after
 * the answer has failed again, so that an outage that ends meanwhile is hardly ever taken for one that was never there.
 */
export function createOwnTrouble(api: BotApi, words: Words): OwnTrouble {
  return {
    isOwn: async (error, [update], signal) => {
      if (!isTrouble(error) || !isUsable(update)) return false;
      const action = { chat_id: originOf(update).chat.id, action: 'typing' } as const;
      return isServed((signal) => api.callApi('sendChatAction', action, { signal }), signal);
    },
    apologise: async ([update], signal) => {
      const apology = apologyFor(words, update);
      if (apology === undefined) return true;
      return isServed((signal) => api.callApi('sendMessage', apology, { signal, isOnce: true }), signal);
    },
  };
}

/** Whether Telegram answered at all: a refusal of its own shows that it works. */
async function isServed(call: (signal: AbortSignal) => Promise<unknown>, signal: AbortSignal) {
  try {
    await withinLimit(LONGEST_CALL_MS, signal, async (signal) => void (await call(signal)));
    return true;
  } catch (error) {
    return isRefusal(error);
  }
}
