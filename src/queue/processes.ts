/**
 * The processes that share a queue on PostgreSQL; one of them at a time polls Telegram. A process counts as alive while its connections
 * stand; the others take over the requests of a dead one and free its claims.
 */
import { sql } from 'kysely';
import type { Log } from '../log.ts';
import { sleep } from '../patience.ts';
import type { Database } from '../store/database.ts';
import { freeClaimsOf } from '../store/kept/results.ts';
import type { PostgresDatabase } from '../store/postgres/postgres.ts';
import type { Requests } from './requests.ts';

/** How often to look for dead processes, in ms. */
const LOOK_EVERY_MS = 1000;
/** How long a process must be missing before it counts as dead, in ms: a living one that loses its connections is back within this time. */
const DEAD_AFTER_MS = 3000;
/** How long its claims stay then, in ms: what a process that was cut off or suspended was buying is bought, and mostly comes back with it. */
const CLAIMS_FOR_MS = 25_000;

/** Gives back the requests of dead processes, and frees their claims, until `signal` aborts; never throws. */
export async function takeOverFromDead(
  database: PostgresDatabase,
  requests: Requests,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  /** Since when a process that holds something has been missing; reset by every failed look. */
  let missingSince: ReadonlyMap<number, number> = new Map();
  let isAway = false;
  while (!signal.aborted) {
    try {
      const missing = await missingProcesses(database);
      if (isAway) log.info('the database is reachable again');
      isAway = false;
      const now = performance.now();
      missingSince = new Map(missing.map((process) => [process, missingSince.get(process) ?? now]));
      for (const [process, since] of missingSince) {
        if (now - since >= DEAD_AFTER_MS && (await requests.takeOver(process)))
          log.warn({ process }, 'took over the requests of a dead process');
        if (now - since >= CLAIMS_FOR_MS) await freeClaimsOf(database, process);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isAway) log.warn({ error }, 'the database is unreachable');
      isAway = true;
      missingSince = new Map();
    }
    await sleep(LOOK_EVERY_MS, signal);
  }
}

/**
 * Found one by one in the indexes: PostgreSQL's planner does not know how few rows are taken, and would scan all waiting ones each second.
 */
async function missingProcesses({ sql: database, session }: PostgresDatabase): Promise<number[]> {
  const { rows } = await sql<{ process: number }>`
    with recursive
      taken as not materialized (select process from requests union all select process from results),
      holders (process) as (
        select min(process) from taken
        union all
        select (select min(process) from taken where process > holders.process) from holders
        where process is not null
      )
    select process from holders
    where process is not null and process not in (${sql.raw(session.livingProcesses)})`.execute(database);
  return rows.map(({ process }) => process);
}

const LOCK = 'lotsawa poller';
const LOOK_AGAIN_MS = 500;

/**
 * Until `signal` aborts, calls `lead` whenever this process becomes the leader, with a signal that aborts when it loses the lock. `lead`
 * resolves only after its signal has aborted. On SQLite the one process always leads. Resolves once `signal` has aborted and `lead` has
 * ended. The lock ends with its connection, so another process takes over as soon as the server notices that the leader died.
 */
export async function whileLeader(
  database: Database,
  log: Log,
  signal: AbortSignal,
  lead: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (database.engine === 'sqlite') return lead(signal);
  while (!signal.aborted) {
    // Without a connection there is no leader; the session reconnects by itself.
    const lock = await database.session.tryLock(LOCK).catch(() => undefined);
    if (lock === undefined) {
      await sleep(LOOK_AGAIN_MS, signal);
      continue;
    }
    log.info('this process polls Telegram');
    try {
      await lead(AbortSignal.any([signal, lock.lost]));
    } finally {
      await lock.release();
    }
  }
}
