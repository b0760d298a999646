/** The database of a bot that is one process: a SQLite file. */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { SQLite } from '@telegraf/session/sqlite';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteAdapter, SqliteDialect } from 'kysely';
import { type Checkpoints, createCheckpoints } from './checkpoints.ts';
import type { EngineDatabase } from './engine.ts';
import { migrate } from './migrations.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { lockedByExec } from './sqlite-locks.ts';
import { createTurns } from './sqlite-turns.ts';
import type { OnDelay } from './start-delay.ts';
import { createWalSync, type WalSync } from './wal-sync.ts';

/** A file that this process alone writes. */
export interface SqliteDatabase extends EngineDatabase {
  readonly engine: 'sqlite';
  /** Resolves when all that was written by now is on the disk; rejects with the disk's error. */
  flushed(): Promise<void>;
}

const NO_DISK: WalSync = { flushed: async () => {}, committed: () => {}, close: () => {} };
const NO_LOG: Checkpoints = { committed: () => {}, emptied: async () => {}, close: async () => {} };

/** From so many pages in the write-ahead log on this connection makes a checkpoint itself: those of checkpoints.ts have failed. */
const MOST_LOG_PAGES = 16_000;

/** How long a statement waits for another process's lock before it fails, in ms; the whole bot waits with it. */
const BUSY_TIMEOUT_MS = 1000;

/**
 * Opens the file, creating what is missing, and brings its tables up to date. Throws where it cannot be opened or written.
 *
 * The sessions share the connection: what they write while a transaction of ours is open is committed with it. So a
 * transaction here is never rolled back as a way of saying no; it commits, and the no is said afterwards.
 */
export async function openSqlite(path: string, onDelay: OnDelay = () => {}): Promise<SqliteDatabase> {
  const onBegin = (): void => onDelay({ kind: 'migrating' });
  if (path !== ':memory:') createForOwnerAlone(path);
  const sqlite = new Sqlite(path);
  // WAL: readers never wait for the writer. What is committed survives the process; the disk is waited for in wal-sync.ts.
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = NORMAL');
  sqlite.pragma(`wal_autocheckpoint = ${MOST_LOG_PAGES}`);
  // What /forget erases is overwritten, not only unlinked.
  sqlite.pragma('secure_delete = ON');
  sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  const turns = createTurns();
  const sync = path === ':memory:' ? NO_DISK : createWalSync(path);
  const checkpoints = path === ':memory:' ? NO_LOG : createCheckpoints(path, turns);
  const database = lockedByExec(sqlite, () => {
    sync.committed();
    checkpoints.committed();
  });
  await migrate(new Kysely<Schema>({ dialect: new StepsInOneDialect({ database }) }), 'sqlite', { onBegin });
  const sql = new Kysely<Schema>({ dialect: sqliteDialect(database, turns, sync.flushed) });
  return {
    engine: 'sqlite',
    sql,
    soon: new Kysely<Schema>({ dialect: sqliteDialect(database, turns, async () => {}) }),
    // A disk that fails is told to whoever commits next and waits.
    promptly: new Kysely<Schema>({
      dialect: sqliteDialect(database, turns, async () => void sync.flushed().catch(() => {})),
    }),
    now: Date.now,
    flushed: sync.flushed,
    erased: checkpoints.emptied,
    sessions: SQLite<unknown>({ database }),
    close: async () => {
      await sync.flushed().catch(() => {});
      await checkpoints.close();
      await sql.destroy();
      sync.close();
    },
  };
}

/** What is missing of the file and its folders comes into being closed to others on the machine; SQLite gives the WAL the file's mode. */
export function createForOwnerAlone(path: string): void {
  createFolder(dirname(path));
  closeSync(openSync(path, 'a', 0o600));
}

/** Not mkdir's `recursive`: it never ends where no folder can be made though all above it are there, as in /proc. */
function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** SQLite changes tables within a transaction, of which Kysely makes no use: a step that a kill cut in two could never be taken again. */
class StepsInOneDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new StepsInOneAdapter();
  }
}

class StepsInOneAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
