/**
 * Updates as they lie on disk, in the table `queued_updates` of either engine: what is written of each on its way, so that a process killed
 * at any moment leaves nothing out, when one that failed is tried again or given up, and the dead letters.
 */
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../store/schema.ts';
import { orDatabaseFailure } from '../store/trouble.ts';
import type { DeadLetters } from './queue.ts';

export interface QueueRow {
  readonly id: number;
  readonly lane: string;
  /** Telegram's, while it is taken in; it is not read back. */
  readonly updateId?: number | undefined;
  readonly album: string | undefined;
  readonly once: string | undefined;
  /** Undefined where it is left on disk until its turn has come: memory is not for those who wait in a long line. */
  readonly body: unknown;
  readonly strikes: number;
  /** The strike that its next attempt may cost is on disk already. */
  readonly isStruck?: boolean;
  /** No attempt at it can have been begun before. */
  readonly isNew?: boolean;
  /** Message ids of answers that Telegram confirmed. */
  readonly confirmed: readonly number[];
}

const messageIds = z.array(z.number());

/** A row of the table as it is used here; throws where it holds something else than was written. */
export function toRow(row: {
  id: number;
  lane: string;
  album: string | null;
  once: string | null;
  body: string | undefined;
  strikes: number;
  confirmed: string;
}): QueueRow {
  return {
    id: Number(row.id),
    lane: row.lane,
    album: row.album ?? undefined,
    once: row.once ?? undefined,
    body: row.body === undefined ? undefined : bodyOf(row.body),
    strikes: row.strikes,
    confirmed: messageIds.parse(JSON.parse(row.confirmed)),
  };
}

/** The update in the column `body`. */
export function bodyOf(body: string): unknown {
  return JSON.parse(body);
}

/** The ids of rows, for a query. */
export function idsOf(rows: readonly { readonly id: number }[]): number[] {
  return rows.map(({ id }) => id);
}

/**
 * What counts how much against a piece of work: an error that nobody foresaw, and the end of a process that died without a word (kill -9,
 * a power cut): that counts less, and against all that ran, since nothing tells the culprit from the bystanders.
 */
export const STRIKES = { error: 2, silentDeath: 1 } as const;
/** Work becomes a dead letter at this many: with the third such error. */
export const MAX_STRIKES = 6;
/** From this many on it is a suspect: of those one runs at a time, and what else runs is not blamed should the process end. */
export const ALONE_FROM_STRIKES = MAX_STRIKES / 2;

/** The work is another process's by now: this one says and notes nothing more of it. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver';
}

export type Write = (transaction: Transaction<Schema>) => Promise<unknown>;
type Commit = (write: Write) => Promise<void>;

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

interface DeadLetterRows extends DeadLetters {
  /** Those for which another chance was asked, each given once; from now on they wait as any other row. */
  takeRetried(): Promise<QueueRow[]>;
}

/** A dead letter without a reason is one for which another chance was asked: `takeRetried` finds it. */
export function createDeadLetters(database: Kysely<Schema>): DeadLetterRows {
  return {
    listDeadLetters: async () => {
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

    retryDeadLetter: async (id) => {
      const { numUpdatedRows } = await database
        .updateTable('queued_updates')
        .set({ reason: null, strikes: 0 })
        .where('id', '=', Number(id))
        .where('set_aside_at', 'is not', null)
        .where('reason', 'is not', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    takeRetried: async () => {
      const rows = await database
        .updateTable('queued_updates')
        .set({ set_aside_at: null })
        .where('set_aside_at', 'is not', null)
        .where('reason', 'is', null)
        .returningAll()
        .execute();
      return rows.map(toRow).sort((one, other) => one.id - other.id);
    },

    dropDeadLetter: async (id) => {
      const { numDeletedRows } = await database
        .deleteFrom('queued_updates')
        .where('id', '=', Number(id))
        .where('set_aside_at', 'is not', null)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
