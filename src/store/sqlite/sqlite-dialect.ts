/**
 * Kysely on the bot's one SQLite connection: one transaction at a time; none waits for another's way to the disk, and none holds
 * the connection so long that others starve.
 */
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

/** Resolves when what was committed is as safe as it has to be. */
type Settle = () => Promise<void>;

/**
 * What is written counts as done only after `settle`; the connection is free for others before that, so a statement outside a
 * transaction is a turn of its own (Kysely's `connection()` is not for this dialect).
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

/** Kysely would hold its own lock until the end of a commit; the driver has a shorter one. */
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

/** The connection, for one statement or one transaction. */
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
    await this.#settle();
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = this.execute<R>(query);
    if (!this.#isInTransaction && query.query.kind !== 'SelectQueryNode') {
      this.leave();
      await this.#settle();
    }
    return result;
  }

  execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const statement = this.#sqlite.prepare(sql);
    // Kysely's types say what the columns are.
    if (statement.reader) return { rows: statement.all(parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
  }

  // biome-ignore lint/correctness/useYield: nothing here reads by streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are not streamed');
  }
}

/** Lets one in after another; the function given to each ends its turn, once. */
export type Turns = () => Promise<() => void>;

/**
 * One line before the connection, to be shared by all dialects on it. SQLite answers at once, so code that goes from one statement to
 * the next never lets the event loop go: of many updates that come together, all would be worked at in one go.
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
