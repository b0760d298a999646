/** Takes updates in: each once, however often Telegram delivers it, and those of one moment in one transaction. */
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../store/schema.ts';
import type { QueuedUpdate } from './queue.ts';
import { type QueueRow, STRIKES, type Write } from './queue-rows.ts';

/**
 * Inserts the updates that were not received before; gives their rows. For updates that begin at once, it also enters the strike that their
 * attempt may cost.
 */
type TakeIn = (
  transaction: Transaction<Schema>,
  updates: readonly QueuedUpdate[],
  isBegunAtOnce?: (update: QueuedUpdate) => boolean,
) => Promise<QueueRow[]>;

export function createArrivals(now: () => number): TakeIn {
  return async (transaction, updates, isBegunAtOnce = () => false) => {
    const fresh = await notReceivedBefore(transaction, updates, now());
    return fresh.length === 0 ? [] : insert(transaction, fresh, isBegunAtOnce);
  };
}

/** Telegram delivers an update again if our answer got lost; `update_id` tells, for two days (`store/pruning.ts`). */
async function notReceivedBefore(
  transaction: Transaction<Schema>,
  updates: readonly QueuedUpdate[],
  received_at: number,
): Promise<QueuedUpdate[]> {
  const inserted = await transaction
    .insertInto('received_updates')
    .values(updates.map(({ updateId }) => ({ update_id: updateId, received_at })))
    .onConflict((conflict) => conflict.column('update_id').doNothing())
    .returning('update_id')
    .execute();
  const fresh = new Set(inserted.map(({ update_id }) => Number(update_id)));
  return updates.filter(({ updateId }) => fresh.delete(updateId));
}

async function insert(
  transaction: Transaction<Schema>,
  updates: readonly QueuedUpdate[],
  isBegunAtOnce: (update: QueuedUpdate) => boolean,
): Promise<QueueRow[]> {
  const struck = updates.map(isBegunAtOnce);
  const inserted = await transaction
    .insertInto('queued_updates')
    .values(
      updates.map(({ lane, album, once, body }, index) => ({
        lane,
        album: album ?? null,
        once: once ?? null,
        body: JSON.stringify(body),
        strikes: struck[index] ? STRIKES.silentDeath : 0,
        confirmed: '[]',
        set_aside_at: null,
        reason: null,
      })),
    )
    .returning('id')
    .execute();
  // Ids are assigned in the order of the values, but may be returned in another.
  const given = inserted.map(({ id }) => Number(id)).sort((one, other) => one - other);
  return given.flatMap((id, index): QueueRow[] => {
    const update = updates[index];
    if (update === undefined) return [];
    const { lane, updateId, album, once, body } = update;
    const isStruck = struck[index] === true;
    return [{ id, lane, updateId, album, once, body, strikes: 0, isStruck, isNew: true, confirmed: [] }];
  });
}

interface Waiting {
  readonly write: Write;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Groups writes into transactions: the first write of each turn of the event loop commits at once, since its person waits for nothing else,
 * and the others of that turn together. Throws the error of their transaction.
 */
export function createGroupCommit(database: Kysely<Schema>): (write: Write) => Promise<void> {
  let waiting: Waiting[] = [];
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
