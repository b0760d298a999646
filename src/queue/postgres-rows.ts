/** The rows of the PostgreSQL queue with their jobs: each step is one transaction over both, so that neither is ever without the other. */
import { sql, type Transaction } from 'kysely';
import type { PostgresDatabase } from '../store/postgres/postgres.ts';
import type { Schema } from '../store/schema.ts';
import { orDatabaseFailure } from '../store/trouble.ts';
import type { Write } from './arrivals.ts';
import { createArrivals } from './arrivals.ts';
import type { AttemptRows } from './attempt.ts';
import type { QueueJobs } from './postgres-jobs.ts';
import type { QueuedUpdate, SetAsideUpdate } from './queue.ts';
import { ALONE_FROM_STRIKES, idsOf, type QueueRow, STRIKES, toRow } from './queue-row.ts';
import { createQueueRows, createSetAsideRows } from './queue-rows.ts';

/** All throw `database` when the database does not answer. */
export interface PostgresRows extends AttemptRows {
  /** Writes down updates that were not received before, with a job for each. */
  add(updates: readonly QueuedUpdate[]): Promise<void>;
  /**
   * Takes up to `limit` rows for this process: the first of each lane that has none taken. To be called one after another; what a call
   * that failed has taken after all, the next one gives.
   */
  take(limit: number): Promise<QueueRow[]>;
  /** All parts of this row's album that have come so far, and for how long none has, in ms. */
  albumParts(row: QueueRow): Promise<{ rows: QueueRow[]; quietMs: number }>;
  /** Gives back what these processes have taken, except for the rows in `held`, to be taken again in the same order. */
  giveBack(processes: readonly number[], held?: ReadonlySet<number>): Promise<void>;
  depth(): Promise<number>;
  listSetAside(): Promise<SetAsideUpdate[]>;
  retrySetAside(id: string): Promise<boolean>;
  dropSetAside(id: string): Promise<boolean>;
}

/** The rows and jobs as the process of this database's session works on them. */
export function createPostgresRows(
  { sql: database, session, now }: PostgresDatabase,
  jobs: QueueJobs,
): PostgresRows {
  const commit = <T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T> =>
    orDatabaseFailure(() => database.transaction().execute(work));
  const commitAlone = async (write: Write<Schema>): Promise<void> => {
    await commit(write);
  };
  const alone = createQueueRows(database, { commit: commitAlone, process: session.process, now });
  const takeIn = createArrivals(now);
  /** The same steps as part of a transaction. */
  const within = (transaction: Transaction<Schema>) =>
    createQueueRows(transaction, { commit: async (write) => void (await write(transaction)), now });

  return {
    bodies: alone.bodies,
    strike: alone.strike,
    confirm: alone.confirm,
    listSetAside: () => createSetAsideRows(database).list(),
    dropSetAside: (id) => createSetAsideRows(database).drop(id),

    add: (updates) =>
      commit(async (transaction) => {
        const wanted = await notUnderWay(transaction, updates);
        const rows = wanted.length === 0 ? [] : await takeIn(transaction, wanted);
        if (rows.length > 0) await jobs.add(transaction, rows);
      }),

    take: createTaking(session.process, jobs, commit),

    albumParts: (row) =>
      orDatabaseFailure(async () => {
        const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
        const parts = await database
          .selectFrom('queued_updates')
          .selectAll()
          .select((part) => sql<number>`${now} - ${part.ref('queued_at')}`.as('age'))
          .where('lane', '=', row.lane)
          .where('album', '=', row.album ?? '')
          .where('set_aside_at', 'is', null)
          .orderBy('id')
          .execute();
        const quietMs = Math.min(...parts.map(({ age }) => age));
        // From the future: the server's clock has jumped back, and waiting for it would take too long.
        return { rows: parts.map(toRow), quietMs: quietMs < 0 ? Number.POSITIVE_INFINITY : quietMs };
      }),

    remove: (rows) =>
      commit(async (transaction) => {
        await within(transaction).remove(rows);
        await jobs.remove(transaction, idsOf(rows));
      }),

    setAside: (rows, reason) =>
      commit(async (transaction) => {
        await within(transaction).setAside(rows, reason);
        await jobs.remove(transaction, idsOf(rows));
      }),

    giveBack: (processes, held = new Set()) =>
      commit(async (transaction) => {
        const taken = await transaction
          .selectFrom('queued_updates')
          .select('id')
          .where('process', 'in', processes)
          .where('set_aside_at', 'is', null)
          .forUpdate()
          .skipLocked()
          .execute();
        const given = taken.filter(({ id }) => !held.has(id));
        if (given.length === 0) return;
        await transaction
          .updateTable('queued_updates')
          .set({ process: null })
          .where('id', 'in', idsOf(given))
          .execute();
        await jobs.giveBack(transaction, idsOf(given));
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

    retrySetAside: (id) =>
      commit(async (transaction) => {
        const setAside = createSetAsideRows(transaction);
        if (!(await setAside.retry(id))) return false;
        await jobs.add(transaction, await setAside.takeRetried());
        return true;
      }),
  };
}

/** Leaves out updates whose like (`once`) waits or runs already, even where another process is just taking it in. */
async function notUnderWay(
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

type Commit = <T>(work: (transaction: Transaction<Schema>) => Promise<T>) => Promise<T>;

/** Gives `PostgresRows.take`, for the process of this number. */
function createTaking(
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
