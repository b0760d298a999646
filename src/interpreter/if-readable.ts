/** What is kept but cannot be read counts as not kept. */
import type { Log } from '../log.ts';

/**
 * What was read, or undefined where that failed, with a line in the log. Nothing is paid for unwritten because of it: where it is the
 * database that fails, the ledger, which needs the same one, says no next.
 */
export function ifReadable<T>(read: Promise<T>, log: Log, complaint: string): Promise<T | undefined> {
  return read.catch((error: unknown) => {
    log.error({ error }, complaint);
    return undefined;
  });
}
