/** Takes progress messages away with the end of the work, even of work that a crash cut off. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Middleware } from 'telegraf';
import type { ProgressMessage } from '../../store/kept/progress-messages.ts';
import { removeProgress } from '../answer/progress.ts';
import type { ReceivedContext } from '../context.ts';

/** Longest that the person's next request waits for a removal, in ms. */
const PATIENCE_MS = 5000;

/** Removes what an earlier attempt at the same work has left, and holds the work until its own is removed. */
export function leavesNoProgress(): Middleware<ReceivedContext> {
  return async (ctx, next) => {
    const leftOver = ctx.mayHaveBegun ? await leftOverOf(ctx) : [];
    for (const progress of leftOver) ctx.removals.push(removeProgress(ctx, progress));
    try {
      await next();
    } finally {
      if (ctx.removals.length > 0) {
        await Promise.race([Promise.allSettled(ctx.removals), delay(PATIENCE_MS)]);
      }
    }
  };
}

async function leftOverOf({ bot, update }: ReceivedContext): Promise<ProgressMessage[]> {
  return bot.progressMessages.ofUpdate(update.update_id).catch((error: unknown) => {
    bot.log.warn({ error }, 'left-over progress messages could not be looked for');
    return [];
  });
}
