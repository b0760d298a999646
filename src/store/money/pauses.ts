/**
 * Times until which something is suspended, by reason: calls that could only fail, and repeated notices of the day's budget. All processes
 * share them; they survive restarts.
 */
import { sql } from 'kysely';
import type { EngineDatabase } from '../engine.ts';

/** In ms (spec §4): no call for 10 minutes, then one probe. */
const PAUSE_MS = 10 * 60 * 1000;

/**
 * - `free`: there is no pause
 * - `probe`: the pause has run out, and this caller alone may try whether calls work again
 * - `paused`: not now
 */
type Permission = 'free' | 'probe' | 'paused';

/** The pauses of all processes on this database. All methods throw `database`. */
export class Pauses {
  readonly #database: Pick<EngineDatabase, 'sql' | 'now'>;

  constructor(database: Pick<EngineDatabase, 'sql' | 'now'>) {
    this.#database = database;
  }

  /** Returns all pauses, run out or not: until when each lasts (ms since the epoch), by reason. There are rarely any. */
  async all(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#database.sql.selectFrom('pauses').select(['reason', 'until']).execute();
    return new Map(rows.map(({ reason, until }) => [reason, Number(until)]));
  }

  /** Returns how long the pause until this time still lasts, in ms; 0 if it was released or has ended. */
  async left(until: number): Promise<number> {
    const isOn = [...(await this.all()).values()].includes(until);
    return isOn ? Math.max(0, until - this.#database.now()) : 0;
  }

  /** Returns whether a call may be tried; granting `probe` begins the pause anew for everybody else. */
  async permission(reason: string): Promise<Permission> {
    const { sql: database, now } = this.#database;
    const until = now() + PAUSE_MS;
    const probe = await database
      .updateTable('pauses')
      .set({ until })
      .where('reason', '=', reason)
      // It has run out, or ends later than one that would begin now: then the clock was set back.
      .where(sql<boolean>`(pauses.until <= ${now()} or pauses.until > ${until})`)
      .executeTakeFirst();
    if (probe.numUpdatedRows > 0n) return 'probe';
    return (await this.all()).has(reason) ? 'paused' : 'free';
  }

  /**
   * Lets the next caller probe: after a probe that proved nothing, or when an admin presses *Try now*. Returns false if there is no such
   * pause.
   */
  async release(reason: string): Promise<boolean> {
    const { sql: database, now } = this.#database;
    const released = await database
      .updateTable('pauses')
      .set({ until: now() })
      .where('reason', '=', reason)
      .executeTakeFirst();
    return released.numUpdatedRows > 0n;
  }

  /** Begins a pause; returns false if there is one already, run out or not. */
  async begin(reason: string): Promise<boolean> {
    const { sql: database, now } = this.#database;
    const begun = await database
      .insertInto('pauses')
      .values({ reason, until: now() + PAUSE_MS })
      .onConflict((conflict) => conflict.column('reason').doNothing())
      .executeTakeFirst();
    return (begun.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  /** Begins a pause until a time (ms since the epoch); returns false if one is on already. */
  async beginUntil(reason: string, until: number): Promise<boolean> {
    const { sql: database, now } = this.#database;
    const begun = await database
      .insertInto('pauses')
      .values({ reason, until })
      .onConflict((conflict) =>
        conflict.column('reason').doUpdateSet({ until }).where('pauses.until', '<=', now()),
      )
      .returning('reason')
      .executeTakeFirst();
    return begun !== undefined;
  }

  /** Ends a pause, after a call that succeeded. */
  async end(reason: string): Promise<void> {
    await this.#database.sql.deleteFrom('pauses').where('reason', '=', reason).execute();
  }
}
