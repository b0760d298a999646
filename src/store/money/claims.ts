/** Work that is done by one at a time among all processes, by key. */
import { Failure } from '../../errors.ts';
import type { Database } from '../database.ts';
import { orDatabaseFailure } from '../trouble.ts';

export interface Claims {
  /** False where this process is the only one: no other can have begun the work. */
  readonly areShared: boolean;
  /**
   * Does the work while no other process does any under this key. Throws what the work throws, `cancelled` when `signal` aborts
   * before its turn has come, and `database` when the database does not answer.
   */
  hold<T>(key: string, signal: AbortSignal, work: (claim: Claim) => Promise<T>): Promise<T>;
}

export interface Claim {
  /** To be called before what must not be done twice. Throws `database` where the claim is lost: another process may have it by now. */
  confirm(): Promise<void>;
}

const SURE: Claim = { confirm: async () => {} };

/** A bot on SQLite is one process: it has no other to wait for. */
export function createClaims(database: Database): Claims {
  if (database.engine === 'sqlite') return { areShared: false, hold: (_key, _signal, work) => work(SURE) };
  const { session } = database;
  return {
    areShared: true,
    hold: async (key, signal, work) => {
      const lock = await orDatabaseFailure(() => session.lock(`claim ${key}`, signal)).catch((error) => {
        throw signal.aborted ? new Failure('cancelled', 'the request was cancelled') : error;
      });
      try {
        return await work({ confirm: () => orDatabaseFailure(lock.confirm) });
      } finally {
        // The caller does not wait until the server has it back; where that fails, the whole connection is given up.
        void lock.release();
      }
    },
  };
}
