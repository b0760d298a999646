/** The rows of the SQLite queue: what is written when, so that a process killed at any moment leaves nothing out. */
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { orLedgerFailure } from '../store/ledger-failure.ts';
import type { Schema } from '../store/schema.ts';
import type { Write } from './group-commit.ts';
import { type QueuedUpdate, STRIKES } from './queue.ts';

/** An update as it lies on disk. */
export interface QueueRow {
  readonly id: number;
  readonly lane: string;
  readonly album: string | undefined;
  readonly once: string | undefined;
  /** Undefined where it is left on disk until its turn has come: memory is not for those who wait in a long line. */
  readonly body: unknown;
  readonly strikes: number;
  /** The strike that its first attempt may cost is on disk already. */
  readonly isStruck?: boolean;
  /** Message ids of answers that Telegram confirmed. */
  readonly confirmed: readonly number[];
}

/** Telegram keeps an update for a day; what was received is known for two, in ms. */
const KNOWN_FOR_MS = 2 * 24 * 60 * 60 * 1000;

/** What is older is looked for no oftener than this, in ms. */
const FORGET_EVERY_MS = 60_000;

const messageIds = z.array(z.number());

type Commit = (write: Write<Schema>) => Promise<void>;

/** `commitSoon` need not wait for the disk. */
export function createQueueRows(database: Kysely<Schema>, commit: Commit, commitSoon: Commit = commit) {
  const ids = (rows: readonly QueueRow[]): number[] => rows.map(({ id }) => id);
  /** Rows that are removed with the next commit: nothing more need be noted of them. */
  const leaving = new Set<number>();

  let forgottenAt = Number.NEGATIVE_INFINITY;
  const forgetOld = async (transaction: Transaction<Schema>): Promise<void> => {
    if (performance.now() - forgottenAt < FORGET_EVERY_MS) return;
    forgottenAt = performance.now();
    await transaction
      .deleteFrom('received_updates')
      .where('received_at', '<', Date.now() - KNOWN_FOR_MS)
      .execute();
  };

  return {
    /**
     * Writes updates down, in one transaction; gives the rows of those that were not received before. Those that are begun at
     * once have what that may cost written with them.
     */
    add: async (
      updates: readonly QueuedUpdate[],
      isBegunAtOnce: (update: QueuedUpdate) => boolean = () => false,
    ): Promise<QueueRow[]> => {
      let added: QueueRow[] = [];
      await commitSoon(async (transaction) => {
        const fresh = await notReceivedBefore(transaction, updates);
        await forgetOld(transaction);
        added = fresh.length === 0 ? [] : await insert(transaction, fresh, isBegunAtOnce);
      });
      return added;
    },

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
      const found = await orLedgerFailure(() =>
        database.selectFrom('queued_updates').select(['id', 'body']).where('id', 'in', ids(left)).execute(),
      );
      const bodies = new Map(found.map(({ id, body }) => [Number(id), parsed(body)]));
      return rows.map(({ id, body }) => body ?? bodies.get(id));
    },

    /** Writes so many strikes more than these rows tell of: before an attempt what it may cost, after it what it did. */
    strike: async (rows: readonly QueueRow[], strikes: number): Promise<QueueRow[]> => {
      const struck = rows.map((row) => ({ ...row, strikes: row.strikes + strikes, isStruck: false }));
      if (strikes === STRIKES.silentDeath && rows.every(({ isStruck }) => isStruck)) return struck;
      await commitSoon(async (transaction) => {
        for (const row of struck) {
          await transaction
            .updateTable('queued_updates')
            .set({ strikes: row.strikes })
            .where('id', '=', row.id)
            .execute();
        }
      });
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
          transaction.deleteFrom('queued_updates').where('id', 'in', ids(rows)).execute(),
        );
      } finally {
        for (const { id } of rows) leaving.delete(id);
      }
    },

    setAside: (rows: readonly QueueRow[], reason: string) =>
      commit((transaction) =>
        transaction
          .updateTable('queued_updates')
          .set({ set_aside_at: Date.now(), reason })
          .where('id', 'in', ids(rows))
          .execute(),
      ),
  };
}

/** Telegram delivers an update again when its answer got lost; `update_id` tells. */
async function notReceivedBefore(
  transaction: Transaction<Schema>,
  updates: readonly QueuedUpdate[],
): Promise<QueuedUpdate[]> {
  const received_at = Date.now();
  const numbered = updates.flatMap(({ updateId }) =>
    updateId === undefined ? [] : [{ update_id: updateId, received_at }],
  );
  if (numbered.length === 0) return [...updates];
  const inserted = await transaction
    .insertInto('received_updates')
    .values(numbered)
    .onConflict((conflict) => conflict.column('update_id').doNothing())
    .returning('update_id')
    .execute();
  const fresh = new Set(inserted.map(({ update_id }) => Number(update_id)));
  return updates.filter(({ updateId }) => updateId === undefined || fresh.delete(updateId));
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
  // Ids are given in the order of the values, but need not come back in it.
  const given = inserted.map(({ id }) => Number(id)).sort((one, other) => one - other);
  return given.flatMap((id, index): QueueRow[] => {
    const update = updates[index];
    if (update === undefined) return [];
    const { lane, album, once, body } = update;
    return [{ id, lane, album, once, body, strikes: 0, isStruck: struck[index] === true, confirmed: [] }];
  });
}

/** A row of `queued_updates` as it is used here. */
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
    body: row.body === undefined ? undefined : parsed(row.body),
    strikes: row.strikes,
    confirmed: messageIds.parse(JSON.parse(row.confirmed)),
  };
}

function parsed(body: string): unknown {
  return JSON.parse(body);
}
