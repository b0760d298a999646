/** A SQLite file as the database of a bot that is one process. */
import { existsSync, statSync } from 'node:fs';
import { SQLite } from '@telegraf/session/sqlite';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteAdapter, SqliteDialect } from 'kysely';
import type { SessionStore } from 'telegraf';
import { dropOldest } from '../../bounded-memory.ts';
import { UnfitDatabase } from '../database-errors.ts';
import type { EngineDatabase, OnDelay } from '../engine.ts';
import { migrate, schemaState } from '../migrations/migrations.ts';
import type { Schema } from '../schema.ts';
import { createCheckpoints, createWalSync } from './checkpoints.ts';
import { createTurns, inTurn, lockedByExec, sqliteDialect, type Turns } from './sqlite-connection.ts';
import { createPrivateFile, watchFiles, withoutLinks } from './sqlite-files.ts';

/** A database in a file that this process alone writes. */
export interface SqliteDatabase extends EngineDatabase {
  readonly engine: 'sqlite';
  /** Resolves when everything written so far is on the disk; rejects with the disk's error. */
  flushed(): Promise<void>;
}

export interface OpeningOptions {
  readonly onDelay?: OnDelay;
  /** There was a database before: if it is missing it was lost, and no new one is made. */
  readonly isKnown?: boolean;
}

/** In pages: with a longer write-ahead log this connection makes a checkpoint itself, since those of checkpoints.ts have failed. */
const MOST_LOG_PAGES = 16_000;

/** How long a statement waits for another process's lock, in ms; the whole bot waits with it. */
const BUSY_TIMEOUT_MS = 1000;

/** Opens the file, creates what is missing, and migrates its tables. Throws if it cannot be opened or written. */
export async function openSqlite(
  name: string,
  { onDelay = () => {}, isKnown = false }: OpeningOptions = {},
): Promise<SqliteDatabase> {
  const path = withoutLinks(name);
  if (isKnown && isMissing(path)) throw new UnfitDatabase('gone');
  const onBegin = (): void => onDelay({ kind: 'migrating' });
  // A killed process has left its log, which may hold rows that were erased while somebody read.
  const isLogLeft = existsSync(`${path}-wal`);
  createPrivateFile(path);
  const sqlite = new Sqlite(path);
  sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // Checked before anything is written, so that another program's file stays as it is.
  const state = await schemaState(
    new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) }),
    'sqlite',
  );
  if (state === 'foreign') throw new UnfitDatabase(state);
  // With WAL, readers never wait for the writer. A commit survives the process; checkpoints.ts waits for the disk.
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = NORMAL');
  sqlite.pragma(`wal_autocheckpoint = ${MOST_LOG_PAGES}`);
  // Overwrites what /forget erases instead of only unlinking it.
  sqlite.pragma('secure_delete = ON');
  const turns = createTurns();
  const sync = createWalSync(path);
  const checkpoints = createCheckpoints(path, turns);
  const database = lockedByExec(sqlite, () => {
    sync.committed();
    checkpoints.committed();
  });
  const stepsInOne = new SqliteDialect({ database });
  stepsInOne.createAdapter = () => new StepsInOneAdapter();
  await migrate(new Kysely<Schema>({ dialect: stepsInOne }), 'sqlite', { onBegin, isKnown });
  if (isLogLeft) void checkpoints.emptied().catch(() => {});
  const files = watchFiles(sqlite, path);
  const sql = new Kysely<Schema>({ dialect: sqliteDialect(database, turns, sync.flushed) });
  return {
    engine: 'sqlite',
    isAlone: true,
    sql,
    soon: new Kysely<Schema>({ dialect: sqliteDialect(database, turns, checkpoints.keptUp) }),
    // On a disk error, the next commit that somebody waits for fails.
    promptly: new Kysely<Schema>({
      dialect: sqliteDialect(database, turns, async (rows) => {
        void sync.flushed().catch(() => {});
        await checkpoints.keptUp(rows);
      }),
    }),
    now: Date.now,
    flushed: sync.flushed,
    erased: checkpoints.emptied,
    sessions: remembering(SQLite<unknown>({ database }), turns),
    isDamaged: checkpoints.isDamaged,
    problem: files.problem,
    close: async () => {
      await sync.flushed().catch(() => {});
      await checkpoints.close();
      files.leave();
      await sql.destroy();
      sync.close();
    },
  };
}

/** The latest sessions are kept in memory: some MB, since each may hold a long text. */
const MOST_SESSIONS = 1000;

/**
 * Sessions that are written only here: those written last are read from memory. A write takes a turn, so that no rollback of somebody
 * else's undoes it, and no checkpoint's lock blocks the event loop under it.
 */
function remembering(rows: SessionStore<unknown>, turns: Turns): SessionStore<unknown> {
  /** As JSON, in order of their writing. */
  const latest = new Map<string, string>();
  return {
    get: async (key) => {
      const known = latest.get(key);
      return known === undefined ? rows.get(key) : JSON.parse(known);
    },
    set: async (key, session) => {
      await inTurn(turns, async () => rows.set(key, session));
      latest.delete(key);
      latest.set(key, JSON.stringify(session));
      dropOldest(latest, MOST_SESSIONS);
    },
    delete: async (key) => {
      await inTurn(turns, async () => rows.delete(key));
      latest.delete(key);
    },
  };
}

/** Whether there is no database at this path. SQLite would create one, and delete what a log beside it still holds. */
export function isMissing(path: string): boolean {
  return !existsSync(path) || statSync(path).size === 0;
}

/**
 * For migrations: takes all steps, or none. SQLite can change tables within a transaction, but Kysely makes no use of it, and a step that a
 * kill cut in two could never be taken again.
 */
class StepsInOneAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
