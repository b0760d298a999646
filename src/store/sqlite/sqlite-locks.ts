/** SQLite through libsql, made safe for the moment in which another process holds the write lock. */
import type Sqlite from 'better-sqlite3';

/**
 * The same database, whose write lock is always taken by `exec`. libsql leaves a prepared statement that met another's lock
 * unfinished, and from then on no transaction of the connection commits ("SQL statements in progress"); `exec` finishes what it
 * runs. So nothing that is prepared ever waits for a lock. `onCommit` is told of every commit.
 */
export function lockedByExec(sqlite: Sqlite.Database, onCommit: () => void = () => {}): Sqlite.Database {
  const prepareOnce = createStatements(sqlite);
  const inTransaction = createTransactions(sqlite, onCommit);
  const begin = doneBy(() => sqlite.exec('begin immediate'));
  const commit = doneBy(() => {
    sqlite.exec('commit');
    onCommit();
  });
  const rollback = doneBy(() => {
    // On a full disk SQLite has done so itself, and another would fail, in the place of what is to be told.
    if (sqlite.inTransaction) sqlite.exec('rollback');
  });
  const prepare = (query: string) => {
    if (query === 'begin') return begin;
    if (query === 'commit') return commit;
    if (query === 'rollback') return rollback;
    const statement = prepareOnce(query);
    if (sqlite.inTransaction || TAKES_NO_LOCK.test(query)) return statement;
    return {
      reader: statement.reader,
      all: (parameters: unknown[]) => inTransaction(() => statement.all(parameters)),
      run: (parameters: unknown[]) => inTransaction(() => statement.run(parameters)),
      iterate: (parameters: unknown[]) => statement.iterate(parameters),
    };
  };
  return Object.create(sqlite, { prepare: { value: prepare } });
}

/** Queries that take part of any length (`in (…)`) are so many that older ones are forgotten. */
const MOST_STATEMENTS = 200;

/** Preparing a query costs as much as running it; Kysely prepares each anew, though most are ever the same. */
function createStatements(sqlite: Sqlite.Database): (query: string) => Sqlite.Statement {
  const statements = new Map<string, Sqlite.Statement>();
  return (query) => {
    const known = statements.get(query);
    if (known !== undefined) return known;
    if (statements.size >= MOST_STATEMENTS) statements.clear();
    const statement = sqlite.prepare(query);
    statements.set(query, statement);
    return statement;
  };
}

const TAKES_NO_LOCK = /^\s*(?:select|pragma)/i;

/** What Kysely prepares and runs to begin or end a transaction. */
function doneBy(work: () => void) {
  return {
    reader: false,
    all: () => [],
    run: () => {
      work();
      return { changes: 0, lastInsertRowid: 0 };
    },
    iterate: () => [].values(),
  };
}

function createTransactions(sqlite: Sqlite.Database, onCommit: () => void) {
  return <T>(work: () => T): T => {
    sqlite.exec('begin immediate');
    try {
      const result = work();
      sqlite.exec('commit');
      onCommit();
      return result;
    } catch (error) {
      if (sqlite.inTransaction) sqlite.exec('rollback');
      throw error;
    }
  };
}
