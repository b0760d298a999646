/** How paid calls are shown: people count in calls, and only admins see their cost. */
import type { Failure } from '../../errors.ts';
import { yuan } from '../../paid-calls.ts';
import type { ReceivedContext } from '../context.ts';
import { answer } from './answer.ts';
import type { Keyboard } from './buttons.ts';
import { startsAgain } from './failure-words.ts';
import { sayToListener } from './media.ts';

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
  const { person, group, budget } = await ctx.bot.ledger.leftToday(ctx.asker);
  const everybody = Math.floor(budget / ctx.bot.interpreter.provider.prices.translation);
  const own = Math.min(person.left, group.left);
  const lines = [
    ...(Number.isFinite(person.limit) ? [ctx.words('left-person', { ...person })] : []),
    ...(Number.isFinite(group.limit) ? [ctx.words('left-group', { ...group })] : []),
    ...(everybody < own ? [ctx.words('left-everybody', { left: everybody })] : []),
  ];
  return Math.min(own, everybody) > 0 ? lines : [...lines, startsAgain(ctx)];
}

/** Says what many paid calls cost before they are made, and parks the request under the question. */
export async function askBeforeCost(ctx: ReceivedContext, { price }: Failure): Promise<void> {
  const { calls, cost, isAtLeast } = price ?? { calls: 0, cost: 0, isAtLeast: false };
  const takes = withCost(ctx, ctx.words(isAtLeast ? 'costly-at-least' : 'costly', { calls }), cost);
  const { id, lane } = ctx.work.request;
  const keyboard: Keyboard = [
    [
      { text: ctx.words('button-go-on'), callback_data: `go:${id}:${lane}`, style: 'success' },
      { text: ctx.words('button-no'), callback_data: `no:${id}:${lane}` },
    ],
  ];
  const question = [takes, ...(await leftInWords(ctx)), ...forFree(ctx), ctx.words('costly-sure')].join('\n');
  await answer(ctx, question, { keyboard: () => keyboard, interim: 'question' });
  await sayToListener(ctx, 'costly-aloud');
  ctx.ending = { state: 'asked', consent: calls };
}
