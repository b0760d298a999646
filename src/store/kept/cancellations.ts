/** Requests to stop (/cancel): each holds from its arrival until the lane of its person has come to it, in every process. */
import type { Kysely } from 'kysely';
import type { EngineDatabase } from '../engine.ts';
import type { Schema } from '../schema.ts';
import { orDatabaseFailure } from '../trouble.ts';

/** A request whose lane never came to it holds no longer than this, in ms: it must not silence its person for ever. */
const HOLDS_FOR_MS = 60 * 60 * 1000;

export interface Cancellations {
  /** Begins one; nothing happens where the same update has begun or ended one before. */
  request(updateId: number, person: string): Promise<void>;
  /** Whether the work of this person is to stop. */
  isRequested(person: string): Promise<boolean>;
  /** Counts a piece of work that was stopped. */
  noteStopped(person: string): Promise<void>;
  /** Ends the one that this update is; gives how many pieces of work it stopped. */
  finish(updateId: number, person: string): Promise<number>;
}

/**
 * `now` gives ms since the epoch; `isAlone`: no other process writes in this database, so that it is asked only about those who
 * may have cancelled. All methods throw `database` when the database does not answer.
 */
export function createCancellations({
  sql: database,
  now,
  isAlone,
}: Pick<EngineDatabase, 'sql' | 'now' | 'isAlone'>): Cancellations {
  /** All who have ever cancelled, here or, once that is known, with no end to it in an earlier process. */
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
        // The lane comes to the earliest first: that one tells.
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

/** The same as `isRequested`, also within a transaction; `now` in ms since the epoch. */
export async function isCancellationRequested(
  database: Kysely<Schema>,
  person: string,
  now: number,
): Promise<boolean> {
  return (await openCancellations(database, person, now).executeTakeFirst()) !== undefined;
}

/** A query for the requests of a person that hold at `now` (ms since the epoch). */
export function openCancellations(database: Kysely<Schema>, person: string, now: number) {
  return (
    database
      .selectFrom('cancellations')
      .select('update_id')
      .where('person', '=', person)
      .where('finished', '=', 0)
      .where('requested_at', '>', now - HOLDS_FOR_MS)
      // From the future: the clock has jumped back, and waiting for it would take too long.
      .where('requested_at', '<=', now + HOLDS_FOR_MS)
  );
}
