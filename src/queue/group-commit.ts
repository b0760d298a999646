/** Writes that come at the same moment share one transaction: one wait for the disk instead of many. */
import type { Kysely, Transaction } from 'kysely';

export type Write<S> = (transaction: Transaction<S>) => Promise<unknown>;

interface Waiting<S> {
  readonly write: Write<S>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits the first write of each turn of the event loop at once, since its person waits for nothing else, and those that follow it
 * together; throws what their transaction throws.
 */
export function createGroupCommit<S>(database: Kysely<S>): (write: Write<S>) => Promise<void> {
  let waiting: Waiting<S>[] = [];
  let isFirst = true;

  const commit = async (): Promise<void> => {
    const group = waiting;
    waiting = [];
    try {
      await database.transaction().execute(async (transaction) => {
        for (const { write } of group) await write(transaction);
      });
      for (const { resolve } of group) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  const endTurn = (): void => {
    isFirst = true;
    if (waiting.length > 0) void commit();
  };

  return (write) =>
    new Promise((resolve, reject) => {
      waiting.push({ write, resolve, reject });
      if (!isFirst) return;
      isFirst = false;
      setImmediate(endTurn);
      void commit();
    });
}
