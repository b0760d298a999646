/** Giving requests up: whether Telegram's trouble is theirs alone, and the apology to their sender. */
import type { Opts } from 'telegraf/types';
import { interfaceLanguage } from '../../language/interface-language.ts';
import type { Log } from '../../log.ts';
import { unlessCancelled } from '../../patience.ts';
import type { OwnOutage } from '../../queue/queue.ts';
import type { GuestAnswers } from '../../store/kept/answers.ts';
import type { BotApi } from '../api/api.ts';
import { isRefusal, isTrouble } from '../api/api-errors.ts';
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
  answers: Pick<GuestAnswers, 'find'>,
  update: unknown,
): Promise<void> {
  if (!isGuestUpdate(update)) return;
  const { guest_query_id, from } = update.guest_message;
  try {
    const inlineMessageId = await answers.find(guest_query_id);
    const text = words(interfaceLanguage(from.language_code), 'given-up');
    if (inlineMessageId !== undefined) await api.editMessageText(undefined, undefined, inlineMessageId, text);
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

/** Time limit of each call that tests Telegram, in ms. */
const LONGEST_CALL_MS = 10_000;

/**
 * Tests Telegram with calls to the same chat: first a chat action, which disturbs nobody, then the apology itself. Each is tried once,
 * right after the answer has failed again, so that an outage which ends meanwhile is hardly ever taken for trouble of the request.
 */
export function createOwnOutage(api: BotApi, words: Words): OwnOutage {
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

/** Whether Telegram answered at all: even a refusal shows that it works. */
async function isServed(call: (signal: AbortSignal) => Promise<unknown>, signal: AbortSignal) {
  try {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_CALL_MS)]);
    // In a group the call may first wait behind others, which heed no signal of its own.
    await unlessCancelled(call(bounded), bounded);
    return true;
  } catch (error) {
    return isRefusal(error);
  }
}
