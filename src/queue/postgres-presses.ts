/** One of several presses that came as one is enough (`QueuedUpdate.once`), whichever processes they came to. */
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../store/schema.ts';
import type { QueuedUpdate } from './queue.ts';

/** Leaves out updates whose like (`once`) waits or runs already, even where another process is just taking it in. */
export async function notUnderWay(
  transaction: Transaction<Schema>,
  updates: readonly QueuedUpdate[],
): Promise<QueuedUpdate[]> {
  const presses = [...new Set(updates.flatMap(({ once }) => once ?? []))].sort();
  if (presses.length === 0) return [...updates];
  // Held until the end of the transaction; taken in the same order everywhere, so that processes cannot deadlock.
  for (const once of presses) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${once}, 0))`.execute(transaction);
  }
  const found = await transaction
    .selectFrom('queued_updates')
    .select('once')
    .where('once', 'in', presses)
    .where('set_aside_at', 'is', null)
    .execute();
  const underWay = new Set(found.map(({ once }) => once));
  return updates.filter(({ once }) => {
    if (once === undefined) return true;
    const isFirst = !underWay.has(once);
    underWay.add(once);
    return isFirst;
  });
}
