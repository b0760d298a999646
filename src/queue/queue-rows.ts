/** What is written of an update on its way through the queue, so that a process killed at any moment leaves nothing out; and its dead letters. */
import type { Kysely } from 'kysely';
import type { Schema } from '../store/schema.ts';
import { orDatabaseFailure } from '../store/trouble.ts';
import type { Write } from './arrivals.ts';
import { TakenOver } from './attempt.ts';
import type { DeadLetter } from './queue.ts';
import { bodyOf, idsOf, type QueueRow, STRIKES, toRow } from './queue-row.ts';

type Commit = (write: Write<Schema>) => Promise<void>;

interface QueueRowsOptions {
  readonly commit: Commit;
  /** Need not wait for the disk; as `commit` unless given. */
  readonly commitSoon?: Commit;
  /** The process that has taken the rows: what it has not, or no longer has, is another's. Unless given, they are never another's. */
  readonly process?: number;
  /** ms since the epoch */
  readonly now: () => number;
}

/** The steps of an update, each written by `commit` or `commitSoon`. */
export function createQueueRows(
  database: Kysely<Schema>,
  { commit, commitSoon = commit, process, now }: QueueRowsOptions,
) {
  /** Rows that are removed with the next commit: nothing more need be noted of them. */
  const leaving = new Set<number>();

  return {
    /** All that waits, in the order of arrival, without the updates themselves. */
    waiting: async (): Promise<QueueRow[]> => {
      const rows = await database
        .selectFrom('queued_updates')
        .select(['id', 'lane', 'album', 'once', 'strikes', 'confirmed'])
        .where('set_aside_at', 'is', null)
        .orderBy('id')
        .execute();
      return rows.map((row) => toRow({ ...row, body: undefined }));
    },

    bodies: async (rows: readonly QueueRow[]): Promise<unknown[]> => {
      const left = rows.filter(({ body }) => body === undefined);
      if (left.length === 0) return rows.map(({ body }) => body);
      const found = await orDatabaseFailure(() =>
        database.selectFrom('queued_updates').select(['id', 'body']).where('id', 'in', idsOf(left)).execute(),
      );
      const bodies = new Map(found.map(({ id, body }) => [Number(id), bodyOf(body)]));
      return rows.map(({ id, body }) => body ?? bodies.get(id));
    },

    /** Writes so many strikes more than these rows tell of: before an attempt what it may cost, after it what it did. */
    strike: async (rows: readonly QueueRow[], strikes: number): Promise<QueueRow[]> => {
      const struck = rows.map((row) => ({ ...row, strikes: row.strikes + strikes, isStruck: false }));
      if (strikes === STRIKES.silentDeath && rows.every(({ isStruck }) => isStruck)) return struck;
      let isOthers = false;
      await commitSoon(async (transaction) => {
        for (const row of struck) {
          const { numUpdatedRows } = await transaction
            .updateTable('queued_updates')
            .set({ strikes: row.strikes })
            .where('id', '=', row.id)
            .$if(process !== undefined, (update) =>
              // Of an album one row stands for all.
              update.where(({ exists, selectFrom }) =>
                exists(
                  selectFrom('queued_updates as taken')
                    .select('taken.id')
                    .where('taken.id', 'in', idsOf(rows))
                    .where('taken.process', '=', process ?? null),
                ),
              ),
            )
            .executeTakeFirst();
          isOthers ||= process !== undefined && numUpdatedRows === 0n;
        }
      });
      if (isOthers) throw new TakenOver('another process has taken this work');
      return struck;
    },

    /** Notes the answers of this work that Telegram confirmed so far. */
    confirm: async ([first]: readonly QueueRow[], confirmed: readonly number[]): Promise<void> => {
      if (first === undefined) return;
      await commitSoon(async (transaction) => {
        if (leaving.has(first.id)) return;
        await transaction
          .updateTable('queued_updates')
          .set({ confirmed: JSON.stringify(confirmed) })
          .where('id', '=', first.id)
          .execute();
      });
    },

    remove: async (rows: readonly QueueRow[]): Promise<void> => {
      for (const { id } of rows) leaving.add(id);
      try {
        await commitSoon((transaction) =>
          transaction.deleteFrom('queued_updates').where('id', 'in', idsOf(rows)).execute(),
        );
      } finally {
        for (const { id } of rows) leaving.delete(id);
      }
    },

    deadLetter: (rows: readonly QueueRow[], reason: string) =>
      commit((transaction) =>
        transaction
          .updateTable('queued_updates')
          .set({ set_aside_at: now(), reason, ...(process !== undefined && { process: null, head: false }) })
          .where('id', 'in', idsOf(rows))
          .execute(),
      ),
  };
}

/** A dead letter without a reason is one for which another chance was asked. */
export function createDeadLetterRows(database: Kysely<Schema>) {
  return {
    /** Those that nobody has decided on, oldest first. */
    list: async (): Promise<DeadLetter[]> => {
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
        givenUpAt: set_aside_at ?? 0,
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
