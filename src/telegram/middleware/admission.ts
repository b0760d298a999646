/** Decides who may use the bot (spec §8), before anything is paid for. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Verdict } from '../../store/access/access.ts';
import { askButton, noteNames, requestAccess, TOLD_WITHIN_MS } from '../answer/admission.ts';
import type { BotContext, ReceivedContext } from '../context.ts';
import { notice } from '../outbox/answer.ts';
import { askerOf } from '../request/identity.ts';
import type { NoticeLimit } from './failure-boundary.ts';

/** How many messages of the same stranger are answered in a minute. */
const MAX_TOLD = 2;

/**
 * Whether the person may use the bot, or strangers may make the request. Blocked people get no answer. A stranger is told in private how to
 * ask to be let in; a group is told once that it waits. Throws `paused` in a pause, and `database`.
 */
export async function isAdmitted(ctx: BotContext, notices: NoticeLimit): Promise<boolean> {
  noteNames(ctx.bot, ctx);
  const verdict = await verdictOn(ctx);
  if (verdict === 'in') return true;
  const { intent, bot } = ctx;
  if (verdict === 'blocked') {
    if (ctx.isPrivate && intent.kind === 'command') await intent.command?.handleUnanswered?.(ctx);
    return false;
  }
  if (isForStrangers(intent)) return true;
  if (ctx.isOverheard) return false;
  if (!ctx.isPrivate)
    return (await isLetInSoon(ctx)) || (await requestAccess(ctx, 'group')).standing === 'member';
  if (!notices.may(`stranger:${ctx.person}`, MAX_TOLD)) return false;
  const admission = await bot.access.admissions.find(ctx.person);
  if (admission?.standing === 'asking') await notice(ctx, 'access-waits');
  else await notice(ctx, 'access-stranger', { keyboard: [[askButton(ctx)]] });
  return false;
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

function isForStrangers(intent: BotContext['intent']): boolean {
  if (intent.kind === 'callback') return intent.matched?.callback.isForStrangers === true;
  return intent.kind === 'command' && intent.command?.isForStrangers?.(intent.payload) === true;
}
