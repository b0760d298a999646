/** The one place where failures become words: what a handler throws is logged here, and told to the person. */
import type { Middleware } from 'telegraf';
import { isFailure, mayPass } from '../../errors.ts';
import { type Button, privateChatButton, tryAgainButton } from '../answer/buttons.ts';
import { askBeforeCost } from '../answer/cost-question.ts';
import { failureWords } from '../answer/failure-words.ts';
import { sayTopicsClosed } from '../answer/posting.ts';
import { answer } from '../answer/sending.ts';
import { isOutage, isRefusal, isTopicClosed, isUnreachable } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import { forSenderOf } from '../request/ephemeral.ts';
import { senderId } from '../request/identity.ts';

/** A first failure is not told: half a second later the request is tried again, and mostly answered. */
const TOLD_FROM_FAILURE = 2;

/**
 * Catches what the later middleware throws. Throws only what the queue is to try again: while Telegram or the database is out of
 * reach, when the process stops, and unforeseen errors.
 */
export function failuresBecomeWords(): Middleware<ReceivedContext> {
  /** Updates that wait for the database, and how often it has failed them: each sender is told once, however often it is tried. */
  const databaseFailures = new Map<number, number>();
  const mayTellLimit = createLimitNotices();
  /** People who asked for nothing are not told that it failed. After an edit the words replace an answer that misleads. */
  const isToBeTold = (ctx: ReceivedContext, error: unknown): boolean => {
    // A person who has the answer already would think that it does not count; what could not be written down is tried again.
    if (isFailure(error, 'database') && ctx.answering.given.length > 0) return false;
    if (ctx.edit !== 'none') return true;
    return !ctx.isOverheard && (!isForLong(error) || mayTellLimit(`${ctx.chat.id}:${ctx.person}`));
  };
  return async (ctx, next) => {
    const { update_id } = ctx.update;
    try {
      await next();
      databaseFailures.delete(update_id);
    } catch (error) {
      if (!isFailure(error, 'database')) databaseFailures.delete(update_id);
      if (isUnreachable(error)) {
        ctx.bot.log.info({ update: update_id }, 'the chat cannot be reached');
        if (isTopicClosed(error)) await sayTopicsClosed(ctx);
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
        const failures = (databaseFailures.get(update_id) ?? 0) + 1;
        databaseFailures.set(update_id, failures);
        if (failures >= TOLD_FROM_FAILURE) ctx.bot.alert({ reason: 'database' });
        if (failures !== TOLD_FROM_FAILURE) throw error;
      }
      // What fails before it is known who asks fails for a blocked person, too.
      const isIgnored = await ctx.bot.access.isBlocked({ ...ctx.asker, person: senderId(ctx) });
      if (!isIgnored && isToBeTold(ctx, error)) await tell(ctx, error);
      // Nothing of it was done, and it costs nothing to wait: the queue tries again until the database can be written.
      if (isFailure(error, 'database')) throw error;
    }
  };
}

/** A person who asks again meets the same failure: they need not hear it each time. */
function isForLong(error: unknown): boolean {
  return isFailure(error) && /^limit-|^paused$/.test(error.kind);
}

async function tell(ctx: ReceivedContext, error: unknown): Promise<void> {
  const { callbackQuery } = ctx;
  // A limit is the business of who pressed; what can be tried again is tried in its place.
  if (callbackQuery !== undefined && !ctx.isPrivate && !mayPass(error))
    ctx.forOne ??= forSenderOf(callbackQuery);
  const wayOn = await wayOnAfter(ctx, error);
  const keyboard = wayOn === undefined ? {} : { keyboard: () => [[wayOn]] };
  try {
    await answer(ctx, failureWords(ctx, error), { ...keyboard, isRepeatable: true });
  } catch (refusal) {
    if (!isRefusal(refusal)) throw refusal;
    if (isTopicClosed(refusal)) await sayTopicsClosed(ctx);
    // It was refused before that, and would be again.
    ctx.bot.log.warn({ error: refusal, update: ctx.update.update_id }, 'a failure could not be told');
  }
}

/** What the person can do about it with one press, if anything. */
async function wayOnAfter(ctx: ReceivedContext, error: unknown): Promise<Button | undefined> {
  if (mayPass(error))
    return tryAgainButton(ctx, ctx.updates, { isInPlace: true, earlier: ctx.answering.given });
  if (!isFailure(error, 'limit-group') || ctx.person === String(ctx.chat.id)) return undefined;
  const own = await ctx.bot.accounting.personUsage(ctx.person).catch(() => undefined);
  return own !== undefined && own.left > 0 ? privateChatButton(ctx) : undefined;
}

/** So often at once; then now and then. */
const MOST_AT_ONCE = 20;
const ONE_MORE_EVERY_MS = 60_000;
/** From so many people on, those who have been quiet are forgotten. */
const MOST_KEPT = 10_000;

/** Tells whether the notice with this key may be said now, and counts it as said. */
type LimitNotices = (key: string) => boolean;

/** Notices of one process, so many at once, then one a minute; `now` in ms, of a clock that is never set back. */
export function createLimitNotices(
  mostAtOnce = MOST_AT_ONCE,
  now: () => number = () => performance.now(),
): LimitNotices {
  /** By key, until when its notices are used up at one for each interval (the generic cell rate algorithm). */
  const dueAt = new Map<string, number>();
  let sweptAt = 0;

  const sweep = (quietSince: number): void => {
    for (const [key, at] of dueAt) if (at <= quietSince) dueAt.delete(key);
  };

  return (key) => {
    const time = now();
    const quietSince = time - mostAtOnce * ONE_MORE_EVERY_MS;
    const due = Math.max(dueAt.get(key) ?? quietSince, quietSince);
    if (due + ONE_MORE_EVERY_MS > time) return false;
    // Now and then only: a crowd that floods must not make each of its notices slow.
    if (dueAt.size >= MOST_KEPT && time - sweptAt >= ONE_MORE_EVERY_MS) {
      sweptAt = time;
      sweep(quietSince);
    }
    dueAt.set(key, due + ONE_MORE_EVERY_MS);
    return true;
  };
}
