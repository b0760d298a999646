/**
 * The queue of any number of processes: rows and pg-boss's jobs in PostgreSQL; each process works on what it has taken, says
 * every second that it lives, and takes over from one that does not.
 */
import { type Kysely, sql } from 'kysely';
import type { Log } from '../log.ts';
import { sleep } from '../patience.ts';
import { LIVING_PROCESSES } from '../store/postgres/living-processes.ts';
import type { PostgresDatabase } from '../store/postgres/postgres.ts';
import { SILENT_FOR_MS } from '../store/postgres/postgres-connection.ts';
import { onceInReach } from '../store/postgres/postgres-reach.ts';
import type { Schema } from '../store/schema.ts';
import { HEARTBEAT_MS, openQueueJobs, type QueueJobs } from './postgres-jobs.ts';
import { createPostgresRows, type PostgresRows } from './postgres-rows.ts';
import { MOST_WAITING, type Queue, QueueIsFull, type QueueOptions } from './queue.ts';
import { createTakenWork, type TakenWork } from './taken-work.ts';

/**
 * A durable queue on the bot's PostgreSQL database, shared with whatever other processes open it. A server that is out of reach is
 * waited for until `signal` aborts: then its reason is thrown.
 */
export async function openPostgresQueue(
  database: PostgresDatabase,
  options: QueueOptions & { readonly log: Log },
  signal?: AbortSignal,
): Promise<Queue> {
  const { log } = options;
  const onWaiting = (error: unknown) => log.warn({ error }, 'the database cannot be reached yet');
  const jobs = await onceInReach(() => openQueueJobs(database, log), onWaiting, signal);
  const rows = createPostgresRows(database, jobs);
  const backlog = createBacklog({ count: rows.depth, most: MOST_WAITING });
  const stopping = new AbortController();
  let work: TakenWork | undefined;
  let upkeep: Promise<void> = Promise.resolve();
  let endWatch = (): void => {};

  return {
    push: async (updates) => {
      await backlog.admit(updates.length);
      await rows.add(updates);
    },
    start: async (handler) => {
      const started = createTakenWork({ database, rows, options, handler });
      const { take, held, giveUp } = started;
      work = started;
      jobs.onArrival(take);
      // Whoever was not seen for so long counts as dead.
      endWatch = watchSleep(SILENT_FOR_MS, () => {
        log.warn('this process did not run for a while: its work is left to whoever has taken it over');
        giveUp();
      });
      const deathWatch = createDeathWatch(database.sql);
      upkeep = keepUp({ rows, jobs, deathWatch, log, held, onLook: take }, stopping.signal);
    },
    stop: async (graceMs) => {
      stopping.abort();
      await Promise.all([work?.stop(graceMs), upkeep]);
      endWatch();
      // What cannot be given back now is taken over once this process is gone.
      await rows.giveBack([database.session.process]).catch(options.onFailure);
      await jobs.close();
    },
    depth: () => rows.depth(),
    listSetAside: () => rows.listSetAside(),
    retrySetAside: (id) => rows.retrySetAside(id),
    dropSetAside: (id) => rows.dropSetAside(id),
  };
}

interface BacklogOptions {
  /** Counts what waits or runs; throws when the database does not answer. */
  readonly count: () => Promise<number>;
  /** With so many none is taken in. */
  readonly most: number;
  /** How long a count holds, in ms; what other processes take in meanwhile is not in it. */
  readonly freshMs?: number;
}

interface Backlog {
  /** Throws `QueueIsFull` where so many more would be too many, and what `count` throws where nothing was counted yet. */
  admit(updates: number): Promise<void>;
}

