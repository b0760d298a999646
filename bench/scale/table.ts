/** What was measured at scale, held against design §6, and whole. */
import { atLeast, atMost, type Line, show } from '../goal.ts';
import type { Singles } from '../results.ts';

const ENGINES = ['SQLite', 'PostgreSQL'] as const;
/** A statement holds SQLite's thread, or a server's connection, for so long at most, in ms. */
const MAX_MS = { SQLite: 20, PostgreSQL: 100 };
const STEPS = { stats: '/stats and /usage', prune: 'pruning', forget: '/forget' } as const;

/** NaN where it was not measured; what JSON cannot say comes back as null. */
function figure(singles: Singles, single: string, name: string, place = 0): number {
  return singles[single]?.[name]?.[place] ?? Number.NaN;
}

/** The goals of design §6. */
export function scaleLines(singles: Singles): Line[] {
  const scale = (name: string, place?: number) => figure(singles, 'scale', name, place);
  const backlog = (name: string, place?: number) => figure(singles, 'backlog', name, place);
  const beside = (name: string) => scale(name, 1) / scale(name, 0);
  const perS = (processes: number) =>
    ` (${show(backlog(`${processes}: answers/s`, 1))} answers/s, load ${show(backlog(`${processes}: load`, 1))})`;
  return [
    ...[1, 2, 4, 8].map((processes) =>
      atLeast(
        `${processes} ${processes === 1 ? 'process' : 'processes'}, ${show(backlog('waiting'))} waiting, beside a short line: rate`,
        0.8,
        backlog(`${processes}: rate`),
        '×',
        perS(processes),
      ),
    ),
    atMost('8 processes: to take work, mean', 5, backlog('8: take ms'), 'ms'),
    atLeast('4 processes: limit checks a second', 200, figure(singles, 'limits', 'calls begun a second'), ''),
    ...ENGINES.flatMap((engine) => [
      atMost(`${engine}, much kept, beside empty: text p95`, 1.1, beside(`${engine}: text p95 ms`)),
      atMost(`${engine}, much kept, beside empty: memory`, 1.1, beside(`${engine}: memory MB`)),
      atMost(`${engine}, much kept, beside empty: start`, 1.5, beside(`${engine}: start ms`)),
      ...Object.entries(STEPS).map(([step, what]) => {
        const name = `${engine}: ${step} longest ms, CPU ms`;
        return atMost(
          `${engine}, ${what}: longest statement`,
          MAX_MS[engine],
          scale(name, 1),
          'ms of CPU',
          `; ${show(scale(name, 0))} ms by the clock`,
        );
      }),
    ]),
  ];
}

/** Every figure: of two, the first is of an empty bot or a short line, the second beside it of much; of more, one of each step. */
export function scaleTable(singles: Singles): string[] {
  return ['soak', 'scale', 'backlog', 'units', 'limits'].flatMap((single) => {
    const figures = Object.entries(singles[single] ?? {});
    if (figures.length === 0) return [];
    const rows = figures.map(
      ([name, values]) => `| ${name} | ${values.map((value) => show(value ?? Number.NaN)).join(' · ')} |`,
    );
    return [`## ${single}`, '', '| what | |', '| --- | --- |', ...rows, ''];
  });
}
