/** Leadership: one process at a time holds a lock in the database and polls Telegram. */
import type { Log } from '../log.ts';
import { sleep } from '../patience.ts';
import type { Database } from '../store/database.ts';

interface LeadershipOptions {
  readonly database: Database;
  readonly log: Log;
  /** Aborting it ends the leadership, or the wait for it. */
  readonly signal: AbortSignal;
}

const LOCK = 'lotsawa poller';
const LOOK_AGAIN_MS = 500;

/**
 * Calls `lead` whenever this process becomes the leader, with a signal that aborts when it loses the lock. `lead` resolves only after its
 * signal has aborted. On SQLite the one process always leads. Resolves once `signal` has aborted and `lead` has ended. The lock ends with
 * its connection, so another process takes over as soon as the server notices that the leader died.
 */
export async function whileLeader(
  { database, log, signal }: LeadershipOptions,
  lead: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (database.engine === 'sqlite') return lead(signal);
  while (!signal.aborted) {
    // Without a connection there is no leader; the session reconnects by itself.
    const lock = await database.session.tryLock(LOCK).catch(() => undefined);
    if (lock === undefined) {
      await sleep(LOOK_AGAIN_MS, signal);
      continue;
    }
    log.info('this process polls Telegram');
    try {
      await lead(AbortSignal.any([signal, lock.lost]));
    } finally {
      await lock.release();
    }
  }
}
