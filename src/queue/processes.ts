/**
 * The processes that share a queue on PostgreSQL; one of them at a time polls Telegram. A process counts as alive while its connections
 * stand; the others take over the requests of a dead one and free its claims, and a process that was suspended gives up what they may have
 * taken.
 */
import { sql } from 'kysely';
import type { Log } from '../log.ts';
import { sleep } from '../patience.ts';
import type { Database } from '../store/database.ts';
import { freeClaimsOf } from '../store/money/claims.ts';
import type { PostgresDatabase } from '../store/postgres/postgres.ts';
import type { Requests } from './requests.ts';

interface ProcessesOptions {
  readonly log: Log;
  /** Called after a reconnection: notifications sent meanwhile were missed. */
  readonly onReconnect: () => void;
  /** Called after this process was suspended for so long that the others count it as dead. */
  readonly onSlept: () => void;
}

/** How often to look for dead processes, in ms. */
const LOOK_EVERY_MS = 1000;
/** How long a process must be missing before it counts as dead, in ms: a living one that loses its connections is back within this time. */
const DEAD_AFTER_MS = 3000;

/**
 * The processes that hold requests or claims, found one by one in the indexes: PostgreSQL's planner does not know how few rows are taken,
 * and would scan all waiting rows, every second in every process.
 */
const HOLDERS = sql`
  taken as not materialized (select process from requests union all select process from results),
  holders (process) as (
    select min(process) from taken
    union all
    select (select min(process) from taken where process > holders.process) from holders
    where process is not null
  )`;

const TICK_MS = 1000;

export class Processes {
  readonly #database: PostgresDatabase;
  readonly #requests: Requests;
  readonly #options: ProcessesOptions;
  /** Since when a process that holds something has been missing; reset by every failed look. */
  #missingSince: ReadonlyMap<number, number> = new Map();
  #ranAt = performance.now();

  constructor(database: PostgresDatabase, requests: Requests, options: ProcessesOptions) {
    this.#database = database;
    this.#requests = requests;
    this.#options = options;
  }

  /** Listens to the other processes, and takes over from dead ones, until `signal` aborts. */
  join(signal: AbortSignal): void {
    const { session } = this.#database;
    session.onNotification = (payload) => this.#requests.onNews(payload);
    session.onReconnect = this.#options.onReconnect;
    const ticks = setInterval(() => {
      this.giveUpIfSlept();
      this.#ranAt = performance.now();
    }, TICK_MS).unref();
    signal.addEventListener('abort', () => clearInterval(ticks));
    void this.#takeOver(signal);
  }

  /**
   * Aborts all running work if this process was suspended for so long that the others count it as dead. Also runs by itself, every second.
   */
  giveUpIfSlept(): void {
    const now = performance.now();
    if (now - this.#ranAt <= this.#database.session.silentForMs) return;
    this.#ranAt = now;
    this.#options.log.warn('this process was suspended: other processes have taken over its requests');
    this.#options.onSlept();
  }

  /** Gives back the requests of dead processes, and frees their claims, until `signal` aborts; never throws. */
  async #takeOver(signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    let isAway = false;
    while (!signal.aborted) {
      try {
        const dead = await this.#dead();
        if (isAway) log.info('the database is reachable again');
        isAway = false;
        for (const process of dead) {
          log.warn({ process }, 'taking over the requests of a dead process');
          await this.#requests.takeOver(process);
          await freeClaimsOf(this.#database, process);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!isAway) log.warn({ error }, 'the database is unreachable');
        isAway = true;
        // Nothing was seen during the outage.
        this.#missingSince = new Map();
      }
      await sleep(LOOK_EVERY_MS, signal);
    }
  }

  /** Selects the processes that hold requests or claims and whose connections have been missing for `DEAD_AFTER_MS`. */
  async #dead(): Promise<number[]> {
    const { rows: missing } = await sql<{ process: number }>`
      with recursive ${HOLDERS}
      select process from holders where process is not null and process not in (${sql.raw(this.#database.session.livingProcesses)})`.execute(
      this.#database.sql,
    );
    const now = performance.now();
    const since = missing.map(({ process }) => [process, this.#missingSince.get(process) ?? now] as const);
    this.#missingSince = new Map(since);
    return since.filter(([, at]) => now - at >= DEAD_AFTER_MS).map(([process]) => process);
  }
}

interface LeadershipOptions {
  readonly database: Database;
  readonly log: Log;
  /** Aborting it ends the leadership, or the wait for it. */
  readonly signal: AbortSignal;
}

const LOCK = 'lotsawa poller';
const LOOK_AGAIN_MS = 500;

/**
 * Calls `lead` whenever this process becomes the leader, with a signal that aborts when it loses the lock. `lead` resolves only after its
 * signal has aborted. On SQLite the one process always leads. Resolves once `signal` has aborted and `lead` has ended. The lock ends with
 * its connection, so another process takes over as soon as the server notices that the leader died.
 */
export async function whileLeader(
  { database, log, signal }: LeadershipOptions,
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
