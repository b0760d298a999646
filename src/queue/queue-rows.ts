/**
 * Updates in the table `queued_updates` of either engine: taken in once, written at each step so that a process killed at any moment loses
 * none, with their strikes, and as dead letters.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { orDatabaseFailure } from '../store/database-errors.ts';
import type { Schema } from '../store/schema.ts';
import type { DeadLetters, QueuedUpdate } from './queue.ts';

export interface QueueRow {
  readonly id: number;
  readonly lane: string;
  /** Telegram's `update_id`, while the update is taken in; not read back. */
  readonly updateId?: number | undefined;
  readonly album: string | undefined;
  readonly once: string | undefined;
  /** Undefined while it stays on disk: memory does not hold a long line. */
  readonly body: unknown;
  readonly strikes: number;
  /** The strike that the next attempt may cost is already on disk. */
  readonly isStruck?: boolean;
  /** No earlier attempt can have begun. */
  readonly isNew?: boolean;
  /** Message ids of confirmed answers. */
  readonly confirmed: readonly number[];
}

const messageIds = z.array(z.number());

/** The columns of `toRow`. */
export const ROW_COLUMNS = ['id', 'lane', 'album', 'once', 'body', 'strikes', 'confirmed'] as const;

/** Parses a row of the table; throws if it holds anything unexpected. */
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
    body: row.body === undefined ? undefined : JSON.parse(row.body),
    strikes: row.strikes,
    confirmed: messageIds.parse(JSON.parse(row.confirmed)),
  };
}

/** The ids of rows. */
export function idsOf(rows: readonly { readonly id: number }[]): number[] {
  return rows.map(({ id }) => id);
}

/**
 * How much counts against a piece of work: an unforeseen error, or the end of a process that died without a word (kill -9, a power cut).
 * The latter counts less, and against everything that ran, since nothing tells the culprit from the others.
 */
export const STRIKES = { error: 2, silentDeath: 1 } as const;
/** Work with this many strikes becomes a dead letter: after the third error. */
export const MAX_STRIKES = 6;
/** Work with this many strikes is a suspect: one suspect runs at a time, and nothing else that runs is blamed if the process dies. */
export const SUSPECT_FROM_STRIKES = MAX_STRIKES / 2;

/** Another process has the work by now: this one writes and sends nothing more about it. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver';
}

export type Write = (transaction: Transaction<Schema>) => Promise<unknown>;
type Commit = (write: Write) => Promise<void>;

interface QueueRowsOptions {
  readonly commit: Commit;
  /** Commits without waiting for the disk; `commit` by default. */
  readonly commitSoon?: Commit;
  /** The process that has taken the rows; rows that it does not hold are another's. By default no row is another's. */
  readonly process?: number;
  /** ms since the epoch */
  readonly now: () => number;
}

/** Makes the steps of an update; each is written by `commit` or `commitSoon`. */
export function createQueueRows(
  database: Kysely<Schema>,
  { commit, commitSoon = commit, process, now }: QueueRowsOptions,
) {
  /** Rows that the next commit removes: nothing more is noted of them. */
  const leaving = new Set<number>();

  return {
    /** All waiting rows in the order of arrival, without the updates themselves. */
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
      const bodies = new Map<number, unknown>(found.map(({ id, body }) => [Number(id), JSON.parse(body)]));
      return rows.map(({ id, body }) => body ?? bodies.get(id));
    },

    /** Sets the rows' strikes to this many more than they say: before an attempt what it may cost, after it what it did. */
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
              // One row of an album stands for all.
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

    /** Notes the confirmed answers of this work. */
    confirm: async ([first]: readonly QueueRow[], confirmed: readonly number[]): Promise<void> => {
      if (first === undefined) return;
      await commitSoon(async (transaction) => {
        if (leaving.has(first.id)) return;
        await sql`
          update queued_updates set confirmed = ${JSON.stringify(confirmed)} where id = ${first.id}`.execute(
          transaction,
        );
      });
    },

    remove: async (rows: readonly QueueRow[]): Promise<void> => {
      for (const { id } of rows) leaving.add(id);
      try {
        await commitSoon((transaction) =>
          sql`delete from queued_updates where id in (${sql.join(idsOf(rows))})`.execute(transaction),
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

/**
 * Inserts the updates that were not received before; gives their rows. For updates that begin at once, it also enters the strike that their
 * attempt may cost. `receivedAt` in ms since the epoch.
 */
export async function takeIn(
  transaction: Transaction<Schema>,
  delivered: readonly QueuedUpdate[],
  receivedAt: number,
  isBegunAtOnce: (update: QueuedUpdate) => boolean = () => false,
): Promise<QueueRow[]> {
  const updates = await notReceivedBefore(transaction, delivered, receivedAt);
  if (updates.length === 0) return [];
  const struck = updates.map(isBegunAtOnce);
  const rows = updates.map(({ lane, album, once, body }, index) => {
    const strikes = struck[index] ? STRIKES.silentDeath : 0;
    return sql`(${lane}, ${album ?? null}, ${once ?? null}, ${JSON.stringify(body)}, ${strikes}, '[]')`;
  });
  const inserted = await sql<{ id: number }>`
    insert into queued_updates (lane, album, once, body, strikes, confirmed)
    values ${sql.join(rows)}
    returning id`.execute(transaction);
  // Ids are assigned in the order of the values, but may be returned in another.
  const given = inserted.rows.map(({ id }) => Number(id)).sort((one, other) => one - other);
  return given.flatMap((id, index): QueueRow[] => {
    const update = updates[index];
    if (update === undefined) return [];
    const { lane, updateId, album, once, body } = update;
    const isStruck = struck[index] === true;
    return [{ id, lane, updateId, album, once, body, strikes: 0, isStruck, isNew: true, confirmed: [] }];
  });
}

/** Telegram delivers an update again if our answer got lost; `update_id` tells, for two days (`store/pruning.ts`). */
async function notReceivedBefore(
  transaction: Transaction<Schema>,
  updates: readonly QueuedUpdate[],
  receivedAt: number,
): Promise<QueuedUpdate[]> {
  const { rows } = await sql<{ update_id: number }>`
    insert into received_updates (update_id, received_at)
    values ${sql.join(updates.map(({ updateId }) => sql`(${updateId}, ${receivedAt})`))}
    on conflict (update_id) do nothing
    returning update_id`.execute(transaction);
  const fresh = new Set(rows.map(({ update_id }) => Number(update_id)));
  return updates.filter(({ updateId }) => fresh.delete(updateId));
}

interface DeadLetterRows extends DeadLetters {
  /** Dead letters that an operator wants retried, each given once; from now on they wait like other rows. */
  takeRetried(): Promise<QueueRow[]>;
}

/** A retried dead letter has no reason any more, by which `takeRetried` finds it. */
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
        .returning(ROW_COLUMNS)
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
