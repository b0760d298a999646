/** The database of a bot that is one process: a SQLite file. */
import { existsSync, statSync } from 'node:fs';
import { SQLite } from '@telegraf/session/sqlite';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteAdapter, SqliteDialect } from 'kysely';
import type { EngineDatabase, OnDelay } from '../engine.ts';
import { migrate, schemaState } from '../migrations/migrations.ts';
import type { Schema } from '../schema.ts';
import { UnfitDatabase } from '../trouble.ts';
import { createCheckpoints, createWalSync } from './checkpoints.ts';
import { createTurns, lockedByExec, sqliteDialect } from './sqlite-connection.ts';
import { createForOwnerAlone, watchPlace } from './sqlite-place.ts';

/** A file that this process alone writes. */
export interface SqliteDatabase extends EngineDatabase {
  readonly engine: 'sqlite';
  /** Resolves when all that was written by now is on the disk; rejects with the disk's error. */
  flushed(): Promise<void>;
}

export interface OpeningOptions {
  readonly onDelay?: OnDelay;
  /** There was a database before: where none is, it is lost, and no new one is made. */
  readonly isKnown?: boolean;
}

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
export async function openSqlite(
  path: string,
  { onDelay = () => {}, isKnown = false }: OpeningOptions = {},
): Promise<SqliteDatabase> {
  if (isKnown && isNothing(path)) throw new UnfitDatabase('gone');
  const onBegin = (): void => onDelay({ kind: 'migrating' });
  // A process that was killed has left its log, and in it perhaps what was erased while somebody read.
  const isLogLeft = existsSync(`${path}-wal`);
  createForOwnerAlone(path);
  const sqlite = new Sqlite(path);
  sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // Before anything is written: another program's stays as it is.
  const state = await schemaState(
    new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) }),
    'sqlite',
  );
  if (state === 'foreign') throw new UnfitDatabase(state);
  // WAL: readers never wait for the writer. What is committed survives the process; the disk is waited for in checkpoints.ts.
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = NORMAL');
  sqlite.pragma(`wal_autocheckpoint = ${MOST_LOG_PAGES}`);
  // What /forget erases is overwritten, not only unlinked.
  sqlite.pragma('secure_delete = ON');
  const turns = createTurns();
  const sync = createWalSync(path);
  const checkpoints = createCheckpoints(path, turns);
  const database = lockedByExec(sqlite, () => {
    sync.committed();
    checkpoints.committed();
  });
  await migrate(new Kysely<Schema>({ dialect: new StepsInOneDialect({ database }) }), 'sqlite', {
    onBegin,
    isKnown,
  });
  if (isLogLeft) void checkpoints.emptied().catch(() => {});
  const place = watchPlace(sqlite, path);
  const sql = new Kysely<Schema>({ dialect: sqliteDialect(database, turns, sync.flushed) });
  return {
    engine: 'sqlite',
    isAlone: true,
    sql,
    soon: new Kysely<Schema>({ dialect: sqliteDialect(database, turns, async () => {}) }),
    // The next commit that is waited for fails with the disk's error.
    promptly: new Kysely<Schema>({
      dialect: sqliteDialect(database, turns, async () => void sync.flushed().catch(() => {})),
    }),
    now: Date.now,
    flushed: sync.flushed,
    erased: checkpoints.emptied,
    sessions: SQLite<unknown>({ database }),
    isDamaged: checkpoints.isDamaged,
    problem: place.problem,
    close: async () => {
      await sync.flushed().catch(() => {});
      await checkpoints.close();
      place.leave();
      await sql.destroy();
      sync.close();
    },
  };
}

/** No database is at this path. SQLite would make one, and delete what a log beside it still holds as leftovers. */
export function isNothing(path: string): boolean {
  return !existsSync(path) || statSync(path).size === 0;
}

/**
 * For migrations: all steps are taken, or none. SQLite changes tables within a transaction, of which Kysely makes no use: a step that
 * a kill cut in two could never be taken again.
 */
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
