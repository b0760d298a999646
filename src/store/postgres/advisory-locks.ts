/** Locks that only one holder has among all processes, by name: the server ends them with the connection that holds them. */
import type { Connection } from './postgres-connection.ts';

export interface HeldLock {
  /** Aborts when the connection is lost, and the lock with it: another process may hold it now. */
  readonly lost: AbortSignal;
  /** Gives the lock back; never throws: where that fails, the whole connection is given up. */
  release(): Promise<void>;
}

export interface AdvisoryLocks {
  /** Undefined: somebody has it, be it by this very connection. Throws what the connection throws, and gives it up. */
  tryLock(name: string): Promise<HeldLock | undefined>;
}

const LOCK = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked';
const UNLOCK = 'select pg_advisory_unlock(hashtextextended($1, 0))';

/** The locks of one connection; none is held yet. */
export function createAdvisoryLocks(connection: Connection): AdvisoryLocks {
  const held = new Set<string>();

  const release = async (name: string): Promise<void> => {
    if (connection.ended.aborted) return;
    try {
      await connection.query(UNLOCK, [name]);
      held.delete(name);
    } catch {
      connection.drop();
    }
  };

  return {
    tryLock: async (name) => {
      // The server would give a lock twice to one connection.
      if (held.has(name)) return undefined;
      held.add(name);
      const [row] = await connection.query(LOCK, [name]).catch((error: unknown) => {
        // The server may have given the lock all the same: it takes it back with the connection.
        connection.drop();
        throw error;
      });
      if (row?.locked === true) return { lost: connection.ended, release: () => release(name) };
      held.delete(name);
      return undefined;
    },
  };
}
