/**
 * Kysely on the bot's one SQLite connection (libsql), safe while another process holds the write lock. One transaction runs at a time, and
 * none keeps the event loop so long that others starve.
 */
import type Sqlite from 'better-sqlite3';
import {
  type DatabaseConnection,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import { createYield } from '../../patience.ts';
import { asDatabaseFailure } from '../database-errors.ts';
import { createStatementCache } from '../engine.ts';

/** Kysely lends the connection to one caller at a time. */
export class OneConnectionDialect extends SqliteDialect {
  readonly #sqlite: LockedSqlite;

  constructor(sqlite: LockedSqlite) {
    super({ database: sqlite.database });
    this.#sqlite = sqlite;
  }

  override createAdapter(): SqliteAdapter {
    return new StepsInOneAdapter();
  }

  override createDriver(): Driver {
    return new YieldingDriver(this.#sqlite);
  }
}

/**
 * For migrations: takes all steps or none. SQLite can change tables within a transaction, but Kysely does not use that, and a step that a
 * kill cut in two could never be repeated.
 */
class StepsInOneAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** SQLite answers synchronously: without a pause in between, the code of many updates would run in one go and block the event loop. */
class YieldingDriver extends SqliteDriver {
  readonly #sqlite: LockedSqlite;
  readonly #giveTurn = createYield();

  constructor(sqlite: LockedSqlite) {
    super({ database: sqlite.database });
    this.#sqlite = sqlite;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    await this.#giveTurn();
    return super.acquireConnection();
  }

  override async beginTransaction(): Promise<void> {
    this.#sqlite.begin();
  }

  override async commitTransaction(): Promise<void> {
    this.#sqlite.commit();
  }

  override async rollbackTransaction(): Promise<void> {
    this.#sqlite.rollback();
  }
}

/** A statement that needs no write lock. */
const READS = /^\s*(?:select|pragma)/i;

/**
 * A connection that always takes the write lock by `exec`. A prepared statement of libsql that meets another process's lock stays unfinished,
 * and the connection never commits again ("SQL statements in progress"); `exec` finishes what it runs. Throws `database` for every error.
 */
export class LockedSqlite {
  /** The connection for Kysely and the library of sessions. Once it is closed, `prepare` throws. */
  readonly database: Sqlite.Database & SqliteDatabase;
  readonly #sqlite: Sqlite.Database;
  readonly #onCommit: () => void;

  /** `onCommit` is called after each commit. */
  constructor(sqlite: Sqlite.Database, onCommit: () => void) {
    this.#sqlite = sqlite;
    this.#onCommit = onCommit;
    // Kysely prepares every time.
    const prepareOnce = createStatementCache((query) => sqlite.prepare(query));
    const prepare = (query: string) =>
      mapped(() => {
        // libsql would abort the whole process.
        if (!this.database.open) throw new Error('the database is closed');
        const statement = prepareOnce(query);
        const isLocked = sqlite.inTransaction || READS.test(query);
        const run = <T>(work: () => T): T => mapped(() => (isLocked ? work() : this.#inTransaction(work)));
        return {
          reader: statement.reader,
          all: (parameters: unknown[]) => run(() => statement.all(parameters)),
          run: (parameters: unknown[]) => run(() => statement.run(parameters)),
        };
      });
    this.database = Object.create(sqlite, { prepare: { value: prepare } });
  }

  begin(): void {
    mapped(() => this.#sqlite.exec('begin immediate'));
  }

  commit(): void {
    mapped(() => this.#sqlite.exec('commit'));
    this.#onCommit();
  }

  rollback(): void {
    // On a full disk SQLite has rolled back itself; a second rollback would fail and hide the cause.
    if (this.#sqlite.inTransaction) mapped(() => this.#sqlite.exec('rollback'));
  }

  #inTransaction<T>(work: () => T): T {
    this.begin();
    try {
      const result = work();
      this.commit();
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }
}

function mapped<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asDatabaseFailure(error);
  }
}
