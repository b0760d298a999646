/**
 * A SQLite file as the database of a bot that is one process: Kysely on one connection (libsql), safe while another process holds the write
 * lock. One transaction runs at a time, and none keeps the event loop so long that others starve.
 */
import { SQLite } from '@telegraf/session/sqlite';
import Sqlite from 'better-sqlite3';
import {
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase as SqliteConnection,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import type { SessionStore } from 'telegraf';
import { createYield } from '../../patience.ts';
import { asDatabaseFailure, orDatabaseFailure } from '../database-errors.ts';
import type { EngineDatabase } from '../engine.ts';
import { migrate } from '../migrations/migrations.ts';
import type { Schema } from '../schema.ts';
import { createdFile } from './sqlite-files.ts';
import { type WithoutWriter, WriteAheadLog } from './write-ahead-log.ts';

/** A database in a file that this process alone writes. */
export interface SqliteDatabase extends EngineDatabase {
  readonly engine: 'sqlite';
}

/** In pages: with a longer write-ahead log this connection makes a checkpoint itself, since those of write-ahead-log.ts have failed. */
const MAX_LOG_PAGES = 16_000;

/** How long a statement waits for another process's lock, in ms; the whole bot waits with it. */
const BUSY_TIMEOUT_MS = 1000;

/** Opens the file, creates what is missing, and migrates its tables. Throws if it cannot be opened or written. */
export async function openSqlite(name: string): Promise<SqliteDatabase> {
  const path = createdFile(name);
  const sqlite = new Sqlite(path);
  sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  const connection = locking(sqlite, () => void log.wrote(1));
  const sql = new Kysely<Schema>({ dialect: oneConnection(connection) });
  const withoutWriter: WithoutWriter = (work) => sql.connection().execute(work);
  const log = new WriteAheadLog(path, withoutWriter);
  // Before any setting is written: another program's file stays as it is.
  await migrate(sql, 'sqlite');
  // With WAL, readers never wait for the writer. A commit survives the process; write-ahead-log.ts syncs the disk.
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = NORMAL');
  sqlite.pragma(`wal_autocheckpoint = ${MAX_LOG_PAGES}`);
  // Overwrites what /forget erases instead of only unlinking it.
  sqlite.pragma('secure_delete = ON');
  return {
    engine: 'sqlite',
    sql,
    synced: () => orDatabaseFailure(() => log.synced()),
    now: Date.now,
    keptUp: (rows) => log.wrote(rows),
    erased: () => orDatabaseFailure(() => log.emptied()),
    sessions: withTurns(SQLite<unknown>({ database: connection }), withoutWriter),
    close: async () => {
      await log.close();
      await sql.destroy();
    },
  };
}

/** A session write is alone on the connection: no other rollback undoes it, no checkpoint blocks the event loop. Reads take 0.02 ms. */
function withTurns(rows: SessionStore<unknown>, withoutWriter: WithoutWriter): SessionStore<unknown> {
  return {
    ...rows,
    set: (key, session) => withoutWriter(async () => rows.set(key, session)),
    delete: (key) => withoutWriter(async () => rows.delete(key)),
  };
}

/** Kysely lends the connection to one caller at a time. */
function oneConnection(database: SqliteConnection): Dialect {
  return Object.assign(new SqliteDialect({ database }), {
    createAdapter: () => new StepsInOneAdapter(),
    createDriver: () => new YieldingDriver({ database }),
  });
}

/** All steps or none: SQLite can change tables in a transaction, but Kysely does not use that; half a step could never be repeated. */
class StepsInOneAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** SQLite answers synchronously: without a pause in between, the code of many updates would run in one go and block the event loop. */
class YieldingDriver extends SqliteDriver {
  readonly #giveTurn = createYield();

  override async acquireConnection(): Promise<DatabaseConnection> {
    await this.#giveTurn();
    return super.acquireConnection();
  }
}

/** Kysely's statements that begin and end transactions. */
const CONTROLS = /^(?:begin|commit|rollback)$/;
/** Bounded, since queries with lists (`in (…)`) are endlessly many. */
const MAX_STATEMENTS = 200;
/** A statement that needs no write lock. */
const READS = /^\s*(?:select|pragma)/i;

/**
 * Returns the connection for Kysely and the library of sessions. It always takes the write lock by `exec`: a prepared statement of libsql that
 * meets another process's lock stays unfinished, and the connection never commits again ("SQL statements in progress"); `exec` finishes what
 * it runs. Throws `database` for every error, also once it is closed. `onCommit` is called after each commit.
 */
function locking(sqlite: Sqlite.Database, onCommit: () => void): Sqlite.Database & SqliteConnection {
  const control = (query: string): object => {
    // On a full disk SQLite has rolled back itself; a second rollback would fail and hide the cause.
    if (query !== 'rollback' || sqlite.inTransaction)
      sqlite.exec(query === 'begin' ? 'begin immediate' : query);
    if (query === 'commit') onCommit();
    return {};
  };
  const statementFor = (query: string) => {
    const statement = CONTROLS.test(query) ? undefined : sqlite.prepare(query);
    const reader = statement?.reader ?? false;
    const method = reader ? 'all' : 'run';
    const isWrite = statement !== undefined && !READS.test(query);
    const run = (parameters: unknown[]) => {
      const isAlone = isWrite && !sqlite.inTransaction;
      try {
        if (isAlone) control('begin');
        const result = statement === undefined ? control(query) : statement[method](parameters);
        if (isAlone) control('commit');
        return result;
      } catch (error) {
        try {
          if (isAlone) control('rollback');
        } catch {}
        throw asDatabaseFailure(error);
      }
    };
    return { reader, all: run, run };
  };
  // Kysely prepares every time, which takes as long as running the statement, and most queries repeat.
  const known = new Map<string, ReturnType<typeof statementFor>>();
  const prepare = (query: string) => {
    try {
      // libsql would abort the whole process.
      if (!sqlite.open) throw new Error('the database is closed');
      const before = known.get(query);
      if (before !== undefined) return before;
      if (known.size >= MAX_STATEMENTS) known.clear();
      const statement = statementFor(query);
      known.set(query, statement);
      return statement;
    } catch (error) {
      throw asDatabaseFailure(error);
    }
  };
  return Object.create(sqlite, { prepare: { value: prepare } });
}
