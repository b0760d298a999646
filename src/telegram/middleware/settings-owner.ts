/** Whose settings a button changes: it names them, since in a group anybody can press it. */
import type { Middleware } from 'telegraf';
import { notice } from '../answer/sending.ts';
import type { BotContext } from '../context.ts';
import { isGroupAdmin } from '../message/group-admin.ts';
import { settingsOwner } from '../message/identity.ts';

/**
 * Lets a press on a setting pass where it is the presser's own; what an anonymous admin asked for is the group's, and any of its
 * admins may press there. Others are told why nothing changes.
 */
export function settingsAreTheirOwners(): Middleware<BotContext> {
  return async (ctx, next) => {
    const press = ctx.callbackQuery;
    const owner = press !== undefined && 'data' in press ? settingsOwner(press.data) : undefined;
    if (press === undefined || owner === undefined || owner === String(press.from.id)) return next();
    if (owner !== ctx.person) return notice(ctx, 'settings-not-yours');
    if (!(await isGroupAdmin(ctx, press.from.id))) return notice(ctx, 'settings-of-group');
    await next();
  };
}
