/** Until when something is suspended, by reason: calls that could only fail, and notices of the day's budget. Shared by all processes. */
import { type RawBuilder, sql } from 'kysely';
import type { EngineDatabase } from '../engine.ts';

/** In ms: no call for 10 minutes, then one probe. */
const PAUSE_MS = 10 * 60 * 1000;

/** `probe`: a pause has run out, and this caller alone may try whether calls work again. `until`: ms since the epoch. */
type Permission = 'free' | 'probe' | Pause;

interface Pause {
  readonly reason: string;
  readonly until: number;
}

/** All methods throw `database` when the database is unreachable. */
export class Pauses {
  readonly #database: Pick<EngineDatabase, 'sql' | 'now'>;

  constructor(database: Pick<EngineDatabase, 'sql' | 'now'>) {
    this.#database = database;
  }

  /** Returns the pauses for these reasons, run out or not, and until when each lasts (ms since the epoch); the longest first. */
  async find(reasons: readonly string[]): Promise<readonly Pause[]> {
    const { rows } = await sql<Pause>`
      select reason, until from pauses where reason in (${sql.join(reasons)}) order by until desc`.execute(
      this.#database.sql,
    );
    return rows;
  }

  /** Returns how long the pause until this time still lasts, in ms; 0 if it was released or has ended. */
  async left(until: number): Promise<number> {
    const { rows } = await sql`select 1 from pauses where until = ${until}`.execute(this.#database.sql);
    return rows.length === 0 ? 0 : Math.max(0, until - this.#database.now());
  }

  /** Returns whether a call that pauses for these reasons concern may be tried; granting `probe` restarts the pause for all other callers. */
  async permission(reasons: readonly string[]): Promise<Permission> {
    const [longest] = await this.find(reasons);
    if (longest === undefined) return 'free';
    const now = this.#database.now();
    const { reason, until } = longest;
    const again = now + PAUSE_MS;
    // It has run out, or ends later than one that would begin now: then the clock was set back.
    const isOver = until <= now || until > again;
    const isProbe =
      isOver &&
      (await this.#write(sql`
        update pauses set until = ${again} where reason in (${sql.join(reasons)}) and (until <= ${now} or until > ${again})`));
    return isProbe ? 'probe' : { reason, until: isOver ? again : until };
  }

  /** Lets the next caller probe: after a probe that proved nothing, or *Try now*. Returns false if there is no such pause. */
  release(reasons: readonly string[]): Promise<boolean> {
    return this.#write(
      sql`update pauses set until = ${this.#database.now()} where reason in (${sql.join(reasons)})`,
    );
  }

  /** Begins a pause until a time (ms since the epoch); returns false if one is on already. */
  begin(reason: string, until = this.#database.now() + PAUSE_MS): Promise<boolean> {
    return this.#write(sql`
      insert into pauses (reason, until) values (${reason}, ${until})
      on conflict (reason) do update set until = excluded.until where pauses.until <= ${this.#database.now()}`);
  }

  async end(reasons: readonly string[]): Promise<void> {
    await this.#write(sql`delete from pauses where reason in (${sql.join(reasons)})`);
  }

  /** Returns whether a row was written. */
  async #write(statement: RawBuilder<unknown>): Promise<boolean> {
    const { numAffectedRows = 0n } = await statement.execute(this.#database.sql);
    return numAffectedRows > 0n;
  }
}
