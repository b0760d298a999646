/** What both database engines share: their interface, and their cache of statements. */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { SessionStore } from 'telegraf';
import type { Schema } from './schema.ts';

/** The database's address (`DATABASE_URL`). */
export type DatabaseConfig =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string };

export type Engine = DatabaseConfig['engine'];

/** One set of tables. Errors of all statements are `database` failures. */
export interface EngineDatabase {
  /** With SQLite no other process writes here, so what was read once may be cached. */
  readonly engine: Engine;
  /**
   * A write that has returned survives the process, and a power cut: on SQLite a fraction of a second later, on PostgreSQL at once, but for
   * transactions that do not wait (`SOON`). Writes reach the disk in their order, so a power cut that undoes what a request did undoes its end,
   * too: it is handled again.
   */
  readonly sql: Kysely<Schema>;
  /**
   * Runs a transaction that survives a power cut, with all before it, once this resolves. `onCommit` is called when others see what it wrote, on SQLite
   * before the disk has it.
   */
  durably<T>(write: (transaction: Transaction<Schema>) => Promise<T>, onCommit?: () => void): Promise<T>;
  /** The clock for all stored times, in ms since the epoch: the server's own, or this machine's. */
  now(): number;
  /** Waits for the disk after a statement that has changed so many rows: batches write faster than SQLite's log is shortened. */
  keptUp(rows: number): Promise<void>;
  /** Resolves when deleted rows are gone from all of the engine's files. What another process (a backup) reads meanwhile goes with the next call. */
  erased(): Promise<void>;
  /** The store of Telegraf's session middleware, as JSON. */
  readonly sessions: SessionStore<unknown>;
  close(): Promise<void>;
}

/** An expression that lets the present transaction on PostgreSQL not wait for the server's disk, so that it holds its locks no longer. */
export const SOON = sql`set_config('synchronous_commit', 'off', true)`;

/** Queries with lists (`in (…)`) are endlessly many, so the cache is bounded. */
const MOST_STATEMENTS = 200;

/** Caches what `make` gives for the text of a query: preparing a statement costs as much as running it, and most are always the same. */
export function createStatementCache<T>(make: (query: string) => T): (query: string) => T {
  const made = new Map<string, { readonly statement: T }>();
  return (query) => {
    const known = made.get(query);
    if (known !== undefined) return known.statement;
    if (made.size >= MOST_STATEMENTS) made.clear();
    const statement = make(query);
    made.set(query, { statement });
    return statement;
  };
}
