/** The database of a bot that is one process: a SQLite file. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { SQLite } from '@telegraf/session/sqlite';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { SessionStore } from 'telegraf';
import { migrate } from './migrations.ts';
import type { Schema } from './schema.ts';
import { lockedByExec } from './sqlite-locks.ts';

export interface SqliteDatabase {
  readonly engine: 'sqlite';
  readonly sql: Kysely<Schema>;
  /** Where Telegraf's session middleware keeps what it is given, as JSON. */
  readonly sessions: SessionStore<unknown>;
  close(): Promise<void>;
}

/** How long a statement waits for another process's lock before it fails, in ms; the whole bot waits with it. */
const BUSY_TIMEOUT_MS = 1000;

/**
 * Opens the file, creating what is missing. Throws where it cannot be opened or written.
 *
 * The sessions share the connection: what they write while a transaction of ours is open is committed with it. So a
 * transaction here is never rolled back as a way of saying no; it commits, and the no is said afterwards.
 */
export async function openSqlite(path: string): Promise<SqliteDatabase> {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const sqlite = new Sqlite(path);
  // WAL: readers never wait for the writer; FULL: what was committed survives a power cut.
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL');
  // What /forget erases is overwritten, not only unlinked.
  sqlite.pragma('secure_delete = ON');
  sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  const database = lockedByExec(sqlite);
  const sql = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  await migrate(sql, 'sqlite');
  return {
    engine: 'sqlite',
    sql,
    sessions: SQLite<unknown>({ database }),
    close: () => sql.destroy(),
  };
}
