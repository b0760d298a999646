/** How a process takes rows of the PostgreSQL queue for itself, and knows which it has taken though it was not heard. */
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../store/schema.ts';
import type { QueueJobs } from './postgres-jobs.ts';
import { idsOf, type QueueRow, toRow } from './queue-row.ts';
import { ALONE_FROM_STRIKES, STRIKES } from './retry-policy.ts';

type Commit = <T>(work: (transaction: Transaction<Schema>) => Promise<T>) => Promise<T>;

/** Gives `PostgresRows.take`, for the process of this number. */
export function createTaking(
  process: number,
  jobs: QueueJobs,
  commit: Commit,
): (limit: number) => Promise<QueueRow[]> {
  /** Taken in a transaction that may have been committed or not: the server's answer to the commit got lost. */
  let inDoubt: readonly QueueRow[] = [];

  const takeNext = async (limit: number): Promise<QueueRow[]> => {
    let taken: QueueRow[] = [];
    const take = commit(async (transaction) => {
      const ids = await jobs.take(transaction, limit);
      if (ids.length === 0) return;
      const rows = await transaction
        .with('untaken', (db) =>
          db.selectFrom('queued_updates').select(['id', 'strikes as before']).where('id', 'in', ids),
        )
        .updateTable('queued_updates')
        .from('untaken')
        .whereRef('queued_updates.id', '=', 'untaken.id')
        .set({ process, strikes: strikesOfTaken })
        .returningAll('queued_updates')
        .returning('before')
        .execute();
      taken = rows.map(({ before, ...row }) => ({
        ...toRow({ ...row, strikes: before }),
        isStruck: row.strikes > before,
      }));
    });
    await take.catch((error: unknown) => {
      inDoubt = taken;
      throw error;
    });
    return taken;
  };

  /** Those that were taken after all. To lock them is to wait for the end of that transaction, should it still be under way. */
  const takenInDoubt = async (): Promise<QueueRow[]> => {
    if (inDoubt.length === 0) return [];
    const owned = await commit((transaction) =>
      transaction
        .selectFrom('queued_updates')
        .select('id')
        .where('id', 'in', idsOf(inDoubt))
        .where('process', '=', process)
        .forUpdate()
        .execute(),
    );
    const rows = inDoubt.filter(({ id }) => owned.some((row) => row.id === id));
    inDoubt = [];
    return rows;
  };

  return async (limit) => {
    const owned = await takenInDoubt();
    return owned.length > 0 ? owned : takeNext(limit);
  };
}

/** What is begun as soon as it is taken has what that may cost written with it; an album, and what runs alone, may wait until then. */
const strikesOfTaken = sql<number>`case
  when album is null and strikes < ${ALONE_FROM_STRIKES} then strikes + ${STRIKES.silentDeath} else strikes end`;
