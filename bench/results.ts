/** Keeps the measured rounds as JSON, so that a run of one scenario leaves the others unchanged. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Round } from './round.ts';

/** Figures of scenarios without a load on three bots, each measured once or several times. */
export type Singles = Record<string, Record<string, readonly number[]>>;

export interface Results {
  rounds: Record<string, Round[]>;
  singles: Singles;
}

const FIGURES = new URL('results/figures.json', import.meta.url);
const TABLE = new URL('results/figures.md', import.meta.url);

/** Reads all results so far. Throws if the file cannot be read. */
export function readResults(): Results {
  return JSON.parse(readFileSync(FIGURES, 'utf8')) as Results;
}

/** Stores the figures, and a table for readers beside them. */
export function writeResults(results: Results, table: string): void {
  writeFileSync(FIGURES, `${JSON.stringify(results, rounded, 1)}\n`);
  writeFileSync(TABLE, table);
}

/** Drops microseconds, which say nothing. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}
