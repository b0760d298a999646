/** Requests whose paid call stayed in doubt: kept as the updates that they were, until their sender has them done once more. */
import type { Queue } from '../../queue/queue.ts';
import { orDatabaseFailure } from '../../store/database-failure.ts';
import type { ParkedUpdates } from '../../store/kept/parked-updates.ts';
import { toQueued } from './intake.ts';

/** All methods throw `database` when the database does not answer. */
export interface ParkedRequests extends Pick<ParkedUpdates, 'park'> {
  /** Puts the update back into the queue; false when it is gone or another person's. */
  repeat(id: string, person: string): Promise<boolean>;
}

/** Those that are kept in `parked`, to be repeated by way of this queue. */
export function createParkedRequests(parked: ParkedUpdates, queue: Pick<Queue, 'push'>): ParkedRequests {
  return {
    park: parked.park,
    // A queue that is full counts as a database that does not answer: the press waits, and is handled again.
    repeat: (id, person) =>
      orDatabaseFailure(async () => {
        const queued = toQueued(await parked.find(id, person));
        if (queued === undefined) return false;
        // Without its id: it was received before, and is meant to be handled again. Should the press itself be handled again, as after
        // a crash before the next line, `once` keeps a second copy out of the queue.
        await queue.push([{ ...queued, updateId: undefined, once: `again:${id}` }]);
        await parked.drop(id);
        return true;
      }),
  };
}
