/** Requests to stop (/cancel). Each holds in every process from its arrival until the person's lane reaches it. */
import type { Kysely } from 'kysely';
import { orDatabaseFailure } from '../database-errors.ts';
import type { EngineDatabase } from '../engine.ts';
import type { Schema } from '../schema.ts';

/** A request that its lane never reached ends after this many ms, so that it does not silence the person for ever. */
const HOLDS_FOR_MS = 60 * 60 * 1000;

export interface Cancellations {
  /** Begins a cancellation; does nothing if this update has begun or ended one before. */
  request(updateId: number, person: string): Promise<void>;
  /** Whether this person's work must stop. */
  isRequested(person: string): Promise<boolean>;
  /** Counts one stopped piece of work. */
  noteStopped(person: string): Promise<void>;
  /** Ends the cancellation that this update began; gives how many pieces of work it stopped. */
  finish(updateId: number, person: string): Promise<number>;
}

/**
 * Cancellations of all processes on this database. A process that is alone asks the database only about people who may have cancelled. All
 * methods throw `database` when the database does not answer.
 */
export function createCancellations({
  sql: database,
  now,
  isAlone,
}: Pick<EngineDatabase, 'sql' | 'now' | 'isAlone'>): Cancellations {
  /** Everybody who has cancelled in this process or, once `areEarlierKnown`, left a cancellation open in an earlier one. */
  const possible = new Set<string>();
  let areEarlierKnown = false;
  const mayHaveCancelled = async (person: string): Promise<boolean> => {
    if (!isAlone) return true;
    if (!areEarlierKnown) {
      const open = database.selectFrom('cancellations').select('person').where('finished', '=', 0);
      for (const earlier of await open.execute()) possible.add(earlier.person);
      areEarlierKnown = true;
    }
    return possible.has(person);
  };
  const begun = (updateId: number, person: string, finished: 0 | 1) => ({
    update_id: updateId,
    person,
    requested_at: now(),
    stopped: 0,
    finished,
  });

  return {
    request: (updateId, person) =>
      orDatabaseFailure(async () => {
        possible.add(person);
        await database
          .insertInto('cancellations')
          .values(begun(updateId, person, 0))
          .onConflict((conflict) => conflict.column('update_id').doNothing())
          .execute();
      }),

    isRequested: (person) =>
      orDatabaseFailure(async () => {
        return (await mayHaveCancelled(person)) && isCancellationRequested(database, person, now());
      }),

    noteStopped: (person) =>
      orDatabaseFailure(async () => {
        // The lane reaches the earliest first, and that one reports the count.
        const earliest = database
          .selectFrom('cancellations')
          .select((row) => row.fn.min('update_id').as('update_id'))
          .where('person', '=', person)
          .where('finished', '=', 0);
        await database
          .updateTable('cancellations')
          .set((row) => ({ stopped: row('stopped', '+', 1) }))
          .where('update_id', '=', earliest)
          .execute();
      }),

    finish: (updateId, person) =>
      orDatabaseFailure(async () => {
        const row = await database
          .insertInto('cancellations')
          .values(begun(updateId, person, 1))
          .onConflict((conflict) => conflict.column('update_id').doUpdateSet({ finished: 1 }))
          .returning('stopped')
          .executeTakeFirst();
        return row?.stopped ?? 0;
      }),
  };
}

/** Like `isRequested`, but also within a transaction; `now` in ms since the epoch. */
export async function isCancellationRequested(
  database: Kysely<Schema>,
  person: string,
  now: number,
): Promise<boolean> {
  return (await openCancellations(database, person, now).executeTakeFirst()) !== undefined;
}

/** Builds a query for a person's cancellations that hold at `now` (ms since the epoch). */
export function openCancellations(database: Kysely<Schema>, person: string, now: number) {
  return (
    database
      .selectFrom('cancellations')
      .select('update_id')
      .where('person', '=', person)
      .where('finished', '=', 0)
      .where('requested_at', '>', now - HOLDS_FOR_MS)
      // A time in the future means that the clock has jumped back: such a request would hold too long.
      .where('requested_at', '<=', now + HOLDS_FOR_MS)
  );
}
