/** What an error of a Bot API call means, and whether the call is changed, retried or given up. Without a code, the description decides. */
import { TelegramError } from 'telegraf';
import { NetworkError } from './transport.ts';

/** Telegram is unreachable, fails (5xx), accepts no more (429), or the token was revoked: requests wait until that is over. */
export function isOutage(error: unknown): boolean {
  if (error instanceof NetworkError || isServerError(error) || isFloodRefusal(error)) return true;
  // The platform's errors for calls that were aborted or timed out.
  return isTokenRefusal(error) || (error instanceof Error && /^(?:Abort|Timeout)Error$/.test(error.name));
}

function isServerError(error: unknown): boolean {
  return error instanceof TelegramError && error.code >= 500;
}

export function isFloodRefusal(error: unknown): boolean {
  return error instanceof TelegramError && error.code === 429;
}

/** The wait that Telegram asks for, in ms; undefined if it gives no usable number. */
export function retryAfterMs(error: unknown): number | undefined {
  const asked: unknown = error instanceof TelegramError ? error.parameters?.retry_after : undefined;
  return typeof asked === 'number' && asked >= 0 ? asked * 1000 : undefined;
}

/** The bot's token was revoked (401). */
export function isTokenRefusal(error: unknown): boolean {
  return error instanceof TelegramError && error.code === 401;
}

/** Telegram refused, and would again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof TelegramError && !isOutage(error);
}

/** The result of a call; undefined if Telegram refuses. For calls whose refusal makes no difference. Throws other failures. */
export async function unlessRefused<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

function matches(error: unknown, description: RegExp): error is TelegramError {
  return error instanceof TelegramError && description.test(error.description);
}

/** The Bot API's descriptions ("not enough rights to send music to the chat", 400), and Telegram's ("CHAT_SEND_DOCS_FORBIDDEN", 403). */
const NO_KIND = /rights to send (?!(?:text |a )?message)|CHAT_SEND_(?!PLAIN_)\w+_FORBIDDEN/i;

/** The group accepts no files of this kind from the bot. It may still accept texts. */
export function forbidsKind(error: unknown): boolean {
  return matches(error, NO_KIND);
}

const UNREACHABLE =
  /rights to send (?:text |a )?message|administrator rights in the channel|CHAT_SEND_PLAIN_FORBIDDEN|CHAT_WRITE_FORBIDDEN|TOPIC_CLOSED|chat not found|PEER_ID_INVALID|deactivated/i;

/**
 * The person blocked the bot, or the bot was removed from the chat or may not write there, or the chat no longer exists. No message can
 * arrive, which is no fault. A closed topic counts only if General is closed, too (outbox/outbox.ts).
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof TelegramError) || forbidsKind(error)) return false;
  return error.code === 403 || UNREACHABLE.test(error.description);
}

export function forbidsVoice(error: unknown): boolean {
  return matches(error, /VOICE_MESSAGES_FORBIDDEN|restricted receiving of voice/i) || forbidsKind(error);
}

/** The forum topic was closed (only admins may write there) or deleted. */
export function isTopicGone(error: unknown): boolean {
  return matches(error, /message thread not found|TOPIC_DELETED|TOPIC_CLOSED/i);
}

/** Telegram no longer accepts a file id ("wrong file identifier", "wrong remote file identifier", "FILE_REFERENCE_EXPIRED"). */
export function rejectsFileId(error: unknown): boolean {
  return matches(error, /\bfile\b|\bFILE_|MEDIA_EMPTY/i) && error.code === 400;
}

export function isNotModified(error: unknown): boolean {
  return matches(error, /message is not modified/i);
}

/** `deleted`: somebody has deleted the message; `refused`: it exists, but Telegram no longer lets the bot edit it. */
export type EditOutcome = 'edited' | 'deleted' | 'refused';

/** The message is too old, or stayed behind when its group was upgraded. */
const NO_EDIT =
  /message can't be edited|MESSAGE_EDIT_TIME_EXPIRED|MESSAGE_AUTHOR_REQUIRED|no text in the message to edit|upgraded to a supergroup/i;

