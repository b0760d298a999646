/** /usage: shows the paid calls and cost of a person, and of the group it is asked in: today, this month, left and saved. */
import { yuan } from '../src/paid-calls.ts';
import type { Usage } from '../src/store/money/accounting.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { answer, notice } from '../src/telegram/outbox/answer.ts';
import type { Command } from '../src/telegram/request/command.ts';

/** In a group, shows both accounts; only the group's if it is asked in the group's name. */
export const usage: Command<BotContext> = {
  name: 'usage',
  menu: 'everybody',
  isEphemeral: true,
  isPersonal: true,
  handle: async (ctx) => {
    const { person, group } = ctx.asker;
    const { accounting } = ctx.bot;
    const own = figures(ctx, await accounting.personUsage(person));
    if (group === undefined) return notice(ctx, 'usage-person', { args: own });
    const all = figures(ctx, await accounting.groupUsage(group));
    if (person === group) return notice(ctx, 'usage-group', { args: all });
    await answer(ctx, [ctx.words('usage-person', own), ctx.words('usage-group', all)].join('\n\n'));
  },
};

function figures(ctx: BotContext, { today, month, saved, left, limit }: Usage) {
  return {
    today: today.calls,
    todayCost: yuan(today.cost),
    month: month.calls,
    monthCost: yuan(month.cost),
    saved: saved.calls,
    savedCost: yuan(saved.cost),
    left: Number.isFinite(limit) ? ctx.words('usage-left', { left, limit }) : ctx.words('usage-unlimited'),
  };
}
