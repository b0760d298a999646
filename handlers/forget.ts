/** /forget: erases everything kept about a person, after a confirming button that works for that person alone. */
import type { BotContext, PressContext } from '../src/telegram/context.ts';
import { confirm, notice } from '../src/telegram/sending.ts';

export function forget(ctx: BotContext): Promise<void> {
  const button = { text: ctx.words('button-forget'), callback_data: `forget:${ctx.person}` };
  return notice(ctx, 'forget-sure', { keyboard: [[button]] });
}

export async function forgetPressed(ctx: PressContext): Promise<void> {
  if (ctx.match[1] !== ctx.person) return notice(ctx, 'forget-not-yours');
  await ctx.bot.forget(ctx.person);
  await confirm(ctx, 'forgotten');
  ctx.dropSession();
}
