/**
 * What is measured at scale, as figures for the table of goals. A short form does the same with less, in some minutes.
 * Answered on 2026-11-25: what is kept and what waits cost next to nothing (text p95 0.97 to 1.02 ×, long line 0.82 to 1.00 × the rate).
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { percentile } from '../figures.ts';
import type { Voice } from '../load/sound.ts';
import { measureBacklog } from './backlog.ts';
import { MUCH } from './filling.ts';
import { measureSteps, notice, type OpenDatabase } from './kept.ts';
import { startMeasuredServer } from './server.ts';
import { measureUnits } from './units.ts';

interface Options {
  readonly voice: Voice;
  readonly isQuick: boolean;
}

export type Figures = Record<string, number[]>;

/** Updates that wait, and that wait in a short line for each process: enough to keep all its workers busy. */
const WAITING = { full: 60_000, quick: 20_000 };
const SHORT_EACH = 100;
const PROCESSES = { full: [1, 2, 4, 8], quick: [1, 8] };
const BACKLOG_S = { full: 40, quick: 12 };

/** A long line beside a short one, by the number of processes. */
export async function backlog({ isQuick }: Options): Promise<Figures> {
  const form = isQuick ? 'quick' : 'full';
  await using server = await startMeasuredServer();
  const figures: Figures = { waiting: [WAITING[form]] };
  for (const processes of PROCESSES[form]) {
    const measured = (waiting: number) =>
      measureBacklog({ server, processes, waiting, seconds: BACKLOG_S[form] });
    const short = await measured(processes * SHORT_EACH);
    const long = await measured(WAITING[form]);
    Object.assign(figures, {
      [`${processes}: rate`]: [long.perS / short.perS],
      [`${processes}: answers/s`]: [short.perS, long.perS],
      [`${processes}: bot ms`]: [short.botMs, long.botMs],
      [`${processes}: server ms`]: [short.serverMs, long.serverMs],
      [`${processes}: longest statement ms`]: [long.longestMs],
      [`${processes}: take ms`]: [long.takeMs],
      [`${processes}: faults`]: [short.faults + long.faults],
      [`${processes}: load`]: [short.load, long.load],
    });
  }
  return figures;
}

const QUICK_SHARE = 0.02;
const STARTS = { full: 5, quick: 2 };
const ROUND_S = { full: 30, quick: 12 };

/** Both engines, empty and with much kept; and what one request takes. */
export async function scale({ voice, isQuick }: Options): Promise<Figures> {
  const form = isQuick ? 'quick' : 'full';
  const share = isQuick ? QUICK_SHARE : 1;
  const kept = {
    ...MUCH,
    people: MUCH.people * share,
    groups: MUCH.groups * share,
    ledger: MUCH.ledger * share,
    results: MUCH.results * share,
  };
  await using server = await startMeasuredServer();
  using folder = mkdtempDisposableSync(join(tmpdir(), 'lotsawa-bench-'));
  const onSqlite = async (name: string): Promise<OpenDatabase> => {
    const path = join(folder.path, `${name}.db`);
    return { config: { engine: 'sqlite', path }, address: `sqlite:${path}` };
  };
  const onPostgres = async (): Promise<OpenDatabase> => {
    const url = await server.createDatabase();
    return { config: { engine: 'postgres', url }, address: url };
  };
  const figures: Figures = { people: [kept.people], ledger: [kept.ledger], results: [kept.results] };
  for (const [engine, open] of [
    ['SQLite', onSqlite],
    ['PostgreSQL', onPostgres],
  ] as const) {
    const load = { voice, starts: STARTS[form], seconds: ROUND_S[form], seed: 1 };
    const empty = await notice(await open('empty'), load);
    const place = await open('full');
    const steps = await measureSteps(place, kept);
    const full = await notice(place, load);
    Object.assign(figures, {
      [`${engine}: start ms`]: [empty.startMs, full.startMs],
      [`${engine}: text p95 ms`]: [empty.round.textP95, full.round.textP95],
      [`${engine}: memory MB`]: [empty.round.largestMb, full.round.largestMb],
      [`${engine}: CPU s per 1000`]: [empty.round.cpuSPer1000, full.round.cpuSPer1000],
      [`${engine}: /stats ms`]: [empty.statsMs, full.statsMs],
      [`${engine}: /usage ms`]: [empty.usageMs, full.usageMs],
      ...Object.fromEntries(
        (['stats', 'prune', 'forget'] as const).flatMap((step) => [
          [`${engine}: ${step} s`, [steps[step].seconds]],
          [`${engine}: ${step} longest ms, CPU ms`, [steps[step].wallMs, steps[step].cpuMs]],
        ]),
      ),
      [`${engine}: fill s`]: [steps.fillS],
      [`${engine}: back up s, restore s`]: [steps.backUpS, steps.restoreS],
    });
  }
  return figures;
}

const LIMITS_S = { full: 10, quick: 3 };

/** Four processes on one PostgreSQL begin paid calls, each checked against the limits of a person, a group and the day's budget. */
export async function limits({ isQuick }: Options): Promise<Figures> {
  await using server = await startMeasuredServer();
  const address = await server.createDatabase();
  const seconds = LIMITS_S[isQuick ? 'quick' : 'full'];
  const workers = Array.from({ length: 4 }, () => fork(LEDGER_WORKER, [address, String(seconds), '10']));
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const results = workers.map((worker) => once(worker, 'message'));
  const ends = workers.map((worker) => once(worker, 'exit'));
  for (const worker of workers) worker.send('begin');
  const times = (await Promise.all(results)).flatMap(([told]) => begun.parse(told));
  await Promise.all(ends);
  return {
    'calls begun a second': [times.length / seconds],
    'p50 ms, p95 ms': [percentile(times, 50), percentile(times, 95)],
  };
}

const LEDGER_WORKER = fileURLToPath(new URL('../inside/ledger-worker.ts', import.meta.url));
const begun = z.array(z.number());

/** What one request takes on PostgreSQL, by its kind. */
export async function units({ voice, isQuick }: Options): Promise<Figures> {
  await using server = await startMeasuredServer();
  const all = await measureUnits(server, { voice, seconds: ROUND_S[isQuick ? 'quick' : 'full'], seed: 1 });
  return Object.fromEntries(
    Object.entries(all).flatMap(([kind, unit]) =>
      Object.entries(unit).map(([figure, value]) => [`${kind}: ${figure}`, [value]]),
    ),
  );
}
