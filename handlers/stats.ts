/** /stats: shows admins what the whole bot does and costs: a table, and a chart of the last 30 days. */
import { drawDailyCalls } from '../src/media/picture/daily-calls-chart.ts';
import { yuan } from '../src/paid-calls.ts';
import type { DayStats } from '../src/store/money/accounting.ts';
import { answerWithPicture } from '../src/telegram/answer/media-answer.ts';
import type { BotContext } from '../src/telegram/context.ts';
import type { Command } from '../src/telegram/request/command.ts';

/** The columns of the table, in UTC days, today included. */
const PERIODS = [1, 7, 30] as const;
const CHART_DAYS = 30;
/** The rows, in order; `locales/` labels each under `stats-…`. */
const FIGURES = [
  'uses',
  'yuan',
  'photos',
  'texts',
  'speech',
  'saved',
  'percent',
  'people',
  'groups',
] as const;

/** Tells anybody else only their own id. */
export const stats: Command<BotContext> = {
  name: 'stats',
  menu: 'admins',
  // Telegram does not show people their own id, which an operator needs for ADMIN_IDS.
  notAdmins: 'stats-admins-only',
  // An admin who is locked out needs that id.
  isForStrangers: () => true,
  handle: async (ctx) => {
    const days = await ctx.bot.accounting.days(CHART_DAYS);
    const periods = await Promise.all(
      PERIODS.map(async (length) => ({
        ...sums(days.slice(-length)),
        ...(await ctx.bot.accounting.visitors(length)),
      })),
    );
    const table = inColumns([
      { label: ctx.words('stats-days'), figures: PERIODS.map(String) },
      ...FIGURES.map((figure) => ({
        label: ctx.words(`stats-${figure}`),
        figures: periods.map((period) => String(period[figure])),
      })),
    ]);
    // The title comes first, since Telegram trims spaces at the beginning of a caption, and with them the table's.
    const title = ctx.words('stats-version', { version: ctx.bot.version });
    const inDoubt = days.reduce((total, day) => total + day.inDoubt.calls, 0);
    const inDoubtFen = days.reduce((total, day) => total + day.inDoubt.cost, 0);
    const doubt = { count: inDoubt, cost: yuan(inDoubtFen) };
    const notes = [
      ctx.words('stats-note'),
      ...(inDoubt > 0 ? [ctx.words('stats-in-doubt', doubt)] : []),
      ctx.words('stats-dead-letters', { count: await ctx.bot.countDeadLetters() }),
      ctx.words('stats-legend'),
    ];
    const chart = await drawDailyCalls(days.map(({ day, calls, reused }) => ({ day, ...calls, reused })));
    const words = [title, table, ...notes].join('\n');
    await answerWithPicture(ctx, chart, words, [
      { type: 'pre', offset: title.length + 1, length: table.length },
    ]);
  },
};

function sums(days: readonly DayStats[]) {
  const sum = (figure: (day: DayStats) => number) => days.reduce((total, day) => total + figure(day), 0);
  const photos = sum(({ calls }) => calls.recognition);
  const texts = sum(({ calls }) => calls.translation);
  const speech = sum(({ calls }) => calls.speech);
  const saved = sum((day) => day.reused);
  const uses = photos + texts + speech;
  const percent = Math.round((100 * saved) / Math.max(1, uses + saved));
  return { uses, yuan: shortYuan(sum(({ cost }) => cost)), photos, texts, speech, saved, percent };
}

/** Large sums without fen: a phone's table is 30 letters wide. */
function shortYuan(fen: number): string {
  return fen < 10_000 ? yuan(fen) : (fen / 100).toFixed(0);
}

interface Row {
  readonly label: string;
  readonly figures: readonly string[];
}

/** Aligns the figures, with the labels behind them: Tibetan and Chinese labels before them would push them out of line. */
function inColumns(rows: readonly Row[]): string {
  const widths = PERIODS.map((_, column) =>
    Math.max(...rows.map(({ figures }) => figures[column]?.length ?? 0)),
  );
  const line = ({ label, figures }: Row): string =>
    [...figures.map((figure, column) => figure.padStart(widths[column] ?? 0)), label].join('  ');
  return rows.map(line).join('\n');
}
