/** What an error of a Bot API call means, and whether the call is mended, repeated after a while, or given up. Where Telegram has no code for it, its English tells, as it was worded over the years. Pure. */
import { TelegramError } from 'telegraf';
import { GroupIsFull } from './group-pace.ts';
import { NetworkError } from './http-exchange.ts';

/** What the platform calls a call that was given up, or whose caller's time was over. */
const GIVEN_UP: ReadonlySet<string> = new Set(['AbortError', 'TimeoutError']);

/**
 * Telegram is out of reach, has trouble of its own, or takes no more for now: it passes. So does a token that
 * Telegram knows no more: the operator gives it another, and until then what was asked for waits.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof GroupIsFull) return true;
  if (isTrouble(error) || isTokenRefusal(error)) return true;
  return error instanceof Error && GIVEN_UP.has(error.name);
}

/** Telegram gave no answer, or one that says that it has trouble of its own or takes no more for now. */
export function isTrouble(error: unknown): boolean {
  return error instanceof NetworkError || isServersTrouble(error) || isFloodRefusal(error);
}

/** Telegram answered, with trouble of its own (5xx). */
function isServersTrouble(error: unknown): boolean {
  return error instanceof TelegramError && error.code >= 500;
}

/** Too many messages: Telegram takes no more for a while (429). */
export function isFloodRefusal(error: unknown): boolean {
  return error instanceof TelegramError && error.code === 429;
}

/** How long Telegram asks to be left alone, in ms; undefined where it says nothing that makes sense. */
export function retryAfterMs(error: unknown): number | undefined {
  const asked: unknown = error instanceof TelegramError ? error.parameters?.retry_after : undefined;
  return typeof asked === 'number' && asked >= 0 ? asked * 1000 : undefined;
}

/** The bot's token was revoked (401). */
export function isTokenRefusal(error: unknown): boolean {
  return error instanceof TelegramError && error.code === 401;
}

/** Telegram said no, and would again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof TelegramError && !isOutage(error);
}

/** What a call gives; undefined where Telegram says no: to what is wanted then it makes no difference. Any other failure is thrown. */
export async function unlessRefused<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

/** Whether Telegram's words for its refusal match. */
function matches(error: unknown, description: RegExp): boolean {
  return error instanceof TelegramError && description.test(error.description);
}

/** Bot API ("not enough rights to send music to the chat", 400), and what it passes on of Telegram's ("CHAT_SEND_DOCS_FORBIDDEN", 403). */
const NO_KIND = /rights to send (?!(?:text |a )?message)|CHAT_SEND_(?!PLAIN_)\w+_FORBIDDEN/i;

/** The group takes no files of this kind from the bot; of texts this says nothing. */
export function forbidsKind(error: unknown): boolean {
  return matches(error, NO_KIND);
}

const UNREACHABLE =
  /rights to send (?:text |a )?message|administrator rights in the channel|CHAT_SEND_PLAIN_FORBIDDEN|CHAT_WRITE_FORBIDDEN|TOPIC_CLOSED|chat not found|PEER_ID_INVALID|deactivated/i;

/**
 * The person blocked the bot, or it was removed from the chat or may not write there, or the chat is no more: no message arrives there,
 * and it is no error. A topic that is closed is one of those only where the general topic is closed, too (answer/posting.ts).
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof TelegramError) || forbidsKind(error)) return false;
  return error.code === 403 || UNREACHABLE.test(error.description);
}

const NO_VOICE = /VOICE_MESSAGES_FORBIDDEN|restricted receiving of voice/i;

/** The person forbids voice messages (or those of bots), or the group does. */
export function forbidsVoice(error: unknown): boolean {
  return matches(error, NO_VOICE) || forbidsKind(error);
}

/** The forum topic was closed, and only admins write there, or deleted. */
export function isTopicGone(error: unknown): boolean {
  return isTopicClosed(error) || matches(error, /message thread not found|TOPIC_DELETED/i);
}

/** The forum topic was closed. */
export function isTopicClosed(error: unknown): boolean {
  return matches(error, /TOPIC_CLOSED/i);
}

/** The message to be edited was deleted. */
export function isDeleted(error: unknown): boolean {
  return matches(error, /message to edit not found|MESSAGE_ID_INVALID/i);
}

const NO_EDIT =
  /message can't be edited|MESSAGE_EDIT_TIME_EXPIRED|MESSAGE_AUTHOR_REQUIRED|no text in the message to edit|upgraded to a supergroup/i;

/** The message to be edited is there, but Telegram lets it be edited no more: it is too old, or stayed behind when its group was upgraded. */
export function refusesEdit(error: unknown): boolean {
  return matches(error, NO_EDIT);
}

/** A file id that Telegram no longer takes ("wrong file identifier", "wrong remote file identifier", "FILE_REFERENCE_EXPIRED"). */
export function rejectsFileId(error: unknown): boolean {
  return (
    error instanceof TelegramError && error.code === 400 && matches(error, /\bfile\b|\bFILE_|MEDIA_EMPTY/i)
  );
}

/** An edit that changes nothing: the wanted state is there already. */
export function isNotModified(error: unknown): boolean {
  return matches(error, /message is not modified/i);
}

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
