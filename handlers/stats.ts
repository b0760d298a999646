/** /stats: shows admins what the whole bot does and costs: a table, and a bar for each of the last 14 days. */
import { yuan } from '../src/paid-calls.ts';
import type { DayStats } from '../src/store/money/ledger.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { say } from '../src/telegram/reply/answer.ts';
import type { Command } from '../src/telegram/request/command.ts';

/** The columns of the table, in UTC days, today included. */
const PERIODS = [1, 7, 30] as const;
const MAX_PERIOD = 30;
const BAR_DAYS = 14;
const BARS = '▁▂▃▄▅▆▇█';
/** The rows, in order; `locales/` labels each under `stats-…`. */
const FIGURES: Readonly<Record<string, (day: DayStats) => number>> = {
  uses: callsOf,
  yuan: ({ cost }) => cost,
  photos: ({ calls }) => calls.recognition,
  texts: ({ calls }) => calls.translation,
  speech: ({ calls }) => calls.speech,
};

/** Tells anybody else only their own id. */
export const stats: Command<BotContext> = {
  name: 'stats',
  menu: 'admins',
  // Telegram does not show people their own id, which an operator needs for ADMIN_IDS.
  notAdmins: 'stats-admins-only',
  // An admin who is locked out needs that id.
  isForStrangers: () => true,
  handle: async (ctx) => {
    const { ledger } = ctx.bot;
    const days = await ledger.days(MAX_PERIOD);
    const { people, groups } = await ledger.visitorsToday();
    const rows = [
      [...PERIODS.map(String), ctx.words('stats-days')],
      ...Object.entries(FIGURES).map(([name, figure]) => {
        const daily = days.map(figure);
        const totals = PERIODS.map((length) => daily.slice(-length).reduce((sum, one) => sum + one, 0));
        return [...totals.map(name === 'yuan' ? shortYuan : String), ctx.words(`stats-${name}`)];
      }),
      // Visitors are counted by day: whoever comes back tomorrow counts again.
      [String(people), '', '', ctx.words('stats-people')],
      [String(groups), '', '', ctx.words('stats-groups')],
    ];
    const bars = barsOf(days.slice(-BAR_DAYS).map(callsOf));
    const table = `${inColumns(rows)}\n${bars}  ${ctx.words('stats-bars', { days: BAR_DAYS })}`;
    // The title comes first, since Telegram trims spaces at the beginning of a message, and with them the table's.
    const title = [
      ctx.words('stats-version', { version: ctx.bot.version }),
      ...budgetLine(ctx, await ledger.costToday()),
    ].join('\n');
    const notes = [
      ctx.words('stats-note'),
      ctx.words('stats-dead-letters', { count: (await ctx.bot.requests.deadLetters()).length }),
    ];
    await say(ctx, [title, table, ...notes].join('\n'), {
      entities: [{ type: 'pre', offset: title.length + 1, length: table.length }],
    });
  },
};

/** How much of today's budget is spent, in fen; nothing without a budget. */
function budgetLine(ctx: BotContext, spent: number): string[] {
  const { budget } = ctx.bot.ledger;
  if (!Number.isFinite(budget)) return [];
  const percent = budget === 0 ? 100 : Math.round((100 * spent) / budget);
  return [ctx.words('stats-budget', { spent: shortYuan(spent), budget: shortYuan(budget), percent })];
}

function callsOf({ calls }: DayStats): number {
  return calls.recognition + calls.translation + calls.speech;
}

/** A bar for each count, relative to the largest; the lowest bar stands for none at all. */
function barsOf(counts: readonly number[]): string {
  const most = Math.max(1, ...counts);
  return counts.map((count) => BARS[Math.ceil((count / most) * (BARS.length - 1))]).join('');
}

/** Large sums without fen: a phone's table is 30 letters wide. */
function shortYuan(fen: number): string {
  return fen < 10_000 ? yuan(fen) : (fen / 100).toFixed(0);
}

/** Aligns the figures, with the labels behind them: Tibetan and Chinese labels before them would push them out of line. */
function inColumns(rows: readonly (readonly string[])[]): string {
  const widths = PERIODS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ');
  return rows.map(line).join('\n');
}
