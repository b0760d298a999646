/** /forget: erases everything kept about a person, after a confirming button that works for that person alone. */
import { confirm, notice } from '../src/telegram/answer/sending.ts';
import type { BotContext, PressContext } from '../src/telegram/context.ts';
import { isGroupAdmin } from '../src/telegram/message/group-admin.ts';

/** Asks first; nothing is erased yet. */
export function forget(ctx: BotContext): Promise<void> {
  const button = { text: ctx.words('button-forget'), callback_data: `forget:${ctx.person}` };
  return notice(ctx, 'forget-sure', { keyboard: [[button]] });
}

/** A press on that button. */
export async function forgetPressed(ctx: PressContext): Promise<void> {
  const [, asker = ''] = ctx.match;
  const isOwn = asker === ctx.person;
  if (!isOwn && !(await mayActForChat(ctx, asker))) return notice(ctx, 'forget-not-yours');
  await ctx.bot.forget(asker, ctx);
  await confirm(ctx, 'forgotten');
  if (isOwn) ctx.keptSession = undefined;
}

/** What an anonymous admin asked in the chat's name, any admin may confirm: a press always has a person's name. */
async function mayActForChat(ctx: PressContext, asker: string): Promise<boolean> {
  return asker === String(ctx.chat.id) && (await isGroupAdmin(ctx, ctx.callbackQuery?.from.id ?? 0));
}
