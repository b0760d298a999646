/** /cancel: by the time it comes here, everything before it has stopped (src/telegram/middleware/cancelling.ts); its sender is told. */
import { notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';

/** Says whether anything was stopped. */
export async function cancel(ctx: BotContext): Promise<void> {
  const stopped = await ctx.bot.cancellations.finish(ctx.update.update_id, ctx.person);
  await notice(ctx, stopped > 0 ? 'cancelled' : 'nothing-to-cancel');
}
