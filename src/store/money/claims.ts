/**
 * Claims, by key: one process at a time buys a result. On PostgreSQL a claim is the number of the process in the result's row. It holds
 * for as long as that process lives, whatever becomes of its connections, until the result is kept (kept/results.ts) or the claim is freed.
 */
import { sql } from 'kysely';
import { patiently, sleep, throwIfCancelled } from '../../patience.ts';
import type { Database } from '../database.ts';
import { DEAD_AFTER_MS, LIVING_PROCESSES } from '../postgres/living-processes.ts';
import type { PostgresDatabase } from '../postgres/postgres.ts';

export interface Claim {
  /** The row has a result: an old one, or one that another process has bought meanwhile. */
  readonly isOnResult: boolean;
  /** Gives the claim up if the result was not kept; does not wait. */
  free(): void;
}

const SURE: Claim = { isOnResult: false, free: () => {} };
/** How often to look whether the other process has finished, in ms. */
const LOOK_EVERY_MS = 100;
const FREE_AGAIN_AFTER_MS = 1000;

/** Matches a row without a result. */
export const IS_EMPTY = sql`(results.text is null and results.audio is null)`;

/** The claims of this process. On SQLite there is one process, which never waits. */
export class Claims {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Takes the claim on behalf of the person who pays. If another process has it, waits until that one has finished and returns undefined:
   * the result may be kept now. Throws `cancelled` when `signal` aborts, and `database` when the database is unreachable.
   */
  async take(key: string, person: string, signal: AbortSignal): Promise<Claim | undefined> {
    const database = this.#database;
    if (database.engine === 'sqlite') return SURE;
    const taken = await claim(database, key, person, null);
    if (taken !== undefined) return taken;
    const dead = await deadHolder(database, key, signal);
    return dead === undefined ? undefined : claim(database, key, person, dead);
  }
}

/** Takes the claim unless a process other than `dead` has it. */
async function claim(
  database: PostgresDatabase,
  key: string,
  person: string,
  dead: number | null,
): Promise<Claim | undefined> {
  const at = database.now();
  const { process } = database.session;
  const free = () => void freeClaim(database, key, at);
  // One of this process is left from an earlier purchase: two at once are one (pay-once.ts).
  const { rows } = await sql<{ is_empty: boolean }>`
    insert into results (key, person, process, kept_at) values (${key}, ${person}, ${process}, ${at})
    on conflict (key) do update set process = excluded.process, person = excluded.person,
      kept_at = case when ${IS_EMPTY} then excluded.kept_at else results.kept_at end
    where results.process is null or results.process in (${process}, ${dead})
    returning ${IS_EMPTY} as is_empty`
    .execute(database.sql)
    .catch((error: unknown) => {
      // The server may have granted the claim all the same.
      free();
      throw error;
    });
  const [taken] = rows;
  return taken && { isOnResult: !taken.is_empty, free };
}

/** Frees the claim that this process took at this time, and no later one. */
function freeClaim({ sql: database, session }: PostgresDatabase, key: string, at: number): Promise<unknown> {
  const ours = sql`key = ${key} and process = ${session.process}`;
  const write = () =>
    sql`
      with emptied as (delete from results where ${ours} and kept_at = ${at} and ${IS_EMPTY})
      update results set process = null where ${ours} and not ${IS_EMPTY}`.execute(database);
  return patiently(write, () => FREE_AGAIN_AFTER_MS, { ref: false });
}

/** Waits for the process that has the claim; returns its number if it died, and undefined once the claim is free. */
async function deadHolder(
  { sql: database }: PostgresDatabase,
  key: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  let missing: { readonly process: number; readonly since: number } | undefined;
  for (;;) {
    const { rows } = await sql<{ process: number; lives: boolean }>`
      select process, process in (${sql.raw(LIVING_PROCESSES)}) as lives
      from results where key = ${key} and process is not null`.execute(database);
    const [holder] = rows;
    throwIfCancelled(signal);
    if (holder === undefined) return undefined;
    if (holder.lives) missing = undefined;
    else if (missing?.process !== holder.process)
      missing = { process: holder.process, since: performance.now() };
    else if (performance.now() - missing.since >= DEAD_AFTER_MS) return holder.process;
    await sleep(LOOK_EVERY_MS, signal);
  }
}
