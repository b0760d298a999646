/** How paid calls are shown: people count in calls, and only admins see their cost (spec §2, /usage). */
import { yuan } from '../../paid-calls.ts';
import type { ReceivedContext } from '../context.ts';
import { startsAgain } from './failure-words.ts';

/** The line for people who pay nothing: all but the admins. */
export function forFree(ctx: ReceivedContext): string[] {
  return ctx.bot.access.isAdmin(ctx.person) ? [] : [ctx.words('for-free')];
}

/** Adds the cost, in fen, for an admin. */
export function withCost(ctx: ReceivedContext, words: string, cost: number): string {
  return ctx.bot.access.isAdmin(ctx.person) ? ctx.words('with-cost', { words, cost: yuan(cost) }) : words;
}

/** The calls left today: the person's, the group's, and everybody's where these are fewer. No line for what has no limit. */
export async function leftInWords(ctx: ReceivedContext): Promise<string[]> {
  const { person, group, budget } = await ctx.bot.accounting.leftToday(ctx.asker);
  const everybody = Math.floor(budget / ctx.bot.interpreter.account.costOf(['translation']));
  const own = Math.min(person.left, group.left);
  const lines = [
    ...(Number.isFinite(person.limit) ? [ctx.words('left-person', { ...person })] : []),
    ...(Number.isFinite(group.limit) ? [ctx.words('left-group', { ...group })] : []),
    ...(everybody < own ? [ctx.words('left-everybody', { left: everybody })] : []),
  ];
  return Math.min(own, everybody) > 0 ? lines : [...lines, startsAgain(ctx)];
}
