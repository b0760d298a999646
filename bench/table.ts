/** The table of goals, for a terminal and for a page alike. */
import { cpus } from 'node:os';
import { goalLines } from './goals.ts';
import type { Results } from './results.ts';
import { scaleTable } from './scale/table.ts';

/** The table in Markdown, with failures below it. */
export function tableOf(results: Results): string {
  const lines = goalLines(results).map(({ what, goal, measured, isMet }) => [
    what,
    goal,
    measured,
    isMet === undefined ? '–' : isMet ? 'met' : 'NOT MET',
  ]);
  const rows = [['what', 'goal', 'measured', ''], ...lines];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const drawn = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(Math.max(3, width))).join(' | ')} |`;
  return `${[
    '# Figures',
    '',
    'Made by `npm run bench`. × is beside grammY with its runner on the same load in the same round, the median of all rounds.',
    `Machine of the latest run: ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.version}.`,
    'What a run leaves out keeps the figures of an earlier one, maybe of another machine: `scale`, `backlog` and `units` are measured by their names alone.',
    process.env.FFMPEG_PATH
      ? 'Lotsawa runs the ffmpeg of its image (`scripts/encoder.sh`), the others that of the machine.'
      : 'All run the ffmpeg of the machine.',
    '',
    ...[drawn[0], rule, ...drawn.slice(1)],
    '',
    ...scaleTable(results.singles),
    ...faultsOf(results),
  ].join('\n')}\n`;
}

/** All failures: answers lost, doubled or wrong, and rounds whose generator lagged. */
function faultsOf({ rounds }: Results): string[] {
  const told = Object.entries(rounds).flatMap(([scenario, all]) =>
    all.flatMap(({ bot, seed, faults: { lost, doubled, wrong }, lagMs, requests }) => {
      const isLate = lagMs > 10;
      if (lost + doubled + wrong === 0 && !isLate) return [];
      const late = isLate ? `; the generator lagged by ${lagMs.toFixed(0)} ms` : '';
      return [
        `- ${scenario}, ${bot}, seed ${seed}: ${lost} lost, ${doubled} doubled, ${wrong} wrong of ${requests}${late}`,
      ];
    }),
  );
  const asked = Object.values(rounds)
    .flat()
    .reduce((sum, { requests }) => sum + requests, 0);
  return told.length === 0
    ? [`No answer of ${asked} was lost, doubled or wrong, and the generator kept up in every round.`]
    : ['Not as it should be:', '', ...told];
}
