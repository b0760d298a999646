/** What to do when a Bot API call failed: mend the call, repeat it after a while, or give up. Pure. */
import { TelegramError } from 'telegraf';
import { isFloodRefusal, isServersTrouble, retryAfterMs } from './api-errors.ts';
import { NetworkError } from './http-exchange.ts';

/** A call is tried this often in all. */
const MAX_ATTEMPTS = 5;
/** And only this often where Telegram may have done the work each time: it said nothing for a minute, or yes without a result. */
const MAX_DOUBTS = 2;
const DOUBTS: ReadonlySet<string> = new Set(['TIMEOUT', 'NO_RESULT']);
/** Longest wait that Telegram may ask of us (429) and still get, in ms; beyond it the answer would be stale. */
const MAX_RETRY_AFTER_MS = 120_000;
const FIRST_BACKOFF_MS = 300;

/** Methods whose late success is worth nothing: a chat action has faded, and polling has a loop of its own. */
const NEVER_REPEATED: ReadonlySet<string> = new Set(['sendChatAction', 'getUpdates']);

/**
 * How long to wait before the call is repeated, in ms; undefined: it is not repeated.
 * Repeated are 429 (after `retry_after`), 5xx and network failures: an answer that may come twice is better than one that is lost.
 */
export function retryDelayMs(
  method: string,
  error: unknown,
  attempt: number,
  random: number,
): number | undefined {
  if (NEVER_REPEATED.has(method) || attempt >= MAX_ATTEMPTS) return undefined;
  const backoff = FIRST_BACKOFF_MS * 2 ** (attempt - 1) * (0.75 + random / 2);
  if (error instanceof NetworkError) {
    return DOUBTS.has(error.code) && attempt >= MAX_DOUBTS ? undefined : backoff;
  }
  if (isServersTrouble(error)) return backoff;
  if (!isFloodRefusal(error)) return undefined;
  const asked = retryAfterMs(error) ?? 1000;
  return asked > MAX_RETRY_AFTER_MS ? undefined : asked + backoff;
}

/** As Telegram has put it over the years: "message to be replied not found", "replied message not found". */
const REPLY_GONE = /repl(?:y|ied)[a-z ]* not found|REPLY_MESSAGE_ID_INVALID/i;

/** "BUTTON_TYPE_INVALID", "Text buttons are unallowed in the inline keyboard", "can't parse reply keyboard markup". */
const BUTTONS_REFUSED = /BUTTON_|REPLY_MARKUP|(?:inline|reply) keyboard|parse reply markup/i;

/**
 * The payload as it should be sent instead, where Telegram's refusal has a remedy; else undefined. A group that was upgraded is
 * written to under its new id. What cannot be written into its topic any more has none here: what it answers is said first
 * (answer/posting.ts).
 */
export function remedy<P extends object>(error: unknown, payload: P, attempt = 1): P | undefined {
  if (!(error instanceof TelegramError) || error.code !== 400 || attempt >= MAX_ATTEMPTS) return undefined;
  const movedTo = error.parameters?.migrate_to_chat_id;
  // The number of a message is another message's there: that one must be neither edited nor deleted.
  const isOfMessage = 'message_id' in payload;
  if (movedTo !== undefined && !isOfMessage && 'chat_id' in payload && payload.chat_id !== movedTo) {
    // The number of what it replies to is another message's there, too.
    return { ...payload, chat_id: movedTo, reply_parameters: undefined };
  }
  if (REPLY_GONE.test(error.description) && holds(payload, 'reply_parameters')) {
    return { ...payload, reply_parameters: undefined };
  }
  // A server of one's own may not know a kind of button yet: what was asked for is still wanted, without them.
  if (BUTTONS_REFUSED.test(error.description) && holds(payload, 'reply_markup')) {
    return { ...payload, reply_markup: undefined };
  }
  return undefined;
}

function holds(payload: object, key: string): boolean {
  return Reflect.get(payload, key) !== undefined;
}
