/** One process at a time changes the tables on a server: the others wait for their turn, tell of it, and can be told to stop. */
import { type Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import type { Pool } from 'pg';
import { sleep } from '../../sleep.ts';
import type { OnDelay } from '../start-delay.ts';

/** Between two looks whether another process is through; in ms. */
const TURN_EVERY_MS = 250;
/** Kysely's own, which releases of this bot up to 0.1.0 wait for. */
const LOCK = 3853314791062309107n;

/** Throws the reason of `signal` when that aborts while another process has its turn. */
export class TurnTakingDialect extends PostgresDialect {
  readonly #onDelay: OnDelay;
  readonly #signal: AbortSignal | undefined;

  constructor(pool: Pool, onDelay: OnDelay, signal: AbortSignal | undefined) {
    super({ pool });
    this.#onDelay = onDelay;
    this.#signal = signal;
  }

  override createAdapter(): PostgresAdapter {
    return new TurnTakingAdapter(this.#onDelay, this.#signal);
  }
}

/** Asks for its turn until it has come, where Kysely waits without a word for an hour at most. */
class TurnTakingAdapter extends PostgresAdapter {
  readonly #onDelay: OnDelay;
  readonly #signal: AbortSignal | undefined;

  constructor(onDelay: OnDelay, signal: AbortSignal | undefined) {
    super();
    this.#onDelay = onDelay;
    this.#signal = signal;
  }

  override async acquireMigrationLock(database: Kysely<unknown>): Promise<void> {
    for (let isTold = false; ; isTold = true) {
      this.#signal?.throwIfAborted();
      const { rows } = await sql<{ isOurs: boolean }>`
        select pg_try_advisory_lock(${LOCK}) as "isOurs"`.execute(database);
      if (rows[0]?.isOurs === true) return;
      if (!isTold) this.#onDelay({ kind: 'others-migrate' });
      await sleep(TURN_EVERY_MS, this.#signal);
    }
  }

  override async releaseMigrationLock(database: Kysely<unknown>): Promise<void> {
    await sql`select pg_advisory_unlock(${LOCK})`.execute(database);
  }
}
