/** /stats: what the whole bot does and costs, for those who run it: in words, and as a picture of the last 30 days. */
import { drawDailyCalls } from '../src/media/picture/daily-calls-chart.ts';
import type { DayStats } from '../src/store/money/accounting.ts';
import { costYuan } from '../src/store/money/price.ts';
import { answerWithPicture, notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';

const PERIODS = [
  { title: 'stats-today', length: 1 },
  { title: 'stats-week', length: 7 },
  { title: 'stats-month', length: 30 },
] as const;
const CHART_DAYS = 30;

/** Anybody but those in `ADMIN_IDS` is told only their own number. */
export async function stats(ctx: BotContext): Promise<void> {
  const isAdmin = ctx.bot.adminIds.some((id) => String(id) === ctx.person);
  // Telegram shows nobody their own number, which whoever sets the bot up needs.
  if (!isAdmin) return notice(ctx, 'stats-admins-only', { args: { id: ctx.person } });
  const days = await ctx.bot.accounting.days(CHART_DAYS);
  const periods = await Promise.all(
    PERIODS.map(async ({ title, length }) =>
      ctx.words('stats-period', {
        title: ctx.words(title),
        ...sums(days.slice(-length)),
        ...(await ctx.bot.accounting.visitors(length)),
      }),
    ),
  );
  const setAside = ctx.words('stats-set-aside', { count: await ctx.bot.countSetAside() });
  const chart = await drawDailyCalls(days.map(({ day, calls, reused }) => ({ day, ...calls, reused })));
  const version = ctx.words('stats-version', { version: ctx.bot.version });
  const closing = [ctx.words('stats-legend'), version].join('\n');
  await answerWithPicture(ctx, chart, [...periods, setAside, closing].join('\n\n'));
}

function sums(days: readonly DayStats[]) {
  const sum = (figure: (day: DayStats) => number) => days.reduce((total, day) => total + figure(day), 0);
  const recognition = sum(({ calls }) => calls.recognition);
  const translation = sum(({ calls }) => calls.translation);
  const speech = sum(({ calls }) => calls.speech);
  const reused = sum((day) => day.reused);
  const paid = recognition + translation + speech;
  const hitRate = Math.round((100 * reused) / Math.max(1, paid + reused));
  return { paid, cost: costYuan(paid).toFixed(2), recognition, translation, speech, reused, hitRate };
}
