/** The rows that were set aside: whoever runs the bot looks at them, drops them, or asks for another chance. */
import type { Kysely } from 'kysely';
import type { Schema } from '../store/schema.ts';
import type { SetAsideUpdate } from './queue.ts';
import { type QueueRow, toRow } from './queue-row.ts';

/** A row that is set aside without a reason is one for which another chance was asked. */
export function createSetAsideRows(database: Kysely<Schema>) {
  return {
    /** Those that nobody has decided on, oldest first. */
    list: async (): Promise<SetAsideUpdate[]> => {
      const rows = await database
        .selectFrom('queued_updates')
        .select(['id', 'lane', 'set_aside_at', 'reason'])
        .where('set_aside_at', 'is not', null)
        .where('reason', 'is not', null)
        .orderBy('id')
        .execute();
      return rows.map(({ id, lane, set_aside_at, reason }) => ({
        id: String(id),
        lane,
        setAsideAt: set_aside_at ?? 0,
        reason: reason ?? '',
      }));
    },

    /** Asks for another chance; the process that handles updates finds that by `takeRetried`. False for an unknown id. */
    retry: async (id: string): Promise<boolean> => {
      const { numUpdatedRows } = await database
        .updateTable('queued_updates')
        .set({ reason: null, strikes: 0 })
        .where('id', '=', Number(id))
        .where('set_aside_at', 'is not', null)
        .where('reason', 'is not', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Those for which another chance was asked, each given once; from now on they wait as any other row. */
    takeRetried: async (): Promise<QueueRow[]> => {
      const rows = await database
        .updateTable('queued_updates')
        .set({ set_aside_at: null })
        .where('set_aside_at', 'is not', null)
        .where('reason', 'is', null)
        .returningAll()
        .execute();
      return rows.map(toRow).sort((one, other) => one.id - other.id);
    },

    /** Forgets one; false for an unknown id. */
    drop: async (id: string): Promise<boolean> => {
      const { numDeletedRows } = await database
        .deleteFrom('queued_updates')
        .where('id', '=', Number(id))
        .where('set_aside_at', 'is not', null)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
