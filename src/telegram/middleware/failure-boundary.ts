/** Logs the failures that handlers throw, and reports them to the person. */
import type { Middleware } from 'telegraf';
import { isFailure, mayPass } from '../../errors.ts';
import { type Button, restButton, tryAgainButton } from '../answer/buttons.ts';
import { askBeforeCost } from '../answer/cost-question.ts';
import { failureWords, sentenceFor } from '../answer/failure-words.ts';
import { isOutage, isRefusal, isUnreachable } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import { sayToListener } from '../outbox/aloud.ts';
import { answer } from '../outbox/answer.ts';
import { ephemeralToSender } from '../request/ephemeral.ts';
import { senderId } from '../request/identity.ts';

/**
 * The number of database failures in a row at which the sender is told. The first is not worth it: the retry comes half a second later and
 * mostly succeeds.
 */
const TOLD_AT_FAILURE = 2;

/**
 * Catches errors of the later middleware. Throws only those that the queue retries: when Telegram or the database is unreachable, when the
 * process stops, and unforeseen ones.
 */
export function tellFailures(): Middleware<ReceivedContext> {
  const mayTellLimit = createLimitNotices();
  /** Only people who asked are told of failures. After an edit the words replace an answer that would mislead. */
  const isToBeTold = (ctx: ReceivedContext, error: unknown): boolean => {
    // Whoever has the answer would doubt it; the queue retries what could not be stored.
    if (isFailure(error, 'database') && ctx.outbox.given.length > 0) return false;
    if (ctx.edit !== 'none') return true;
    return !ctx.isOverheard && (!lasts(error) || mayTellLimit(`${ctx.chat.id}:${ctx.person}`));
  };
  return async (ctx, next) => {
    const { update_id } = ctx.update;
    try {
      await next();
    } catch (error) {
      if (isUnreachable(error)) {
        ctx.bot.log.info({ update: update_id }, 'the chat is unreachable: the bot was blocked or removed');
        return;
      }
      if (ctx.stopping.aborted || isOutage(error)) throw error;
      if (isFailure(error, 'cancelled')) return;
      if (!isFailure(error) && !isRefusal(error)) throw error;
      if (isFailure(error, 'costly')) {
        if (!ctx.isOverheard) await askBeforeCost(ctx, error);
        return;
      }
      const level = isFailure(error, 'paused') ? 'debug' : isFailure(error) ? 'warn' : 'error';
      ctx.bot.log[level]({ error, update: update_id, kind: ctx.updateType }, 'a request failed');
      if (isFailure(error, 'file-unserved')) ctx.bot.alert({ reason: 'files' });
      if (isFailure(error, 'database')) {
        const failures = ctx.work.request.failures + 1;
        if (failures >= TOLD_AT_FAILURE) ctx.bot.alert({ reason: 'database' });
        if (failures !== TOLD_AT_FAILURE) throw error;
      }
      // The failure may have come before the check for blocked people.
      const isIgnored = await ctx.bot.access.isBlocked({ ...ctx.asker, person: senderId(ctx) });
      if (!isIgnored && isToBeTold(ctx, error)) await tell(ctx, error);
      // Nothing is paid for yet: the queue retries until the database works.
      if (isFailure(error, 'database')) throw error;
    }
  };
}

/** Limits and pauses last: do not repeat them for every request. */
function lasts(error: unknown): boolean {
  return isFailure(error) && /^limit-|^paused$/.test(error.kind);
}

async function tell(ctx: ReceivedContext, error: unknown): Promise<void> {
  const { callbackQuery } = ctx;
  // Shows a limit only to the person who pressed; a temporary failure stays in the chat, so that its retry can replace it.
  if (callbackQuery !== undefined && !ctx.isPrivate && !mayPass(error))
    ctx.outbox.ephemeral ??= ephemeralToSender(callbackQuery);
  const wayOn = await wayOnAfter(ctx, error);
  const keyboard = wayOn === undefined ? {} : { keyboard: () => [[wayOn]] };
  try {
    await answer(ctx, failureWords(ctx, error), { ...keyboard, interim: 'text' });
    if (isFailure(error)) await sayToListener(ctx, sentenceFor(error));
  } catch (refusal) {
    if (!isRefusal(refusal)) throw refusal;
    // The answer itself was refused, and would be again.
    ctx.bot.log.warn({ error: refusal, update: ctx.update.update_id }, 'sending an error message failed');
  }
}

/** The button that helps the person on, if there is one. */
async function wayOnAfter(ctx: ReceivedContext, error: unknown): Promise<Button | undefined> {
  if (ctx.rest !== undefined) return restButton(ctx, ctx.rest);
  if (mayPass(error)) return tryAgainButton(ctx);
  if (!isFailure(error, 'limit-group') || ctx.person === String(ctx.chat.id)) return undefined;
  const alone = { person: ctx.person, group: undefined };
  const left = await ctx.bot.accounting.leftToday(alone).catch(() => undefined);
  if (left === undefined || left.person.left === 0) return undefined;
  // In the private chat only the person's own limit counts.
  return { text: ctx.words('button-private-chat'), url: `https://t.me/${ctx.botInfo.username}` };
}

/** Notices in a row; then one for each interval. */
const MAX_AT_ONCE = 20;
const ONE_MORE_EVERY_MS = 60_000;
/** Beyond this number, idle keys are dropped. */
const MAX_KEYS = 10_000;

/** Whether the notice with this key may be sent now; counts it as sent. */
type LimitNotices = (key: string) => boolean;

/** Limits notices in this process: `maxAtOnce` in a row, then one a minute. `now`: a monotonic clock, in ms. */
export function createLimitNotices(
  maxAtOnce = MAX_AT_ONCE,
  now: () => number = () => performance.now(),
): LimitNotices {
  /** By key: the theoretical arrival time of the generic cell rate algorithm. */
  const dueAt = new Map<string, number>();
  let sweptAt = 0;

  const sweep = (quietSince: number): void => {
    for (const [key, at] of dueAt) if (at <= quietSince) dueAt.delete(key);
  };

  return (key) => {
    const time = now();
    const quietSince = time - maxAtOnce * ONE_MORE_EVERY_MS;
    const due = Math.max(dueAt.get(key) ?? quietSince, quietSince);
    if (due + ONE_MORE_EVERY_MS > time) return false;
    // At most once a minute: a flood must not slow every notice down.
    if (dueAt.size >= MAX_KEYS && time - sweptAt >= ONE_MORE_EVERY_MS) {
      sweptAt = time;
      sweep(quietSince);
    }
    dueAt.set(key, due + ONE_MORE_EVERY_MS);
    return true;
  };
}
