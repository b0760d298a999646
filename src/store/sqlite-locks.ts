/** SQLite through libsql, made safe for the moment in which another process holds the write lock. */
import type Sqlite from 'better-sqlite3';

/**
 * The same database, whose write lock is always taken by `exec`. libsql leaves a prepared statement that met another's lock
 * unfinished, and from then on no transaction of the connection commits ("SQL statements in progress"); `exec` finishes what it
 * runs. So nothing that is prepared ever waits for a lock.
 */
export function lockedByExec(sqlite: Sqlite.Database): Sqlite.Database {
  const prepare = (query: string) => {
    if (query === 'begin') return beginImmediate(sqlite);
    const statement = sqlite.prepare(query);
    if (sqlite.inTransaction || TAKES_NO_LOCK.test(query)) return statement;
    return {
      reader: statement.reader,
      all: (parameters: unknown[]) => inTransaction(sqlite, () => statement.all(parameters)),
      run: (parameters: unknown[]) => inTransaction(sqlite, () => statement.run(parameters)),
      iterate: (parameters: unknown[]) => statement.iterate(parameters),
    };
  };
  return Object.create(sqlite, { prepare: { value: prepare } });
}

const TAKES_NO_LOCK = /^\s*(?:select|commit|rollback|pragma)/i;

/** What Kysely prepares and runs to begin a transaction. */
function beginImmediate(sqlite: Sqlite.Database) {
  return {
    reader: false,
    all: () => [],
    run: () => {
      sqlite.exec('begin immediate');
      return { changes: 0, lastInsertRowid: 0 };
    },
    iterate: () => [].values(),
  };
}

function inTransaction<T>(sqlite: Sqlite.Database, work: () => T): T {
  sqlite.exec('begin immediate');
  try {
    const result = work();
    sqlite.exec('commit');
    return result;
  } catch (error) {
    sqlite.exec('rollback');
    throw error;
  }
}
