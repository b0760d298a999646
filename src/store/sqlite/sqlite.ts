/**
 * A SQLite file as the database of a bot that is one process: Kysely on one connection (libsql), safe while another process holds the write
 * lock. One transaction runs at a time, and none keeps the event loop so long that others starve.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SQLite } from '@telegraf/session/sqlite';
import Sqlite from 'better-sqlite3';
import {
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase as SqliteConnection,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import type { SessionStore } from 'telegraf';
import { codeOf } from '../../errors.ts';
import { createYield, patiently } from '../../patience.ts';
import { asDatabaseFailure, engineError, orDatabaseFailure } from '../database-errors.ts';
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

/** How long statements wait for another program's lock, in ms, from the first that met it: those that come later fail at once. */
const BUSY_MS = 1000;
const LOOK_EVERY_MS = 10;

/** Opens the file, creates what is missing, and migrates its tables. Throws if it cannot be opened or written. */
export async function openSqlite(name: string): Promise<SqliteDatabase> {
  const path = createdFile(name);
  const sqlite = new Sqlite(path);
  sqlite.pragma(`busy_timeout = ${BUSY_MS}`);
  const connection = locking(sqlite, () => void log.wrote(1));
  const unlessBusy = waitingForLock();
  const sql = new Kysely<Schema>({ dialect: oneConnection(connection, unlessBusy) });
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
  const sessions = SQLite<unknown>({ database: connection, onInitError: () => {} });
  // If its first statement fails, so will every later one: fail at the start.
  await sessions.get('');
  // From now on SQLite's own wait for a lock would block the event loop.
  sqlite.pragma('busy_timeout = 0');
  return {
    engine: 'sqlite',
    sql,
    synced: () => orDatabaseFailure(() => log.synced()),
    now: Date.now,
    keptUp: (rows) => log.wrote(rows),
    erased: () => orDatabaseFailure(() => log.emptied()),
    sessions: withTurns(sessions, (work) => withoutWriter(() => unlessBusy(work))),
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

type UnlessBusy = <T>(work: () => Promise<T>) => Promise<T>;

/** Returns a function that repeats a statement, or a `begin`, while another program has the write lock; the event loop goes on meanwhile. */
function waitingForLock(): UnlessBusy {
  let metFirst = 0;
  let metLast = Number.NEGATIVE_INFINITY;
  const waitAfter = (error: unknown): number | undefined => {
    if (!codeOf(engineError(error))?.startsWith('SQLITE_BUSY')) return undefined;
    const now = performance.now();
    if (now - metLast > BUSY_MS) metFirst = now;
    metLast = now;
    return now - metFirst < BUSY_MS ? LOOK_EVERY_MS : undefined;
  };
  return (work) => patiently(work, waitAfter);
}

/** Kysely lends the connection to one caller at a time. */
function oneConnection(database: SqliteConnection, unlessBusy: UnlessBusy): Dialect {
  return Object.assign(new SqliteDialect({ database }), {
    createAdapter: () => new StepsInOneAdapter(),
    createDriver: () => new YieldingDriver({ database }, unlessBusy),
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
  readonly #giveTurn = createYield(nextTurn);
  readonly #unlessBusy: UnlessBusy;
  #connection: DatabaseConnection | undefined;

  constructor(config: SqliteDialectConfig, unlessBusy: UnlessBusy) {
    super(config);
    this.#unlessBusy = unlessBusy;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    await this.#giveTurn();
    const connection = await super.acquireConnection();
    this.#connection ??= {
      executeQuery: (query) => this.#unlessBusy(() => connection.executeQuery(query)),
      streamQuery: (query, size) => connection.streamQuery(query, size),
    };
    return this.#connection;
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
