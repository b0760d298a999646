/** Measures what a full database costs: the same bot on a database of many people and years, and on an empty one. */
import { rmSync } from 'node:fs';
import { openDatabase } from '../../src/store/database.ts';
import type { DatabaseConfig } from '../../src/store/engine.ts';
import { forgetPerson, prune } from '../../src/store/erasure.ts';
import { Ledger, NO_LIMITS } from '../../src/store/money/ledger.ts';
import { backUp, restore } from '../../src/store/sqlite/backup.ts';
import { median } from '../figures.ts';
import { commandOf } from '../load/messages.ts';
import { USUAL_MIX } from '../load/requests.ts';
import type { Voice } from '../load/sound.ts';
import { type Round, runOnce } from '../round.ts';
import { openStage, type Stage } from '../stage.ts';
import { BUSY_PERSON, fill, type Kept } from './filling.ts';
import { type Held, holdsOfThread, watchConnection } from './holds.ts';

export interface OpenDatabase {
  readonly config: DatabaseConfig;
  /** As `DATABASE_URL`. */
  readonly address: string;
}

/** What people notice of a bot. */
export interface Noticed {
  /** From the start of the process to its first getUpdates, in ms. */
  readonly startMs: number;
  /** From the command to its answer, in ms. */
  readonly statsMs: number;
  readonly usageMs: number;
  readonly round: Round;
}

export interface Steps {
  /** In s. */
  readonly fillS: number;
  readonly stats: Held;
  readonly prune: Held;
  readonly forget: Held;
  /** In s, each with its check; of SQLite. */
  readonly backUpS: number;
  readonly restoreS: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const RESULTS_DAYS = 90;
const ADMIN = 4242;
const ASKED_TIMES = 5;

/** Fills an empty place, and takes the steps that go through what is kept. */
export async function measureSteps({ config }: OpenDatabase, kept: Kept): Promise<Steps> {
  const fillS = await secondsOf(() => fill(config, kept));
  const database = await openDatabase(config);
  const watched = config.engine === 'postgres' ? await watchConnection(config.url) : undefined;
  const sql = watched?.sql ?? database.sql;
  const holds = watched?.holds ?? holdsOfThread;

  const ledger = new Ledger({ ...database, sql }, { limits: NO_LIMITS, adminIds: [] });
  const stats = await holds(async () => {
    await ledger.days(30);
    await ledger.visitorsToday();
    await ledger.usageOf('person', String(BUSY_PERSON.id));
  });
  const pruned = await holds(() => prune({ ...database, sql }, RESULTS_DAYS * DAY_MS));
  const forget = await holds(() => forgetPerson({ ...database, sql }, String(BUSY_PERSON.id)));
  await watched?.close();
  await database.close();
  return {
    fillS,
    stats,
    prune: pruned,
    forget,
    ...(await copies(config)),
  };
}

/** A backup and its restore; NaN where the engine has tools of its own. */
async function copies(config: DatabaseConfig): Promise<{ backUpS: number; restoreS: number }> {
  if (config.engine !== 'sqlite') return { backUpS: Number.NaN, restoreS: Number.NaN };
  const { path } = config;
  const copy = `${path}.copy`;
  const backUpS = await secondsOf(async () => backUp(path, copy));
  const restored = `${path}.restored`;
  const restoreS = await secondsOf(() => restore(copy, restored, false));
  for (const file of [copy, restored]) rmSync(file);
  return { backUpS, restoreS };
}

/** A bot on this database, for its people. */
export async function notice(
  { address }: OpenDatabase,
  { voice, starts, seconds, seed }: { voice: Voice; starts: number; seconds: number; seed: number },
): Promise<Noticed> {
  const times: number[] = [];
  let asked = { statsMs: Number.NaN, usageMs: Number.NaN };
  for (let start = 0; start <= starts; start += 1) {
    await using stage = await openStage();
    const env = { DATABASE_URL: address, ADMIN_IDS: String(ADMIN) };
    const { startedAt } = await stage.start('lotsawa', { env });
    times.push((await stage.telegram.polled) - startedAt);
    if (start === starts)
      asked = { statsMs: await answerMs(stage, '/stats'), usageMs: await answerMs(stage, '/usage') };
  }
  const load = { people: 50, perSecond: 10, mix: USUAL_MIX };
  const scenario = {
    name: 'kept',
    bots: ['lotsawa'] as const,
    load,
    seconds,
    env: { DATABASE_URL: address },
  };
  const round = await runOnce(scenario, 'lotsawa', seed, voice);
  // The first start only warms the caches.
  return { startMs: median(times.slice(1)), ...asked, round };
}

/** The median of several, in ms. */
async function answerMs({ telegram }: Stage, command: string): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < ASKED_TIMES; time += 1) {
    const answered = Promise.withResolvers<undefined>();
    telegram.onSent = () => void answered.resolve(undefined);
    const askedAt = performance.now();
    telegram.deliver(commandOf(ADMIN, command));
    await answered.promise;
    times.push(performance.now() - askedAt);
  }
  return median(times);
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}
