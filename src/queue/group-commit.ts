/** Writes that come at the same moment share one transaction: one wait for the disk instead of many. */
import type { Kysely, Transaction } from 'kysely';

export type Write<S> = (transaction: Transaction<S>) => Promise<unknown>;

interface Waiting<S> {
  readonly write: Write<S>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Commits a write together with those that come in the same turn of the event loop; throws what their transaction throws. */
export function createGroupCommit<S>(database: Kysely<S>): (write: Write<S>) => Promise<void> {
  let waiting: Waiting<S>[] = [];

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

  return (write) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(commit);
      waiting.push({ write, resolve, reject });
    });
}
