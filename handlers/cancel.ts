/** /cancel, and its button: by the time they come here, everything before them has stopped (src/telegram/middleware/cancelling.ts). */
import { removeProgress } from '../src/telegram/answer/progress.ts';
import { notice } from '../src/telegram/answer/sending.ts';
import type { BotContext, PressContext } from '../src/telegram/context.ts';

/** Says whether anything was stopped. */
export async function cancel(ctx: BotContext): Promise<void> {
  const stopped = await ctx.bot.cancellations.finish(ctx.update.update_id, ctx.person);
  await notice(ctx, stopped > 0 ? 'cancelled' : 'nothing-to-cancel');
}

/** Who pressed was told at once (acknowledging.ts); the message goes with the work, and here where that is over already. */
export async function cancelPressed(ctx: PressContext): Promise<void> {
  const message = ctx.callbackQuery?.message;
  if (message !== undefined)
    await removeProgress(ctx, { chat: message.chat.id, message: message.message_id });
}
