/** The bot is added to a group, removed from one, or its group becomes a supergroup. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Middleware } from 'telegraf';
import type { ChatMember } from 'telegraf/types';
import { notice } from '../src/telegram/answer/sending.ts';
import { isOutage } from '../src/telegram/api/api-errors.ts';
import type { ReceivedContext } from '../src/telegram/context.ts';

/** Telegram tells of an upgrade and of the bot being in the new supergroup at one moment, in no certain order; in ms. */
const UPGRADE_TOLD_WITHIN_MS = 2000;

/** Takes what befalls the bot in a group, and lets everything else pass. */
export function membership(): Middleware<ReceivedContext> {
  return async (ctx, next) => {
    const { asked } = ctx;
    if (asked.kind === 'upgrade') return ctx.bot.groups.upgrade(String(asked.from), String(asked.to));
    if (asked.kind !== 'membership') return next();
    const { chat, date, old_chat_member: before, new_chat_member: after } = asked.change;
    if (chat.type !== 'group' && chat.type !== 'supergroup') return;
    if (!isInside(before) && isInside(after)) await added(ctx, String(chat.id), date);
    if (isInside(before) && !isInside(after)) await removed(ctx, chat.id);
  };
}

/** `date` in seconds since the epoch, as Telegram tells it. */
async function added(ctx: ReceivedContext, group: string, date: number): Promise<void> {
  await ctx.bot.groups.join(group, date * 1000);
  if (ctx.chat.type === 'supergroup') {
    await delay(UPGRADE_TOLD_WITHIN_MS, undefined, { signal: ctx.stopping });
    const { isUpgraded } = await ctx.bot.groups.settings(group);
    if (isUpgraded) return;
  }
  await notice(ctx, 'welcome', { args: { username: ctx.botInfo.username } });
}

async function removed(ctx: ReceivedContext, group: number): Promise<void> {
  const became = await presentId(ctx, group);
  if (became === group) await ctx.bot.groups.leave(String(group));
  else await ctx.bot.groups.upgrade(String(group), String(became));
}

/** The id of what the group is now: another one where it was left behind by an upgrade. */
async function presentId(ctx: ReceivedContext, group: number): Promise<number> {
  try {
    return (await ctx.telegram.getChat(group)).id;
  } catch (error) {
    if (isOutage(error)) throw error;
    return group;
  }
}

function isInside(member: ChatMember): boolean {
  if (member.status === 'restricted') return member.is_member;
  return member.status !== 'left' && member.status !== 'kicked';
}
