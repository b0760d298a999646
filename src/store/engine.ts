/** What both database engines share: their interface, the delays that they report at the start, and their cache of statements. */
import type { Kysely } from 'kysely';
import type { SessionStore } from 'telegraf';
import type { Schema } from './schema.ts';

/** The database's address (`DATABASE_URL`). */
export type DatabaseConfig =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string };

export type Engine = DatabaseConfig['engine'];

/** One set of tables with three ways to write, which differ in how long a write is waited for. */
export interface EngineDatabase {
  /** A write that has returned survives a power cut. */
  readonly sql: Kysely<Schema>;
  /** A write that has returned survives the process, and soon afterwards a power cut. */
  readonly soon: Kysely<Schema>;
  /** As `soon`, but the write to disk begins at once. */
  readonly promptly: Kysely<Schema>;
  /** No other process writes here, so what was read once may be cached. */
  readonly isAlone: boolean;
  /** The clock for all stored times, in ms since the epoch: the server's own, or this machine's. */
  now(): number;
  /**
   * Resolves when deleted rows are gone from all of the engine's files. While another process reads them it resolves after one second; they
   * are then gone within a second of that process's end.
   */
  erased(): Promise<void>;
  /** The store of Telegraf's session middleware, as JSON. */
  readonly sessions: SessionStore<unknown>;
  /** Whether any page of a SQLite file is damaged. False for a server, and if the file is closed during the check. */
  isDamaged(): Promise<boolean>;
  /** A problem that does not stop writes, in words for the operator. */
  problem(): string | undefined;
  close(): Promise<void>;
}

/**
 * - `unreachable`: waiting for the server
 * - `migrating`: this process creates or changes the tables
 * - `others-migrate`: another process does
 * - `in-use`: something (a backup, a long query) uses the tables, so they cannot be changed yet
 */
export type StartDelay =
  | { readonly kind: 'unreachable' | 'in-use'; readonly error: unknown }
  | { readonly kind: 'migrating' | 'others-migrate' };

/** Called when a delay begins, and again at each look while it lasts. */
export type OnDelay = (delay: StartDelay) => void;

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
