/** What is written of an update on its way through the queue, so that a process killed at any moment leaves nothing out. */
import type { Kysely } from 'kysely';
import { orDatabaseFailure } from '../store/database-failure.ts';
import type { Schema } from '../store/schema.ts';
import { TakenOver } from './attempt.ts';
import type { Write } from './group-commit.ts';
import { bodyOf, idsOf, type QueueRow, toRow } from './queue-row.ts';
import { STRIKES } from './retry-policy.ts';

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
        for (const [index, row] of struck.entries()) {
          // Of an album its first row stands for all.
          const isTaken = process !== undefined && index === 0;
          const { numUpdatedRows } = await transaction
            .updateTable('queued_updates')
            .set({ strikes: row.strikes })
            .where('id', '=', row.id)
            .$if(isTaken, (update) => update.where('process', '=', process ?? null))
            .executeTakeFirst();
          if (isTaken && numUpdatedRows === 0n) isOthers = true;
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

    setAside: (rows: readonly QueueRow[], reason: string) =>
      commit((transaction) =>
        transaction
          .updateTable('queued_updates')
          .set({ set_aside_at: now(), reason })
          .where('id', 'in', idsOf(rows))
          .execute(),
      ),
  };
}
