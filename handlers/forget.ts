/** /forget: erases everything kept about a person, after a confirming button. */
import { confirm, notice } from '../src/telegram/answer/sending.ts';
import type { BotContext, PressContext } from '../src/telegram/context.ts';

/** Asks first; nothing is erased yet. */
export function forget(ctx: BotContext): Promise<void> {
  const button = { text: ctx.words('button-forget'), callback_data: `forget:${ctx.person}` };
  return notice(ctx, 'forget-sure', { keyboard: [[button]] });
}

/** A press on that button, by that person; what an anonymous admin asked in the chat's name, by any admin (presses.ts). */
export async function forgetPressed(ctx: PressContext): Promise<void> {
  const [, asker = ''] = ctx.match;
  await ctx.bot.forget(asker, ctx);
  await confirm(ctx, 'forgotten');
  if (asker === ctx.person) ctx.keptSession = undefined;
}
