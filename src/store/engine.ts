/** What both database engines share. */
import { type Kysely, sql } from 'kysely';
import type { SessionStore } from 'telegraf';
import type { Engine, Schema } from './schema.ts';

/** The database's address (`DATABASE_URL`). */
export type DatabaseConfig =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string };

/** One set of tables. Errors of all statements are `database` failures. */
export interface EngineDatabase {
  /** With SQLite no other process writes here, so what was read once may be cached. */
  readonly engine: Engine;
  /**
   * A write that has returned survives the death of the process, and a power cut: on PostgreSQL at once, except for transactions that do
   * not wait (`SOON`); on SQLite once a later `synced` has resolved. Writes reach the disk in order: a power cut that undoes a request's
   * work undoes its end, too, and it is handled again.
   */
  readonly sql: Kysely<Schema>;
  /** Resolves when all writes that have returned survive a power cut. */
  synced(): Promise<void>;
  /** The clock for all stored times but `due_at`, in ms since the epoch. */
  now(): number;
  /** Waits for the disk after a statement that changed so many rows: batches write faster than SQLite's log is shortened. */
  keptUp(rows: number): Promise<void>;
  /**
   * Resolves when deleted rows are gone from all the engine's files. What another process is reading (a backup) goes with the next call.
   */
  erased(): Promise<void>;
  /** The store of Telegraf's session middleware, as JSON. */
  readonly sessions: SessionStore<unknown>;
  close(): Promise<void>;
}

/** Lets the current PostgreSQL transaction commit without waiting for the server's disk, so that it releases its locks sooner. */
export const SOON = sql`set_config('synchronous_commit', 'off', true)`;
