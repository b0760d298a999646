/** The one database of the bot, opened by its address; every table of ours is reached through Kysely. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { SQLite } from '@telegraf/session/sqlite';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { SessionStore } from 'telegraf';
import type { DatabaseConfig } from '../config.ts';
import { migrate } from './migrations.ts';
import type { Schema } from './schema.ts';

export interface Database {
  readonly sql: Kysely<Schema>;
  /** Where Telegraf's session middleware keeps what it is given, as JSON. */
  readonly sessions: SessionStore<unknown>;
  close(): Promise<void>;
}

/** How long a statement waits for another process's lock before it fails, in ms; the whole bot waits with it. */
const BUSY_TIMEOUT_MS = 1000;

/**
 * Opens the database, creating what is missing, and brings its tables up to date.
 * Throws where it cannot be opened or written.
 *
 * On SQLite the sessions share the connection: what they write while a transaction of ours is open is committed with it. So
 * a transaction here is never rolled back as a way of saying no; it commits, and the no is said afterwards.
 */
export async function openDatabase(config: DatabaseConfig): Promise<Database> {
  if (config.engine === 'postgres')
    throw new Error('DATABASE_URL: PostgreSQL is not supported yet, use sqlite:PATH');
  if (config.path !== ':memory:') mkdirSync(dirname(config.path), { recursive: true });
  const sqlite = new Sqlite(config.path);
  // WAL: readers never wait for the writer; FULL: what was committed survives a power cut.
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL');
  // What /forget erases is overwritten, not only unlinked.
  sqlite.pragma('secure_delete = ON');
  sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  const sql = new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) });
  await migrate(sql, config.engine);
  return {
    sql,
    sessions: SQLite<unknown>({ database: sqlite }),
    close: () => sql.destroy(),
  };
}
