/**
 * The queue's driver for PostgreSQL, which several processes share. The head of each lane is marked: it waits for a process, or `process`
 * has it. The other rows of the lane wait behind it.
 */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { orDatabaseFailure } from '../store/database-errors.ts';
import type { PostgresDatabase } from '../store/postgres/postgres.ts';
import type { Schema } from '../store/schema.ts';
import type { AttemptRows } from './attempt.ts';
import { ALBUM_PAUSE_MS, type DeadLetters, type Queue, type QueuedUpdate } from './queue.ts';
import {
  createDeadLetters,
  createQueueRows,
  idsOf,
  type QueueRow,
  ROW_COLUMNS,
  STRIKES,
  SUSPECT_FROM_STRIKES,
  takeIn,
  toRow,
  type Write,
} from './queue-rows.ts';

/** The channel that announces rows to take. */
export const CHANNEL = 'lotsawa_queue';

export interface PostgresRows extends AttemptRows, DeadLetters, Pick<Queue, 'depth'> {
  /** Takes in updates that were not received before; gives their rows. */
  add(updates: readonly QueuedUpdate[]): Promise<QueueRow[]>;
  /** Filters the rows on which no process works yet. */
  unbegun(ids: readonly number[]): Promise<number[]>;
  /**
   * Takes up to `limit` rows for this process: heads of lanes that no process has. Do not call it concurrently; if a failed call has taken
   * rows after all, the next call gives them.
   */
  take(limit: number): Promise<QueueRow[]>;
  /** The parts of this row's album so far, and how long ago the latest came, in ms. */
  albumParts(row: QueueRow): Promise<{ rows: QueueRow[]; quietMs: number }>;
  /** Gives back the rows of these processes, except those in `held`, and announces that there may be rows to take; they keep their order. */
  giveBack(processes: readonly number[], held?: ReadonlySet<number>): Promise<void>;
}

/** Creates the driver for the process of this database's session. */
export function createPostgresRows({ sql: database, session, now }: PostgresDatabase): PostgresRows {
  const commit = <T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T> =>
    orDatabaseFailure(() => database.transaction().execute(work));
  const commitAlone = async (write: Write): Promise<void> => {
    await commit(write);
  };
  const { process } = session;
  const steps = createQueueRows(database, { commit: commitAlone, process, now });
  const { listDeadLetters, dropDeadLetter } = createDeadLetters(database);
  /** The same steps within a transaction. */
  const within = (transaction: Transaction<Schema>) =>
    createQueueRows(transaction, { commit: async (write) => void (await write(transaction)), process, now });
  /** Ends work by one of these steps, and moves its lane on. */
  const end = (
    rows: readonly QueueRow[],
    how: (steps: ReturnType<typeof createQueueRows>) => Promise<void>,
  ): Promise<void> =>
    commit(async (transaction) => {
      const lanes = lanesOf(rows);
      await how(within(transaction));
      // The lock comes first: only a statement that begins after the others' commit sees what they took in.
      await lockLanes(transaction, lanes);
      await appointHeads(transaction, lanes);
    });

  return {
    bodies: steps.bodies,
    strike: steps.strike,
    confirm: steps.confirm,
    listDeadLetters,
    dropDeadLetter,

    add: (updates) =>
      commit(async (transaction) => {
        const wanted = await notUnderWay(transaction, updates);
        if (wanted.length === 0) return [];
        const lanes = lanesOf(wanted);
        await lockLanes(transaction, lanes);
        const rows = await takeIn(transaction, wanted, now());
        if (rows.length > 0 && (await appointHeads(transaction, lanes)) > 0) await announceBy(transaction);
        return rows;
      }),

    unbegun: (ids) =>
      orDatabaseFailure(async () => {
        // An album is taken by its first part, and begins when no part has come for a while.
        const rows = await database
          .selectFrom('queued_updates as waiting')
          .select('id')
          .where(sql<boolean>`id = any(${ids})`)
          .where('set_aside_at', 'is', null)
          .where(({ and, or, eb, not, exists, selectFrom }) => {
            const taken = selectFrom('queued_updates as part')
              .select('part.id')
              .whereRef('part.album', '=', 'waiting.album')
              .whereRef('part.lane', '=', 'waiting.lane')
              .where('part.process', 'is not', null);
            return or([
              and([eb('process', 'is', null), not(exists(taken))]),
              and([
                eb('album', 'is not', null),
                sql<boolean>`queued_at > ${serverNow} - ${ALBUM_PAUSE_MS}::int`,
              ]),
            ]);
          })
          .execute();
        return idsOf(rows);
      }),

    take: createTake(process, commit),

    albumParts: (row) =>
      orDatabaseFailure(async () => {
        const parts = await database
          .selectFrom('queued_updates')
          .select(ROW_COLUMNS)
          .select((part) => sql<number>`${serverNow} - ${part.ref('queued_at')}`.as('age'))
          .where('lane', '=', row.lane)
          .where('album', '=', row.album ?? '')
          .where('set_aside_at', 'is', null)
          .orderBy('id')
          .execute();
        const quietMs = Math.min(...parts.map(({ age }) => age));
        // A time in the future means that the server's clock has jumped back: waiting for it would take too long.
        return { rows: parts.map(toRow), quietMs: quietMs < 0 ? Number.POSITIVE_INFINITY : quietMs };
      }),

    remove: (rows) => end(rows, (steps) => steps.remove(rows)),
    deadLetter: (rows, reason) => end(rows, (steps) => steps.deadLetter(rows, reason)),

    giveBack: (processes, held = new Set()) =>
      commit(async (transaction) => {
        await transaction
          .updateTable('queued_updates')
          .set({ process: null })
          .where('process', 'in', processes)
          .where('id', 'not in', anyOf([...held]))
          .execute();
        await announceBy(transaction);
      }),

    depth: () =>
      orDatabaseFailure(async () => {
        const { depth } = await database
          .selectFrom('queued_updates')
          .select(({ fn }) => fn.countAll<number>().as('depth'))
          .where('set_aside_at', 'is', null)
          .executeTakeFirstOrThrow();
        return depth;
      }),

    retryDeadLetter: (id) =>
      commit(async (transaction) => {
        const deadLetters = createDeadLetters(transaction);
        if (!(await deadLetters.retryDeadLetter(id))) return false;
        const lanes = lanesOf(await deadLetters.takeRetried());
        await lockLanes(transaction, lanes);
        if ((await appointHeads(transaction, lanes)) > 0) await announceBy(transaction);
        return true;
      }),
  };
}