/** How an edit ended. Throws any other error. */
export async function outcomeOfEdit(edit: Promise<unknown>): Promise<EditOutcome> {
  try {
    await edit;
    return 'edited';
  } catch (error) {
    if (isNotModified(error)) return 'edited';
    if (matches(error, /message to edit not found|MESSAGE_ID_INVALID/i)) return 'deleted';
    if (matches(error, NO_EDIT)) return 'refused';
    throw error;
  }
}

/** The maximum number of attempts of a call. */
const MAX_ATTEMPTS = 5;
/** The same for calls that get no response within a minute. */
const MAX_TIMEOUTS = 2;
/** A longer `retry_after` (429) is left to the chat's pace (chat-pace.ts) and to the queue, in ms: it holds up no worker. */
const MAX_RETRY_AFTER_MS = 5000;
const FIRST_BACKOFF_MS = 300;

/** Methods that are not retried: a late chat action is useless, and polling has its own loop. */
const NEVER_RETRIED: ReadonlySet<string> = new Set(['sendChatAction', 'getUpdates']);

/** Whether any failure lets the method be called again after so many attempts. */
export function mayRetry(method: string, attempt: number): boolean {
  return !NEVER_RETRIED.has(method) && attempt < MAX_ATTEMPTS;
}

/** How long to wait before the next attempt, in ms; undefined for none. An answer that arrives twice is better than one that is lost. */
export function retryDelayMs(
  method: string,
  error: unknown,
  attempt: number,
  random: number,
): number | undefined {
  if (!mayRetry(method, attempt)) return undefined;
  const backoff = FIRST_BACKOFF_MS * 2 ** (attempt - 1) * (0.75 + random / 2);
  if (error instanceof NetworkError) {
    // Answers are sent twice at most, and the outbox does that (outbox/outbox.ts).
    if (method.startsWith('send') && isInDoubt(error)) return undefined;
    return error.code === 'TIMEOUT' && attempt >= MAX_TIMEOUTS ? undefined : backoff;
  }
  if (isServerError(error)) return backoff;
  if (!isFloodRefusal(error)) return undefined;
  const asked = retryAfterMs(error) ?? 1000;
  return asked > MAX_RETRY_AFTER_MS ? undefined : asked + backoff;
}

/** The call may have reached Telegram, but its response was lost. */
export function isInDoubt(error: unknown): boolean {
  return error instanceof NetworkError && error.isSent;
}

/** Telegram took no message, so none counts against its limits. */
export function isUncounted(error: unknown): boolean {
  return isFloodRefusal(error) || (error instanceof NetworkError && !error.isSent);
}

/** A 429 of our own, for a chat that Telegram wants left alone for a while. */
export function floodRefusal(waitMs: number): TelegramError {
  const retry_after = Math.ceil(waitMs / 1000);
  const description = `Too Many Requests: retry after ${retry_after}`;
  return new TelegramError({ error_code: 429, description, parameters: { retry_after } });
}

/** "BUTTON_TYPE_INVALID", "Text buttons are unallowed in the inline keyboard", "can't parse reply keyboard markup". */
const BUTTONS_REFUSED = /BUTTON_|REPLY_MARKUP|(?:inline|reply) keyboard|parse reply markup/i;

/** The payload to send instead, if a refusal has a remedy. A closed topic has none here: outbox/outbox.ts sends the message to General. */
export function remedy<P extends object>(error: unknown, payload: P, attempt = 1): P | undefined {
  if (!(error instanceof TelegramError) || error.code !== 400 || attempt >= MAX_ATTEMPTS) return undefined;
  const {
    chat_id,
    message_id,
    reply_markup,
  }: { chat_id?: unknown; message_id?: unknown; reply_markup?: unknown } = payload;
  const movedTo = error.parameters?.migrate_to_chat_id;
  // In the new chat a message's id belongs to another message, which must not be edited, deleted or replied to.
  if (movedTo !== undefined && chat_id !== undefined && chat_id !== movedTo && message_id === undefined)
    return { ...payload, chat_id: movedTo, reply_parameters: undefined };
  // A self-hosted server may not support a kind of button yet: send the answer without its buttons.
  if (reply_markup !== undefined && BUTTONS_REFUSED.test(error.description))
    return { ...payload, reply_markup: undefined };
  return undefined;
}
