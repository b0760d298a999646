/** What an error of a Bot API call means. Where Telegram has no code for it, its English tells, as it was worded over the years. Pure. */
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
export function isServersTrouble(error: unknown): boolean {
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

/** Bot API ("not enough rights to send music to the chat", 400), and what it passes on of Telegram's ("CHAT_SEND_DOCS_FORBIDDEN", 403). */
const NO_KIND = /rights to send (?!(?:text |a )?message)|CHAT_SEND_(?!PLAIN_)\w+_FORBIDDEN/i;

/** The group takes no files of this kind from the bot; of texts this says nothing. */
export function forbidsKind(error: unknown): boolean {
  return error instanceof TelegramError && NO_KIND.test(error.description);
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
  return error instanceof TelegramError && (NO_VOICE.test(error.description) || forbidsKind(error));
}

/** The forum topic was closed, and only admins write there, or deleted. */
export function isTopicGone(error: unknown): boolean {
  return isTopicClosed(error) || matches(error, /message thread not found|TOPIC_DELETED/i);
}

/** The forum topic was closed. */
export function isTopicClosed(error: unknown): boolean {
  return matches(error, /TOPIC_CLOSED/i);
}

function matches(error: unknown, description: RegExp): boolean {
  return error instanceof TelegramError && description.test(error.description);
}

/** The message to be edited was deleted. */
export function isDeleted(error: unknown): boolean {
  return (
    error instanceof TelegramError && /message to edit not found|MESSAGE_ID_INVALID/i.test(error.description)
  );
}

const NO_EDIT =
  /message can't be edited|MESSAGE_EDIT_TIME_EXPIRED|MESSAGE_AUTHOR_REQUIRED|no text in the message to edit|upgraded to a supergroup/i;

/** The message to be edited is there, but Telegram lets it be edited no more: it is too old, or stayed behind when its group was upgraded. */
export function refusesEdit(error: unknown): boolean {
  return error instanceof TelegramError && NO_EDIT.test(error.description);
}

/** A file id that Telegram no longer takes ("wrong file identifier", "wrong remote file identifier", "FILE_REFERENCE_EXPIRED"). */
export function rejectsFileId(error: unknown): boolean {
  return (
    error instanceof TelegramError &&
    error.code === 400 &&
    /\bfile\b|\bFILE_|MEDIA_EMPTY/i.test(error.description)
  );
}

/** An edit that changes nothing: the wanted state is there already. */
export function isNotModified(error: unknown): boolean {
  return error instanceof TelegramError && /message is not modified/i.test(error.description);
}
