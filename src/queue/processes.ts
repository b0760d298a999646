/**
 * The processes that share a queue on PostgreSQL. Each counts as living as long as its connections stand; the others take over from one that
 * died, and one that was frozen gives up what they may have taken.
 */
import { type Kysely, sql } from 'kysely';
import type { Log } from '../log.ts';
import { sleep } from '../patience.ts';
import { DEAD_AFTER_MS, LIVING_PROCESSES } from '../store/postgres/living-processes.ts';
import type { PostgresDatabase } from '../store/postgres/postgres.ts';
import { SILENT_FOR_MS } from '../store/postgres/postgres-connection.ts';
import type { Schema } from '../store/schema.ts';
import { CHANNEL } from './request-table.ts';
import type { Requests } from './requests.ts';

interface ProcessesOptions {
  readonly log: Log;
  /** Called when there may be requests to take. */
  readonly onDue: () => void;
  /** Called after a reconnection: what was announced meanwhile was missed. */
  readonly onReconnect: () => void;
  /** Called when this process was frozen for so long that others count it as dead. */
  readonly onSlept: () => void;
}

/** How often to look for dead processes, in ms. */
const LOOK_EVERY_MS = 1000;

/** Begins to hear from the others, and to take over from those that die. */
export async function joinProcesses(
  { session, sql: database }: PostgresDatabase,
  requests: Requests,
  { log, onDue, onReconnect, onSlept }: ProcessesOptions,
): Promise<{ stop(): void; giveUpIfSlept(): void }> {
  const onNotification = (payload: string): void => {
    if (payload === '') onDue();
    else requests.emit('changed', Number(payload));
  };
  // Without a connection now, it listens over the next one.
  await session.listen(CHANNEL, { onNotification, onReconnect }).catch(() => {});
  const sleepWatch = watchSleep(SILENT_FOR_MS, () => {
    log.warn('this process was suspended: other processes have taken over its requests');
    onSlept();
  });
  const stopping = new AbortController();
  void takeOver(database, requests, log, stopping.signal);
  return {
    stop: () => {
      stopping.abort();
      sleepWatch.end();
    },
    giveUpIfSlept: sleepWatch.look,
  };
}

/** Gives back the requests of dead processes until the abort; never throws. */
async function takeOver(
  database: Kysely<Schema>,
  requests: Requests,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const detector = createFailureDetector(database);
  let isAway = false;
  while (!signal.aborted) {
    try {
      const dead = await detector.look();
      if (isAway) log.info('the database is reachable again');
      isAway = false;
      if (dead.length > 0) {
        log.warn({ processes: dead.length }, 'taking over the requests of a dead process');
        await requests.giveBack(dead);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isAway) log.warn({ error }, 'the database is unreachable');
      isAway = true;
      detector.forget();
    }
    await sleep(LOOK_EVERY_MS, signal);
  }
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
  select min(process) from requests
  union all
  select (select min(process) from requests where process > holders.process) from holders
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
