/** Tells an outage of Telegram from its trouble with one answer alone, for which nobody behind it should wait for ever. */
import { withinLimit } from '../../queue/attempt.ts';
import type { OwnTrouble } from '../../queue/queue.ts';
import type { BotApi } from '../api/api.ts';
import { isRefusal, isTrouble } from '../api/api-errors.ts';
import type { Words } from '../locale.ts';
import { apologyFor } from './apology.ts';
import { isUsable, type UsableUpdate } from './usable-update.ts';

/** How long Telegram has to show that it serves others, in ms. */
const LONGEST_CALL_MS = 10_000;

/**
 * Judges by calls to the same chat: a chat action, which nobody minds, and at last the apology itself. Each is tried once, right after
 * the answer has failed again, so that an outage that ends meanwhile is hardly ever taken for one that was never there.
 */
export function createOwnTrouble(api: BotApi, words: Words): OwnTrouble {
  return {
    isOwn: async (error, [update], signal) => {
      if (!isTrouble(error) || !isUsable(update)) return false;
      const action = { chat_id: chatIn(update), action: 'typing' } as const;
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

function chatIn(update: UsableUpdate): number {
  if ('my_chat_member' in update) return update.my_chat_member.chat.id;
  if ('callback_query' in update) return update.callback_query.message.chat.id;
  return ('message' in update ? update.message : update.edited_message).chat.id;
}
