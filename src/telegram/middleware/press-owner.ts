/** A press that changes nothing ends before its handler. */
import type { Middleware } from 'telegraf';
import type { BotContext } from '../context.ts';
import { isGroupAdmin } from '../message/group-admin.ts';
import { refusalOf } from '../message/presses.ts';

/** Lets a press pass where its button is the presser's; why another changes nothing was told as it came in (acknowledging.ts). */
export function pressesAreTheirOwners(): Middleware<BotContext> {
  return async (ctx, next) => {
    const press = ctx.callbackQuery;
    if (press === undefined || !('data' in press)) return next();
    const refusal = await refusalOf(press, (chat, user) => isGroupAdmin(ctx.bot.api, chat, user));
    if (refusal === undefined) await next();
  };
}
