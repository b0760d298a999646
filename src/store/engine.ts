/** What the bot's database offers, whichever engine it has, and what may hold up a start at it. */
import type { Kysely } from 'kysely';
import type { SessionStore } from 'telegraf';
import type { Schema } from './schema.ts';

/** Where the database is (`DATABASE_URL`). */
export type DatabaseConfig =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string };

export type Engine = DatabaseConfig['engine'];

/** One set of tables, and three ways to write into it: they differ in how long a write is waited for. */
export interface EngineDatabase {
  /** What it has written survives a power cut. */
  readonly sql: Kysely<Schema>;
  /** For what need not be waited for: what it has written survives the process, and within a moment also a power cut. */
  readonly soon: Kysely<Schema>;
  /** As `soon`, but on its way to the disk at once. */
  readonly promptly: Kysely<Schema>;
  /** No other process writes here: what was looked up once need not be looked up again. */
  readonly isAlone: boolean;
  /** The time by which all that is kept here is told, in ms since the epoch: of a server its own, else this machine's. */
  now(): number;
  /**
   * Resolves when what was deleted is found in none of the engine's files any more; where another process reads them, after a second,
   * and it is gone from them within a second of that process's end.
   */
  erased(): Promise<void>;
  /** Where Telegraf's session middleware keeps what it is given, as JSON. */
  readonly sessions: SessionStore<unknown>;
  /**
   * Whether a file is damaged anywhere, also in pages that were not read yet. False of a server, and where the file is closed before that is
   * known.
   */
  isDamaged(): Promise<boolean>;
  /** What is wrong with it though it can be written, for the operator. */
  problem(): string | undefined;
  close(): Promise<void>;
}

/**
 * `unreachable`: the server is waited for. `migrating`: the tables are made, or changed for this release. `others-migrate`:
 * another process does that just now. `in-use`: something works on the tables (a backup, a long query), so that they cannot be changed yet.
 */
export type StartDelay =
  | { readonly kind: 'unreachable' | 'in-use'; readonly error: unknown }
  | { readonly kind: 'migrating' | 'others-migrate' };

/** Told of a delay when it begins, and of one that is waited out each time that it is looked again. */
export type OnDelay = (delay: StartDelay) => void;