function lanesOf(rows: readonly { readonly lane: string }[]): string[] {
  return [...new Set(rows.map(({ lane }) => lane))].sort();
}

/** An array for use in a query: as a list, each length would make a query of its own. */
function anyOf(ids: readonly number[]): RawBuilder<number> {
  return sql<number>`(select unnest(${ids}::bigint[]))`;
}

/**
 * Until its end, only this transaction takes updates in for these lanes, or decides who is next in them. The lanes are sorted, so that
 * processes cannot deadlock.
 */
async function lockLanes(transaction: Transaction<Schema>, lanes: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(lane, ${LANES})) from unnest(${lanes}::text[]) as lane
  `.execute(transaction);
}

/** Keeps the lanes' locks apart from other locks. */
const LANES = 1;

/** Makes the first row of each of these (locked) lanes its head, where there is none; gives the number of new heads. */
async function appointHeads(transaction: Transaction<Schema>, lanes: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update queued_updates set head = true
    from unnest(${lanes}::text[]) as free (lane), lateral (
      select id from queued_updates as waiting
      where waiting.lane = free.lane and set_aside_at is null
      order by id limit 1
    ) as next
    where queued_updates.id = next.id
      and not exists (select from queued_updates as other where other.lane = free.lane and other.head)
    `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}

async function announceBy(transaction: Transaction<Schema>): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, '')`.execute(transaction);
}

/** Leaves out updates with the same `once` as one that waits or runs, even if another process is just taking that in. */
async function notUnderWay(
  transaction: Transaction<Schema>,
  updates: readonly QueuedUpdate[],
): Promise<QueuedUpdate[]> {
  const keys = [...new Set(updates.flatMap(({ once }) => once ?? []))].sort();
  if (keys.length === 0) return [...updates];
  // Held until the end of the transaction; sorted, so that processes cannot deadlock.
  for (const once of keys) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${once}, 0))`.execute(transaction);
  }
  const found = await transaction
    .selectFrom('queued_updates')
    .select('once')
    .where('once', 'in', keys)
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

/** The server's clock, which also wrote `queued_at`, in ms since the epoch. */
const serverNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

type Commit = <T>(work: (transaction: Transaction<Schema>) => Promise<T>) => Promise<T>;

/** Makes `PostgresRows.take` for the process of this number. */
function createTake(process: number, commit: Commit): (limit: number) => Promise<QueueRow[]> {
  /** Rows of a transaction that may or may not have been committed: the server's answer got lost. */
  let inDoubt: readonly QueueRow[] = [];

  const takeNext = async (limit: number): Promise<QueueRow[]> => {
    let taken: QueueRow[] = [];
    const take = commit(async (transaction) => {
      const rows = await transaction
        .with('untaken', (db) =>
          db
            .selectFrom('queued_updates')
            .select(['id', 'strikes as before'])
            .where('head', '=', true)
            .where('process', 'is', null)
            .orderBy('id')
            .limit(limit)
            .forUpdate()
            .skipLocked(),
        )
        .updateTable('queued_updates')
        .from('untaken')
        .whereRef('queued_updates.id', '=', 'untaken.id')
        .set({ process, strikes: strikesOfTaken })
        .returning(ROW_COLUMNS.map((column) => `queued_updates.${column}` as const))
        .returning('before')
        .execute();
      taken = rows
        .map(({ before, ...row }) => ({
          ...toRow({ ...row, strikes: before }),
          isStruck: row.strikes > before,
        }))
        .sort((one, other) => one.id - other.id);
    });
    await take.catch((error: unknown) => {
      inDoubt = taken;
      throw error;
    });
    return taken;
  };

  /** The rows in doubt that were taken after all. Locking them waits for the end of that transaction, if it is still running. */
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

/**
 * Work that begins as soon as it is taken gets its possible strike in the same statement; albums and suspects may have to wait, and get it
 * later.
 */
const strikesOfTaken = sql<number>`case
  when album is null and strikes < ${SUSPECT_FROM_STRIKES} then strikes + ${STRIKES.silentDeath} else strikes end`;
