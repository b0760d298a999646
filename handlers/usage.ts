/**
 * /usage: the paid calls of a person, and of the group it is asked in: today, this month; and what is left. /quota: group admins lower the
 * number of paid calls that their group may cause per day.
 */
import type { Usage } from '../src/store/money/ledger.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { notice, say } from '../src/telegram/reply/answer.ts';
import { forFree, leftInWords, withCost } from '../src/telegram/reply/calls.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { isFromGroupAdmin } from '../src/telegram/request/identity.ts';

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

/** A number of calls sets the limit of a group, `off` removes it; without a word it shows the limit. */
export const quota: Command<BotContext> = {
  name: 'quota',
  menu: 'group-admins',
  handle: async (ctx, payload) => {
    const { group } = ctx.asker;
    if (group === undefined) return notice(ctx, 'quota-groups-only');
    if (!(await isFromGroupAdmin(ctx.bot.api, ctx.message))) return notice(ctx, 'quota-admins-only');
    const word = payload.toLowerCase();
    const most = ctx.bot.ledger.limits.callsPerGroup;
    const calls = /^\d{1,9}$/.test(word) ? Number(word) : undefined;
    const isKnown = word === '' || word === 'off' || (calls !== undefined && calls <= most);
    if (!isKnown)
      return notice(ctx, Number.isFinite(most) ? 'quota-wrong' : 'quota-wrong-unbounded', { args: { most } });
    if (word !== '') await ctx.bot.groups.setLimit(group, calls ?? null);
    const { limit, left } = await ctx.bot.ledger.leftOfGroup(group);
    if (!Number.isFinite(limit)) return notice(ctx, 'quota-none');
    await notice(ctx, calls === undefined ? 'quota-present' : 'quota-set', { args: { limit, left } });
  },
};
