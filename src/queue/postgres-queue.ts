/**
 * The queue for any number of processes, as rows in PostgreSQL. Each process works on the rows that it has taken, counts as living as long
 * as its connections stand, and takes over from processes that died.
 */
import { type Kysely, sql } from 'kysely';
import { dropOldest } from '../bounded-memory.ts';
import type { Log } from '../log.ts';
import { sleep } from '../patience.ts';
import type { PostgresDatabase } from '../store/postgres/postgres.ts';
import { SILENT_FOR_MS } from '../store/postgres/postgres-connection.ts';
import { LIVING_PROCESSES } from '../store/postgres/postgres-session.ts';
import type { Schema } from '../store/schema.ts';
import { CHANNEL, createPostgresRows } from './postgres-rows.ts';
import { MOST_WAITING, type Queue, QueueIsFull, type QueueOptions } from './queue.ts';
import { idsOf } from './queue-rows.ts';
import { createTakenWork, type TakenWork } from './taken-work.ts';

/** Creates a durable queue on PostgreSQL, shared with all processes that open it. */
export function createPostgresQueue(
  database: PostgresDatabase,
  options: QueueOptions & { readonly log: Log },
): Queue {
  const { log } = options;
  const rows = createPostgresRows(database);
  const backlog = createBacklog({ count: rows.depth, most: MOST_WAITING });
  const stopping = new AbortController();
  /** Row ids of the latest updates taken in here, by `update_id`. */
  const takenIn = new Map<number, number>();
  let work: TakenWork | undefined;
  let upkeep: Promise<void> = Promise.resolve();
  let sleepWatch: SleepWatch | undefined;

  /** Takes over from dead processes until the queue stops; never throws. */
  const keepUp = async (take: () => void): Promise<void> => {
    const detector = createFailureDetector(database.sql);
    let isAway = false;
    while (!stopping.signal.aborted) {
      try {
        const dead = await detector.look();
        if (isAway) log.info('the database answers again');
        isAway = false;
        if (dead.length > 0) {
          log.warn({ processes: dead.length }, 'taking over the work of a process that died');
          await rows.giveBack(dead);
        }
        // Finds rows that were notified while nobody listened.
        take();
      } catch (error) {
        if (!isAway) log.warn({ error }, 'the database does not answer');
        isAway = true;
        detector.forget();
      }
      await sleep(UPKEEP_EVERY_MS, stopping.signal);
    }
  };

  return {
    push: async (updates) => {
      await backlog.admit(updates.length);
      for (const { id, updateId } of await rows.add(updates)) {
        if (updateId === undefined) continue;
        takenIn.set(updateId, id);
        dropOldest(takenIn, MOST_REMEMBERED);
      }
    },
    isTakenIn: ({ updateId }) => takenIn.has(updateId),
    start: async (handler) => {
      const started = createTakenWork(database, rows, options, handler);
      const { take, giveUp } = started;
      work = started;
      const listener = { onNotification: () => started.takeUnlessBusy(), onReconnect: take };
      // Without a connection now, it listens over the next one.
      await database.session.listen(CHANNEL, listener).catch(() => {});
      // After this long, others count this process as dead.
      sleepWatch = watchSleep(SILENT_FOR_MS, () => {
        log.warn('this process did not run for a while: its work is left to whoever has taken it over');
        giveUp();
      });
      upkeep = keepUp(take);
    },
    stop: async (graceMs) => {
      await work?.stop(graceMs);
      stopping.abort();
      await upkeep;
      sleepWatch?.end();
      // If this fails, others take the rows over once this process is gone.
      await rows.giveBack([database.session.process]).catch(options.onFailure);
    },
    giveUpIfSlept: () => sleepWatch?.look(),
    unbegun: async (updateIds) => {
      const found = updateIds.flatMap((updateId) => {
        const id = takenIn.get(updateId);
        return id === undefined ? [] : [{ updateId, id }];
      });
      const unbegun = new Set(found.length === 0 ? [] : await rows.unbegun(idsOf(found)));
      return new Set(found.filter(({ id }) => unbegun.has(id)).map(({ updateId }) => updateId));
    },
    depth: rows.depth,
    listDeadLetters: rows.listDeadLetters,
    retryDeadLetter: rows.retryDeadLetter,
    dropDeadLetter: rows.dropDeadLetter,
  };
}

/** An update behind so many others shows no sign of life. */
const MOST_REMEMBERED = 10_000;

interface BacklogOptions {
  /** Counts updates that wait or run; throws when the database does not answer. */
  readonly count: () => Promise<number>;
  /** With this many, no more are taken in. */
  readonly most: number;
  /** How long a count is valid, in ms; it misses what other processes take in meanwhile. */
  readonly freshMs?: number;
}

interface Backlog {
  /** Throws `QueueIsFull` if this many more are too many, and errors of `count` before the first success. */
  admit(updates: number): Promise<void>;
}

/** Counts at the first push, then in the background, and again before it refuses one. */
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
      // The old estimate still serves; the next push counts again.
      else if (isStale) countAnew().catch(() => {});
      if (isFull()) throw new QueueIsFull('too many updates wait');
      addedSince += updates;
    },
  };
}

const TICK_MS = 1000;

interface SleepWatch {
  /** Looks now instead of at the next tick. */
  look(): void;
  end(): void;
}

/** Calls `onSlept` if nothing has run for longer than `longestMs`: soon afterwards by itself, or at once within `look`. */
function watchSleep(longestMs: number, onSlept: () => void): SleepWatch {
  let ranAt = performance.now();
  const look = (): void => {
    const now = performance.now();
    const sleptMs = now - ranAt;
    if (sleptMs <= longestMs) return;
    ranAt = now;
    onSlept();
  };
  const timer = setInterval(() => {
    look();
    ranAt = performance.now();
  }, TICK_MS);
  timer.unref();
  return { look, end: () => clearInterval(timer) };
}

/** How often to look for dead processes, in ms. */
const UPKEEP_EVERY_MS = 1000;

/** How long a process must be missing, in ms: a living one that loses its connections is back within this time. */
const DEAD_AFTER_MS = 3000;

interface FailureDetector {
  /** The processes that hold rows and have been missing for `DEAD_AFTER_MS` in looks that all succeeded. */
  look(): Promise<number[]>;
  /** Starts anew: while the database was away, nobody could be seen. */
  forget(): void;
}

/**
 * The processes that hold rows, found one after another in the index: a planner that does not know how few rows are taken would scan all
 * waiting rows, every second in every process.
 */
const HOLDERS = sql`holders (process) as (
  select min(process) from queued_updates
  union all
  select (select min(process) from queued_updates where process > holders.process) from holders
  where process is not null
)`;

/** Detects living processes by their connections (postgres-session.ts). */
function createFailureDetector(database: Kysely<Schema>): FailureDetector {
  let missingSince = new Map<number, number>();
  return {
    look: async () => {
      const { rows: missing } = await sql<{ process: number }>`
        with recursive ${HOLDERS}
        select process from holders where process is not null and process not in (${sql.raw(LIVING_PROCESSES)})`.execute(
        database,
      );
      const now = performance.now();
      const processes = missing.map(({ process }) => Number(process));
      missingSince = new Map(processes.map((process) => [process, missingSince.get(process) ?? now]));
      return processes.filter((process) => now - (missingSince.get(process) ?? now) >= DEAD_AFTER_MS);
    },
    forget: () => missingSince.clear(),
  };
}
