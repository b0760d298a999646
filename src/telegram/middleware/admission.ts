/** Decides who may use the bot (spec §8), before anything is paid for. */
import { setTimeout as delay } from 'node:timers/promises';
import type { MiddlewareFn } from 'telegraf';
import type { Verdict } from '../../store/access/access.ts';
import { askButton, noteNames, requestGroupAccess, TOLD_WITHIN_MS } from '../answer/admission.ts';
import type { BotContext, ReceivedContext } from '../context.ts';
import { notice } from '../outbox/answer.ts';
import { askerOf } from '../request/identity.ts';
import { createLimitNotices } from './failure-boundary.ts';

/** How many messages in a row of the same stranger are answered; then one a minute (spec §8: one short answer). */
const TOLD_AT_ONCE = 2;

/**
 * Lets requests pass from people who may use the bot, and those that strangers may make. Blocked people get no answer. A stranger is told
 * in private how to ask to be let in; a group is told once that it waits. Throws `paused` in a pause, and `database`.
 */
export function requireAdmission(): MiddlewareFn<BotContext> {
  const mayTell = createLimitNotices(TOLD_AT_ONCE);
  return async (ctx, next) => {
    noteNames(ctx.bot, ctx);
    const verdict = await verdictOn(ctx);
    if (verdict === 'in') return next();
    if (verdict === 'blocked') return unanswered(ctx);
    if (isForStrangers(ctx)) return next();
    if (ctx.isOverheard) return;
    if (!ctx.isPrivate) {
      const isLetIn = (await isLetInSoon(ctx)) || (await requestGroupAccess(ctx)).standing === 'member';
      return isLetIn ? next() : undefined;
    }
    if (!mayTell(ctx.person)) return;
    const admission = await ctx.bot.access.admissions.find(ctx.person);
    if (admission?.standing === 'asking') return notice(ctx, 'access-waits');
    await notice(ctx, 'access-stranger', { keyboard: [[askButton(ctx)]] });
  };
}

/** For a chat's button, too, the person who pressed it counts. */
function verdictOn({ from, chat, bot }: ReceivedContext): Promise<Verdict> {
  return bot.access.verdict(askerOf({ from, chat }));
}

/** Whether a group is let in within a moment: it is being upgraded or invited. A group that has asked already does not wait for that. */
async function isLetInSoon(ctx: BotContext): Promise<boolean> {
  const { admissions } = ctx.bot.access;
  if ((await admissions.find(String(ctx.chat.id))) !== undefined) return false;
  await delay(TOLD_WITHIN_MS, undefined, { signal: ctx.stopping });
  return (await verdictOn(ctx)) === 'in';
}

function isForStrangers({ intent }: BotContext): boolean {
  if (intent.kind === 'callback') return intent.matched?.callback.isForStrangers === true;
  return intent.kind === 'command' && intent.command?.isForStrangers?.(intent.payload) === true;
}

async function unanswered(ctx: BotContext): Promise<void> {
  const { intent } = ctx;
  if (ctx.isPrivate && intent.kind === 'command') await intent.command?.handleUnanswered?.(ctx);
}
