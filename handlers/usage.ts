/** /usage: paid calls and cost of a person, or of a group when asked there: today, this month, what is left and what was saved. */
import { costYuan, type Usage } from '../src/store/accounting.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/sending.ts';

export async function usage(ctx: BotContext): Promise<void> {
  const { asker } = ctx;
  const own = await ctx.bot.accounting.personUsage(asker.person);
  if (asker.group === undefined) return notice(ctx, 'usage-person', { args: figures(ctx, own) });
  await notice(ctx, 'usage-group', { args: figures(ctx, await ctx.bot.accounting.groupUsage(asker.group)) });
}

function figures(ctx: BotContext, { today, month, saved, left, limit }: Usage) {
  return {
    today,
    todayCost: yuan(costYuan(today)),
    month,
    monthCost: yuan(costYuan(month)),
    saved,
    savedCost: yuan(costYuan(saved)),
    left: Number.isFinite(limit) ? ctx.words('usage-left', { left, limit }) : ctx.words('usage-unlimited'),
  };
}

function yuan(amount: number): string {
  return amount.toFixed(2);
}