/** Counts at the first update, then beside them, and again before one is refused. */
export function createBacklog({ count, most, freshMs = 1000 }: BacklogOptions): Backlog {
  let counted: number | undefined;
  let addedSince = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  let counting: Promise<void> | undefined;

  const countAnew = (): Promise<void> => {
    counting ??= (async () => {
      const before = addedSince;
      try {
        counted = await count();
        addedSince -= before;
      } finally {
        countedAt = performance.now();
        counting = undefined;
      }
    })();
    return counting;
  };

  return {
    admit: async (updates) => {
      const isFull = (): boolean => (counted ?? 0) + addedSince + updates > most;
      const isStale = performance.now() - countedAt > freshMs;
      if (counted === undefined || (isStale && isFull())) await countAnew();
      // The estimate before still serves, and the next push counts.
      else if (isStale) countAnew().catch(() => {});
      if (isFull()) throw new QueueIsFull('too many updates wait');
      addedSince += updates;
    },
  };
}

const TICK_MS = 1000;

/** Calls `onSlept`, before anything else goes on, when nothing has run for longer than `longestMs`; gives what ends the watch. */
function watchSleep(longestMs: number, onSlept: () => void): () => void {
  let tickedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const sleptMs = now - tickedAt;
    tickedAt = now;
    if (sleptMs > longestMs) onSlept();
  }, TICK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

interface UpkeepOptions {
  readonly rows: PostgresRows;
  readonly jobs: QueueJobs;
  readonly deathWatch: DeathWatch;
  readonly log: Log;
  /** The jobs that this process works on, by the ids of their rows. */
  readonly held: () => readonly number[];
  /** Called every time: what was notified while nobody listened is found by looking. */
  readonly onLook: () => void;
}

const EVERY_MS = 1000;
const TOUCH_EVERY_MS = HEARTBEAT_MS / 6;
const SUPERVISE_EVERY_MS = HEARTBEAT_MS / 3;

/** Runs until `signal` aborts; never throws. */
async function keepUp(options: UpkeepOptions, signal: AbortSignal): Promise<void> {
  const { rows, jobs, deathWatch, log } = options;
  let touchedAt = performance.now();
  let supervisedAt = touchedAt;
  let answersSince: number | undefined = touchedAt;

  const once = async (now: number): Promise<void> => {
    const dead = await deathWatch.look();
    if (dead.length > 0) {
      log.warn({ processes: dead.length }, 'work of a process that died is taken over');
      await rows.giveBack(dead);
    }
    if (answersSince === undefined || now - touchedAt >= TOUCH_EVERY_MS) {
      await jobs.touch(options.held());
      touchedAt = now;
    }
    if (answersSince === undefined) {
      log.info('the database answers again');
      answersSince = now;
    }
    // While the database was away nobody could be heard: all get the time to say that they live.
    if (now - answersSince >= HEARTBEAT_MS && now - supervisedAt >= SUPERVISE_EVERY_MS) {
      await jobs.supervise();
      supervisedAt = now;
    }
    options.onLook();
  };

  while (!signal.aborted) {
    try {
      await once(performance.now());
    } catch (error) {
      if (answersSince !== undefined) log.warn({ error }, 'the database does not answer');
      answersSince = undefined;
      deathWatch.forget();
    }
    await sleep(EVERY_MS, signal);
  }
}

/** Who lives comes back within this time, in ms, after losing the connections by which others see it. */
const DEAD_AFTER_MS = 3000;

interface DeathWatch {
  /** The processes that have taken work and have not been seen for `DEAD_AFTER_MS` by looks that all succeeded. */
  look(): Promise<number[]>;
  /** Begins anew: while the database was away nobody could be seen. */
  forget(): void;
}

/** Sees processes by their connections (living-processes.ts), which end with them. */
function createDeathWatch(database: Kysely<Schema>): DeathWatch {
  let missingSince = new Map<number, number>();
  return {
    look: async () => {
      const missing = await database
        .selectFrom('queued_updates')
        .select('process')
        .distinct()
        .where('process', 'is not', null)
        .where('set_aside_at', 'is', null)
        .where(sql<boolean>`process not in (${sql.raw(LIVING_PROCESSES)})`)
        .execute();
      const now = performance.now();
      const processes = missing.flatMap(({ process }) => process ?? []);
      missingSince = new Map(processes.map((process) => [process, missingSince.get(process) ?? now]));
      return processes.filter((process) => now - (missingSince.get(process) ?? now) >= DEAD_AFTER_MS);
    },
    forget: () => missingSince.clear(),
  };
}
