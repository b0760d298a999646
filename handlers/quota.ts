/** /quota: group admins lower the number of paid calls that their group may cause per day. */
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/outbox/answer.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { isFromGroupAdmin } from '../src/telegram/request/identity.ts';

/** A number of calls sets the limit, `off` removes it; without a word it shows the limit. */
export const quota: Command<BotContext> = {
  name: 'quota',
  menu: 'group-admins',
  handle: async (ctx, payload) => {
    const { group } = ctx.asker;
    if (group === undefined) return notice(ctx, 'quota-groups-only');
    if (!(await isFromGroupAdmin(ctx.bot.api, ctx.message))) return notice(ctx, 'quota-admins-only');
    const word = payload.toLowerCase();
    if (word === 'off') {
      await ctx.bot.groups.setLimit(group, null);
      return tellLimit(ctx, group, 'quota-present');
    }
    if (word === '') return tellLimit(ctx, group, 'quota-present');
    const most = ctx.bot.ledger.limits.callsPerGroup;
    const calls = /^\d{1,9}$/.test(word) ? Number(word) : Number.NaN;
    if (!(calls <= most)) {
      return notice(ctx, Number.isFinite(most) ? 'quota-wrong' : 'quota-wrong-unbounded', { args: { most } });
    }
    await ctx.bot.groups.setLimit(group, calls);
    await tellLimit(ctx, group, 'quota-set');
  },
};

async function tellLimit(ctx: BotContext, group: string, id: string): Promise<void> {
  const { limit, left } = await ctx.bot.ledger.leftOfGroup(group);
  if (!Number.isFinite(limit)) return notice(ctx, 'quota-none');
  await notice(ctx, id, { args: { limit, left } });
}
