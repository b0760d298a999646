/** Leadership: one process at a time does what only one may do, such as asking Telegram for updates; it holds a lock in the database. */
import type { Log } from '../log.ts';
import { sleep } from '../patience.ts';
import type { Database } from '../store/database.ts';

interface LeadershipOptions {
  readonly database: Database;
  readonly log: Log;
  /** Ends the leadership, and the wait for it. */
  readonly signal: AbortSignal;
}

const LOCK = 'lotsawa poller';
const LOOK_AGAIN_MS = 500;

/**
 * Calls `lead` whenever this process leads, with a signal that aborts when it no longer does; `lead` must then stop at once, and should
 * resolve only when it is to stop. On SQLite the one process leads. Resolves when `signal` aborts and `lead` has ended.
 *
 * The lock ends with its connection, so another process takes over as soon as the server sees that the leader is gone.
 */
export async function whileLeader(
  { database, log, signal }: LeadershipOptions,
  lead: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (database.engine === 'sqlite') return lead(signal);
  while (!signal.aborted) {
    // Without a connection nobody leads; the session reconnects by itself.
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
