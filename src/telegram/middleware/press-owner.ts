/** A press that changes nothing ends before its handler. */
import type { Middleware } from 'telegraf';
import type { ReceivedContext } from '../context.ts';
import { refusalOf } from '../request/callback.ts';
import { isGroupAdmin } from '../request/group-admin.ts';

/** Lets a press pass where its button is the presser's; why another changes nothing was told as it came in (acknowledging.ts). */
export function pressesAreTheirOwners(): Middleware<ReceivedContext> {
  return async (ctx, next) => {
    const { asked, bot } = ctx;
    if (asked.kind !== 'callback') return next();
    const isAdmin = (chat: number, user: number) => isGroupAdmin(bot.api, chat, user);
    const refusal = await refusalOf(asked.pressed, asked.query, isAdmin);
    if (refusal === undefined) await next();
  };
}
