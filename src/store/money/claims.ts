/**
 * Claims, by key: one process at a time buys a result. On PostgreSQL a claim is the number of the process in the result's row. It holds,
 * whatever becomes of the connections of that process, until the result is kept (kept/results.ts) or the claim is freed: by itself, or once
 * it is dead by the others (queue/processes.ts).
 */
import { type RawBuilder, sql } from 'kysely';
import { eventually, patiently, throwIfCancelled } from '../../patience.ts';
import type { Database } from '../database.ts';
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
   * Takes the claim on behalf of the person who pays. If another process has it, waits until that one has finished or died and returns
   * undefined: the result may be kept now. Throws `cancelled` when `signal` aborts, and `database` when the database is unreachable.
   */
  async take(key: string, person: string, signal: AbortSignal): Promise<Claim | undefined> {
    const database = this.#database;
    if (database.engine === 'sqlite') return SURE;
    const taken = await claim(database, key, person);
    if (taken !== undefined) return taken;
    const isFree = async () => {
      const { rows } = await sql`select 1 from results where key = ${key} and process is not null`.execute(
        database.sql,
      );
      return rows.length === 0 || undefined;
    };
    await eventually(isFree, LOOK_EVERY_MS, signal);
    throwIfCancelled(signal);
    return undefined;
  }
}

/** Takes the claim unless another process has it. */
async function claim(database: PostgresDatabase, key: string, person: string): Promise<Claim | undefined> {
  const at = database.now();
  const { process } = database.session;
  const free = () => {
    // Not one that this process took later.
    const ours = sql`key = ${key} and process = ${process} and (kept_at = ${at} or not ${IS_EMPTY})`;
    const write = () => freeAll(database, ours);
    void patiently(write, () => FREE_AGAIN_AFTER_MS, { ref: false });
  };
  // One of this process is left from an earlier purchase: two at once are one (account.ts).
  const { rows } = await sql<{ is_empty: boolean }>`
    insert into results (key, person, process, kept_at) values (${key}, ${person}, ${process}, ${at})
    on conflict (key) do update set process = excluded.process, person = excluded.person,
      kept_at = case when ${IS_EMPTY} then excluded.kept_at else results.kept_at end
    where results.process is null or results.process = ${process}
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

/** Frees the claims of a dead process. */
export function freeClaimsOf(database: PostgresDatabase, process: number): Promise<unknown> {
  return freeAll(database, sql`process = ${process}`);
}

function freeAll({ sql: database }: PostgresDatabase, which: RawBuilder<unknown>): Promise<unknown> {
  return sql`
    with emptied as (delete from results where ${which} and ${IS_EMPTY})
    update results set process = null where ${which} and not ${IS_EMPTY}`.execute(database);
}
