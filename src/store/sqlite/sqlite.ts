/** A SQLite file as the database of a bot that is one process. */
import { SQLite } from '@telegraf/session/sqlite';
import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { SessionStore } from 'telegraf';
import { orDatabaseFailure } from '../database-errors.ts';
import type { EngineDatabase } from '../engine.ts';
import { migrate } from '../migrations/migrations.ts';
import type { Schema } from '../schema.ts';
import { Checkpoints, WalSync } from './checkpoints.ts';
import { LockedSqlite, OneConnectionDialect } from './sqlite-connection.ts';
import { createPrivateFile, withoutLinks } from './sqlite-files.ts';

/** A database in a file that this process alone writes. */
export interface SqliteDatabase extends EngineDatabase {
  readonly engine: 'sqlite';
}

/** In pages: with a longer write-ahead log this connection makes a checkpoint itself, since those of checkpoints.ts have failed. */
const MAX_LOG_PAGES = 16_000;

/** How long a statement waits for another process's lock, in ms; the whole bot waits with it. */
const BUSY_TIMEOUT_MS = 1000;

/** Opens the file, creates what is missing, and migrates its tables. Throws if it cannot be opened or written. */
export async function openSqlite(name: string): Promise<SqliteDatabase> {
  const path = withoutLinks(name);
  createPrivateFile(path);
  const sqlite = new Sqlite(path);
  sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  const sync = new WalSync(path);
  const locked = new LockedSqlite(sqlite, () => void checkpoints.wrote(1));
  const sql = new Kysely<Schema>({ dialect: new OneConnectionDialect(locked) });
  const withoutWriter = <T>(work: () => Promise<T>): Promise<T> => sql.connection().execute(work);
  const checkpoints = new Checkpoints(path, withoutWriter);
  // Before any setting is written: another program's file stays as it is.
  await migrate(sql, 'sqlite');
  // With WAL, readers never wait for the writer. A commit survives the process; checkpoints.ts syncs the disk.
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = NORMAL');
  sqlite.pragma(`wal_autocheckpoint = ${MAX_LOG_PAGES}`);
  // Overwrites what /forget erases instead of only unlinking it.
  sqlite.pragma('secure_delete = ON');
  return {
    engine: 'sqlite',
    sql,
    durably: async (write, onCommit) => {
      const result = await sql.transaction().execute(write);
      onCommit?.();
      await orDatabaseFailure(() => sync.flushed());
      return result;
    },
    now: Date.now,
    keptUp: (rows) => checkpoints.wrote(rows),
    erased: () => orDatabaseFailure(() => checkpoints.emptied()),
    sessions: withTurns(SQLite<unknown>({ database: locked.database }), withoutWriter),
    close: async () => {
      await sync.flushed().catch(() => {});
      await checkpoints.close();
      await sql.destroy();
      sync.close();
    },
  };
}

/**
 * A session write has the connection to itself, so that no other rollback undoes it, and no checkpoint's lock blocks the event loop. The
 * library reads in 0.02 ms.
 */
function withTurns(
  rows: SessionStore<unknown>,
  withoutWriter: (write: () => Promise<unknown>) => Promise<unknown>,
): SessionStore<unknown> {
  return {
    get: async (key) => rows.get(key),
    set: (key, session) => withoutWriter(async () => rows.set(key, session)),
    delete: (key) => withoutWriter(async () => rows.delete(key)),
  };
}
