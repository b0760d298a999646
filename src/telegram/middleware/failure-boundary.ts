/** Logs the failures that handlers throw, and reports them to the person; apologises for dead letters. */
import { isFailure, mayPass } from '../../errors.ts';
import { interfaceLanguage } from '../../language/interface-language.ts';
import type { Log } from '../../log.ts';
import type { RequestRow } from '../../queue/request-table.ts';
import type { Access } from '../../store/access/access.ts';
import type { BotApi } from '../api/api.ts';
import { isOutage, isRefusal, isUnreachable } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import type { Words } from '../locale.ts';
import { ephemeralToSender } from '../outbox/destination.ts';
import { answer } from '../reply/answer.ts';
import { type Button, restButton, tryAgainButton } from '../reply/buttons.ts';
import { askBeforeCost } from '../reply/calls.ts';
import { failureWords, sentenceFor } from '../reply/failure-words.ts';
import { sayToListener } from '../reply/media.ts';
import { askerOf, senderId } from '../request/identity.ts';
import { parseUpdate } from '../request/update.ts';

/** Database failures in a row at which the sender is told: the retry after the first comes half a second later and mostly succeeds. */
const TOLD_AT_FAILURE = 2;

/** How often a person is told of a limit or a pause in a minute. */
const MAX_TOLD = 10;

/** Reports the failure of a request. Throws what the queue retries: outages of Telegram and the database, a stop, the unforeseen. */
export async function tellFailure(ctx: ReceivedContext, notices: NoticeLimit, error: unknown): Promise<void> {
  const { bot, update, stopping, isOverheard } = ctx;
  const { update_id } = update;
  if (isUnreachable(error)) {
    bot.log.info({ update: update_id }, 'the chat is unreachable: the bot was blocked or removed');
    return;
  }
  if (stopping.aborted || isOutage(error)) throw error;
  if (isFailure(error, 'cancelled')) return;
  if (!isFailure(error) && !isRefusal(error)) throw error;
  if (isFailure(error, 'costly')) return isOverheard ? undefined : askBeforeCost(ctx, error);
  const level = isFailure(error, 'paused') ? 'debug' : isFailure(error) ? 'warn' : 'error';
  bot.log[level]({ error, update: update_id, kind: ctx.updateType }, 'a request failed');
  if (isFailure(error, 'file-unserved')) bot.alerts.raise({ reason: 'files' });
  if (isFailure(error, 'database')) {
    const failures = ctx.work.request.failures + 1;
    if (failures >= TOLD_AT_FAILURE) bot.alerts.raise({ reason: 'database' });
    if (failures !== TOLD_AT_FAILURE) throw error;
  }
  // The failure may have come before the check for blocked people.
  const isIgnored = await bot.access.isBlocked({ ...ctx.asker, person: senderId(ctx) });
  if (!isIgnored && isToBeTold(ctx, notices, error)) await tell(ctx, error);
  // Nothing is paid for yet: the queue retries until the database works.
  if (isFailure(error, 'database')) throw error;
}

/** Only people who asked are told of failures. After an edit the words replace an answer that would mislead. */
function isToBeTold(ctx: ReceivedContext, notices: NoticeLimit, error: unknown): boolean {
  // The answer is already out, and a failure message would cast doubt on it; the queue retries what could not be stored.
  if (isFailure(error, 'database') && ctx.outbox.isBegun) return false;
  if (ctx.edit !== 'none') return true;
  // Limits and pauses last: do not repeat them for every request.
  const lasts = isFailure(error) && /^limit-|^paused$/.test(error.kind);
  return !ctx.isOverheard && (!lasts || notices.may(`${ctx.chat.id}:${ctx.person}`, MAX_TOLD));
}

async function tell(ctx: ReceivedContext, error: unknown): Promise<void> {
  const { callbackQuery } = ctx;
  // Shows a limit only to the person who pressed; a temporary failure stays in the chat, so that its retry can replace it.
  if (callbackQuery !== undefined && !ctx.isPrivate && !mayPass(error))
    ctx.outbox.ephemeral ??= ephemeralToSender(callbackQuery);
  const retryButton = buttonAfter(ctx, error);
  const keyboard = retryButton === undefined ? {} : { keyboard: () => [[retryButton]] };
  try {
    await answer(ctx, failureWords(ctx, error), { ...keyboard, interim: 'text' });
    if (isFailure(error)) await sayToListener(ctx, sentenceFor(error));
  } catch (refusal) {
    if (!isRefusal(refusal)) throw refusal;
    // The answer itself was refused, and would be again.
    ctx.bot.log.warn({ error: refusal, update: ctx.update.update_id }, 'sending an error message failed');
  }
}

function buttonAfter(ctx: ReceivedContext, error: unknown): Button | undefined {
  const nextTryAt = isFailure(error) ? error.nextTryAt : undefined;
  if (ctx.rest) return restButton(ctx, ctx.rest, nextTryAt);
  if (mayPass(error)) return tryAgainButton(ctx, nextTryAt);
  if (!isFailure(error, 'limit-group') || ctx.person === String(ctx.chat.id)) return undefined;
  // In the private chat only the person's own limit counts.
  return { text: ctx.words('button-private-chat'), url: `https://t.me/${ctx.botInfo.username}` };
}

const MINUTE_MS = 60_000;

/** Bounds notices that many requests would repeat: a flood of them would make Telegram refuse the bot. */
export class NoticeLimit {
  /** How often each notice was asked for in this minute, by its key. */
  readonly #asked = new Map<string, number>();
  #minute = 0;

  /** Whether the notice with this key may be sent now, for at most `max` times in a minute of the clock; counts it as sent. */
  may(key: string, max: number): boolean {
    const minute = Math.floor(performance.now() / MINUTE_MS);
    if (minute !== this.#minute) this.#asked.clear();
    this.#minute = minute;
    const times = (this.#asked.get(key) ?? 0) + 1;
    this.#asked.set(key, times);
    return times <= max;
  }
}

interface ApologyDeps {
  readonly api: BotApi;
  readonly words: Words;
  readonly log: Log;
  readonly access: Pick<Access, 'isBlocked'>;
}

/**
 * Tells the sender of a request that it could not be handled; the sender of a guest query by editing its placeholder. Logs an unreachable
 * sender. Uses Telegram's language, not the session's: the database may be down.
 */
export async function apologise(
  { api, words, log, access }: ApologyDeps,
  body: unknown,
  { sent }: Pick<RequestRow, 'sent'>,
): Promise<void> {
  const parsed = parseUpdate(body);
  if (parsed === undefined || parsed.kind === 'inline' || parsed.message === undefined) return;
  const { message, update } = parsed;
  const isGuest = parsed.kind === 'guest';
  const from = isGuest ? message.from : parsed.from;
  const asker = askerOf({ from, chat: message.chat });
  // A guest's chat is not one of the bot's.
  if (await access.isBlocked(isGuest ? { ...asker, group: undefined } : asker)) return;
  const text = words(interfaceLanguage(from?.language_code), 'given-up');
  try {
    if (isGuest) {
      for (const { id } of sent)
        if (typeof id === 'string') await api.editMessageText(undefined, undefined, id, text);
      return;
    }
    // A channel's post asks for nothing.
    if (message.chat.type === 'channel' && !('callback_query' in update)) return;
    const reply_parameters = { message_id: message.message_id, allow_sending_without_reply: true };
    await api.callApi('sendMessage', { chat_id: message.chat.id, text, reply_parameters });
  } catch (error) {
    log.warn({ error }, 'sending an apology failed');
  }
}
