/**
 * The processes that share a queue on PostgreSQL. Each counts as living as long as its connections stand; the others take over from one that
 * died, and one that was frozen gives up what they may have taken.
 */
import { sql } from 'kysely';
import type { Log } from '../log.ts';
import { sleep } from '../patience.ts';
import { DEAD_AFTER_MS, LIVING_PROCESSES } from '../store/postgres/living-processes.ts';
import type { PostgresDatabase } from '../store/postgres/postgres.ts';
import { SILENT_FOR_MS } from '../store/postgres/postgres-connection.ts';
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

const TICK_MS = 1000;

/** This process among the others. */
export class Processes {
  readonly #database: PostgresDatabase;
  readonly #requests: Requests;
  readonly #options: ProcessesOptions;
  /** Since when processes that hold rows have been missing, in looks that all succeeded. */
  #missingSince: ReadonlyMap<number, number> = new Map();
  #ranAt = performance.now();

  constructor(database: PostgresDatabase, requests: Requests, options: ProcessesOptions) {
    this.#database = database;
    this.#requests = requests;
    this.#options = options;
  }

  /** Begins to hear from the others, and to take over from those that die, until `signal` aborts. */
  async join(signal: AbortSignal): Promise<void> {
    const { onDue, onReconnect } = this.#options;
    const onNotification = (payload: string): void => {
      if (payload === '') onDue();
      else this.#requests.emit('changed', Number(payload));
    };
    // Without a connection now, it listens over the next one.
    await this.#database.session.listen({ channel: CHANNEL, onNotification, onReconnect }).catch(() => {});
    const ticks = setInterval(() => {
      this.giveUpIfSlept();
      this.#ranAt = performance.now();
    }, TICK_MS).unref();
    signal.addEventListener('abort', () => clearInterval(ticks));
    void this.#takeOver(signal);
  }

  /** Gives everything up if nothing has run for so long that others count this process as dead: at once, or soon after by itself. */
  giveUpIfSlept(): void {
    const now = performance.now();
    if (now - this.#ranAt <= SILENT_FOR_MS) return;
    this.#ranAt = now;
    this.#options.log.warn('this process was suspended: other processes have taken over its requests');
    this.#options.onSlept();
  }

  /** Gives back the requests of dead processes until the abort; never throws. */
  async #takeOver(signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    let isAway = false;
    while (!signal.aborted) {
      try {
        const dead = await this.#dead();
        if (isAway) log.info('the database is reachable again');
        isAway = false;
        if (dead.length > 0) {
          log.warn({ processes: dead.length }, 'taking over the requests of a dead process');
          await this.#requests.giveBack(dead);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!isAway) log.warn({ error }, 'the database is unreachable');
        isAway = true;
        // While the database was away, nobody could be seen.
        this.#missingSince = new Map();
      }
      await sleep(LOOK_EVERY_MS, signal);
    }
  }

  /** The processes that hold rows and whose connections (postgres-session.ts) have been missing for `DEAD_AFTER_MS`. */
  async #dead(): Promise<number[]> {
    const { rows: missing } = await sql<{ process: number }>`
      with recursive ${HOLDERS}
      select process from holders where process is not null and process not in (${sql.raw(LIVING_PROCESSES)})`.execute(
      this.#database.sql,
    );
    const now = performance.now();
    const since = missing.map(({ process }) => [process, this.#missingSince.get(process) ?? now] as const);
    this.#missingSince = new Map(since);
    return since.filter(([, at]) => now - at >= DEAD_AFTER_MS).map(([process]) => process);
  }
}
