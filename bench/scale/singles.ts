/** What is measured at scale, as figures for the table of goals. A short form does the same with less, in some minutes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
export async function backlog({ voice, isQuick }: Options): Promise<Figures> {
  const form = isQuick ? 'quick' : 'full';
  await using ends = new AsyncDisposableStack();
  const server = await startMeasuredServer();
  ends.defer(server.close);
  const figures: Figures = { waiting: [WAITING[form]] };
  for (const processes of PROCESSES[form]) {
    const measured = (waiting: number) =>
      measureBacklog({ server, voice, processes, waiting, seconds: BACKLOG_S[form] });
    const short = await measured(processes * SHORT_EACH);
    const long = await measured(WAITING[form]);
    const cpu = ({ botMs, serverMs }: typeof short): number => botMs + serverMs;
    Object.assign(figures, {
      [`${processes}: rate`]: [long.perS / short.perS],
      [`${processes}: answers/s`]: [short.perS, long.perS],
      [`${processes}: bot ms`]: [short.botMs, long.botMs],
      [`${processes}: server ms`]: [short.serverMs, long.serverMs],
      [`${processes}: cpu`]: [cpu(short) / cpu(long)],
      [`${processes}: statements`]: [short.statementsEach, long.statementsEach],
      [`${processes}: longest statement ms`]: [
        long.statements.reduce((most, one) => Math.max(most, one.longestMs), 0),
      ],
      [`${processes}: take ms`]: [long.takeMs],
      [`${processes}: WAL kB`]: [short.walKb, long.walKb],
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
  await using ends = new AsyncDisposableStack();
  const server = await startMeasuredServer();
  ends.defer(server.close);
  const folder = mkdtempSync(join(tmpdir(), 'lotsawa-bench-'));
  ends.defer(() => rmSync(folder, { recursive: true, force: true }));
  const onSqlite = async (name: string): Promise<OpenDatabase> => {
    const path = join(folder, `${name}.db`);
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
      [`${engine}: load`]: [steps.load],
    });
  }
  return figures;
}

/** What one request takes on PostgreSQL, by its kind. */
export async function units({ voice, isQuick }: Options): Promise<Figures> {
  await using ends = new AsyncDisposableStack();
  const server = await startMeasuredServer();
  ends.defer(server.close);
  const all = await measureUnits(server, { voice, seconds: ROUND_S[isQuick ? 'quick' : 'full'], seed: 1 });
  return Object.fromEntries(
    Object.entries(all).flatMap(([kind, unit]) =>
      Object.entries(unit).map(([figure, value]) => [`${kind}: ${figure}`, [value]]),
    ),
  );
}
