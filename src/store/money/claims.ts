/** Claims, by key: one process at a time does the work of a claim. */
import { Failure } from '../../errors.ts';
import type { Database } from '../database.ts';
import { orDatabaseFailure } from '../database-errors.ts';

export interface Claims {
  /** False if this process is the only one, so that no other can have begun the work. */
  readonly areShared: boolean;
  /**
   * Runs the work while no other process runs any under this key. Throws the work's errors, `cancelled` when `signal` aborts before its
   * turn, and `database` when the database does not answer.
   */
  hold<T>(key: string, signal: AbortSignal, work: (claim: Claim) => Promise<T>): Promise<T>;
}

export interface Claim {
  /** To be called before whatever must not happen twice. Throws `database` if the claim is lost: another process may hold it. */
  confirm(): Promise<void>;
}

const SURE: Claim = { confirm: async () => {} };

/** Creates the claims of this process. A bot on SQLite is one process and waits for nobody. */
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
        // The caller need not wait for the release; if it fails, the session gives its whole connection up.
        void lock.release();
      }
    },
  };
}
