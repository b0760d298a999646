/** Requests whose paid call stayed in doubt: kept as the updates that they were, until their sender has them done once more. */
import type { Kysely } from 'kysely';
import type { Queue } from '../queue/queue.ts';
import { orLedgerFailure } from '../store/ledger-failure.ts';
import { dropParkedUpdate, parkedUpdate, parkUpdate } from '../store/parked-updates.ts';
import type { Schema } from '../store/schema.ts';
import { toQueued } from './intake.ts';

/** All methods throw `ledger` when the database does not answer. */
export interface ParkedRequests {
  /** Keeps an update of this person; gives the id under which it can be repeated. */
  park(person: string, update: unknown): Promise<string>;
  /** Puts the update back into the queue; false when it is gone or another person's. */
  repeat(id: string, person: string): Promise<boolean>;
}

/** Those that are kept in this database, to be repeated by way of this queue; `now` gives ms since the epoch. */
export function createParkedRequests(
  database: Kysely<Schema>,
  queue: Pick<Queue, 'push'>,
  now: () => number,
): ParkedRequests {
  return {
    park: (person, update) => orLedgerFailure(() => parkUpdate(database, person, update, now())),
    repeat: (id, person) =>
      orLedgerFailure(async () => {
        const queued = toQueued(await parkedUpdate(database, id, person, now()));
        if (queued === undefined) return false;
        // Without its id: it was received before, and is meant to be handled again. Should the press itself be handled again, as after
        // a crash before the next line, `once` keeps a second copy out of the queue.
        await queue.push([{ ...queued, updateId: undefined, once: `again:${id}` }]);
        await dropParkedUpdate(database, id);
        return true;
      }),
  };
}
