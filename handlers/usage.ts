/** /usage: the paid calls of a person, and of the group it is asked in: today, this month; and what is left. */
import type { Usage } from '../src/store/money/ledger.ts';
import { forFree, leftInWords, withCost } from '../src/telegram/answer/calls.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { say } from '../src/telegram/outbox/answer.ts';
import type { Command } from '../src/telegram/request/command.ts';

/** In a group, shows both accounts; only the group's if the request is in the group's name. */
export const usage: Command<BotContext> = {
  name: 'usage',
  menu: 'everybody',
  isEphemeral: true,
  isPersonal: true,
  handle: async (ctx) => {
    const { person, group } = ctx.asker;
    const { ledger } = ctx.bot;
    const left = await leftInWords(ctx);
    const blocks: string[] = [];
    if (person !== group) {
      const { limit } = (await ledger.leftToday(ctx.asker)).person;
      blocks.push(inWords(ctx, 'usage-person', await ledger.usageOf('person', person), limit));
    }
    if (group !== undefined) {
      const { limit } = await ledger.leftOfGroup(group);
      blocks.push(inWords(ctx, 'usage-group', await ledger.usageOf('group', group), limit));
    }
    blocks.push([...(left.length === 0 ? [ctx.words('usage-unlimited')] : left), ...forFree(ctx)].join('\n'));
    await say(ctx, blocks.join('\n\n'));
  },
};

function inWords(
  ctx: BotContext,
  account: 'usage-person' | 'usage-group',
  usage: Usage,
  limit: number,
): string {
  const limited = account === 'usage-person' ? 'usage-person-of' : 'usage-group-of';
  const figure = (of: 'today' | 'month'): string => {
    const { calls, cost } = usage[of];
    const isLimited = of === 'today' && Number.isFinite(limit);
    return withCost(ctx, ctx.words(isLimited ? limited : 'usage-calls', { calls, limit }), cost);
  };
  return ctx.words(account, { today: figure('today'), month: figure('month') });
}
