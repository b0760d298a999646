/**
 * Kysely on the bot's one SQLite connection (libsql), safe while another process holds the write lock. One transaction runs at a time; none
 * waits for another's sync, and none keeps the connection so long that others starve.
 */
import type Sqlite from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteQueryCompiler,
} from 'kysely';
import { createYield } from '../../patience.ts';
import { createStatementCache } from '../engine.ts';

/** Resolves when a commit is as safe as its dialect promises. `rows`: how many a statement outside a transaction has changed. */
type Settle = (rows: bigint) => Promise<void>;

/**
 * A write is done only after `settle`, but the connection is free for others before that. So a statement outside a transaction is a turn of
 * its own; Kysely's `connection()` does not work with this dialect.
 */
export function sqliteDialect(sqlite: SqliteDatabase, turns: Turns, settle: Settle): Dialect {
  const plain = new SqliteDialect({ database: sqlite });
  return {
    createAdapter: () => new SharedAdapter(),
    createDriver: () => new TurnTakingDriver(sqlite, turns, settle),
    createIntrospector: (database) => plain.createIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Kysely would lock the connection until a commit is settled; the driver's turns are shorter. */
class SharedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class TurnTakingDriver implements Driver {
  readonly #sqlite: SqliteDatabase;
  readonly #turns: Turns;
  readonly #settle: Settle;

  constructor(sqlite: SqliteDatabase, turns: Turns, settle: Settle) {
    this.#sqlite = sqlite;
    this.#turns = turns;
    this.#settle = settle;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Turn> {
    return new Turn(this.#sqlite, await this.#turns(), this.#settle);
  }

  async beginTransaction(turn: Turn): Promise<void> {
    turn.begin();
  }

  commitTransaction(turn: Turn): Promise<void> {
    return turn.commit();
  }

  async rollbackTransaction(turn: Turn): Promise<void> {
    turn.execute(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(turn: Turn): Promise<void> {
    turn.leave();
  }

  async destroy(): Promise<void> {
    this.#sqlite.close();
  }
}

/** The connection for one statement or one transaction. */
class Turn implements DatabaseConnection {
  readonly leave: () => void;
  readonly #sqlite: SqliteDatabase;
  readonly #settle: Settle;
  #isInTransaction = false;

  constructor(sqlite: SqliteDatabase, leave: () => void, settle: Settle) {
    this.#sqlite = sqlite;
    this.leave = leave;
    this.#settle = settle;
  }

  begin(): void {
    this.execute(CompiledQuery.raw('begin'));
    this.#isInTransaction = true;
  }

  async commit(): Promise<void> {
    this.execute(CompiledQuery.raw('commit'));
    this.leave();
    await this.#settle(0n);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = this.execute<R>(query);
    if (!this.#isInTransaction && !READS.test(query.sql)) {
      this.leave();
      await this.#settle(result.numAffectedRows ?? 0n);
    }
    return result;
  }

  execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const statement = this.#sqlite.prepare(sql);
    // Kysely's types describe the columns.
    if (statement.reader) return { rows: statement.all(parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
  }

  // biome-ignore lint/correctness/useYield: nothing here reads by streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are not streamed');
  }
}

/** Waits for a turn; gives the function that ends it. Calling that again does nothing. */
export type Turns = () => Promise<() => void>;

/**
 * Makes the one line before the connection, shared by all its dialects. SQLite answers synchronously, so without yielding here the code of
 * many updates would run in one go and block the event loop.
 */
export function createTurns(): Turns {
  let last = Promise.resolve();
  const giveTurn = createYield();
  return async () => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    await giveTurn();
    return resolve;
  };
}

/** Does the work in a turn of its own; others wait until it is over. */
export async function inTurn<T>(turns: Turns, work: () => Promise<T>): Promise<T> {
  const leave = await turns();
  try {
    return await work();
  } finally {
    leave();
  }
}

/**
 * Wraps a database so that `exec` always takes the write lock. A prepared statement of libsql that meets another process's lock stays
 * unfinished, and the connection never commits again ("SQL statements in progress"); `exec` finishes what it runs. `onCommit` is called
 * after each commit. Once it is closed, `prepare` throws.
 */
export function lockedByExec(sqlite: Sqlite.Database, onCommit: () => void): Sqlite.Database {
  // Kysely prepares every time.
  const prepareOnce = createStatementCache((query) => sqlite.prepare(query));
  const begin = (): void => {
    sqlite.exec('begin immediate');
  };
  const commit = (): void => {
    sqlite.exec('commit');
    onCommit();
  };
  const rollback = (): void => {
    // On a full disk SQLite has rolled back itself; a second rollback would fail and hide the cause.
    if (sqlite.inTransaction) sqlite.exec('rollback');
  };
  const inTransaction = <T>(work: () => T): T => {
    begin();
    try {
      const result = work();
      commit();
      return result;
    } catch (error) {
      rollback();
      throw error;
    }
  };
  const kyselys = new Map([
    ['begin', doneBy(begin)],
    ['commit', doneBy(commit)],
    ['rollback', doneBy(rollback)],
  ]);
  const prepare = (query: string) => {
    // libsql would abort the whole process.
    if (!database.open) throw new Error('the database is closed');
    const done = kyselys.get(query);
    if (done !== undefined) return done;
    const statement = prepareOnce(query);
    if (sqlite.inTransaction || READS.test(query)) return statement;
    return {
      reader: statement.reader,
      all: (parameters: unknown[]) => inTransaction(() => statement.all(parameters)),
      run: (parameters: unknown[]) => inTransaction(() => statement.run(parameters)),
    };
  };
  const database: Sqlite.Database = Object.create(sqlite, { prepare: { value: prepare } });
  return database;
}

/** A statement that needs no write lock, and leaves nothing to settle. */
const READS = /^\s*(?:select|pragma)/i;

/** The statement that Kysely prepares and runs to begin or end a transaction. */
function doneBy(work: () => void) {
  return {
    reader: false,
    run: () => {
      work();
      return { changes: 0, lastInsertRowid: 0 };
    },
  };
}
