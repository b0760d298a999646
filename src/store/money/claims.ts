/** Work that is done by one at a time among all processes, by key. */
import { Failure } from '../../errors.ts';
import type { Database } from '../database.ts';
import { orDatabaseFailure } from '../trouble.ts';

export interface Claims {
  /** False where this process is the only one: what it has not begun itself, nobody has. */
  readonly areShared: boolean;
  /**
   * Does the work while no other process does any under this key. Throws what the work throws, `cancelled` when `signal` aborts
   * before its turn has come, and `database` when the database does not answer.
   */
  hold<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** A bot on SQLite is one process: it has nobody to wait for. */
export function createClaims(database: Database): Claims {
  if (database.engine === 'sqlite') return { areShared: false, hold: (_key, _signal, work) => work() };
  const { session } = database;
  return {
    areShared: true,
    hold: async (key, signal, work) => {
      const lock = await orDatabaseFailure(() => session.lock(`claim ${key}`, signal)).catch((error) => {
        throw signal.aborted ? new Failure('cancelled', 'the request was cancelled') : error;
      });
      try {
        return await work();
      } finally {
        // Nobody here waits until the server has it back; where that fails, the whole connection is given up.
        void lock.release();
      }
    },
  };
}
