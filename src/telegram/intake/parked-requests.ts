/** Requests that failed and may succeed later: kept as the updates that they were, until their sender has them done once more. */
import { z } from 'zod';
import type { Queue } from '../../queue/queue.ts';
import type { ParkedUpdates } from '../../store/kept/parked-updates.ts';
import { orDatabaseFailure } from '../../store/trouble.ts';
import type { Callback } from '../request/callback.ts';
import { toQueued } from './intake.ts';

export interface ParkedRequest {
  /** One update, or all parts of an album. */
  readonly updates: readonly object[];
  /** Whether its new answer takes the place of the message under which it waits. */
  readonly isInPlace: boolean;
}

/** All methods throw `database` when the database does not answer. */
export interface ParkedRequests {
  park(person: string, request: ParkedRequest): Promise<string>;
  /** Whether it waits there, for this person. */
  isThere(id: string, person: string): Promise<boolean>;
  /** Puts the request back into the queue, unless it is gone or another person's; `under`: the message that its button hung on. */
  repeat(id: string, person: string, under: MessagePlace | undefined): Promise<void>;
}

/** A message, by its numbers. */
const messagePlace = z.object({ chat: z.int(), message: z.int() });
export type MessagePlace = z.infer<typeof messagePlace>;

const parkedRequest = z.object({ updates: z.array(z.looseObject({})), isInPlace: z.boolean() });
/** What the queue holds of a request that is repeated, beside the update itself. */
const repeatedUpdate = z.looseObject({
  is_repeated: z.literal(true),
  takes_place_of: messagePlace.optional(),
});

/** Those that are kept in `parked`, to be repeated by way of this queue. */
export function createParkedRequests(
  parked: ParkedUpdates,
  queue: Pick<Queue, 'push'>,
  callbacks: readonly Callback[],
): ParkedRequests {
  return {
    park: parked.park,
    isThere: async (id, person) => (await parked.find(id, person)) !== undefined,
    // A queue that is full counts as a database that does not answer: the press waits, and is handled again.
    repeat: (id, person, under) =>
      orDatabaseFailure(async () => {
        const found = await parked.find(id, person);
        // The release before this one kept the one update alone.
        const { updates, isInPlace } = parkedRequest.safeParse(found).data ?? {
          updates: [found],
          isInPlace: false,
        };
        const place = isInPlace && under !== undefined ? { takes_place_of: under } : {};
        const queued = updates
          .map((update) => toQueued(Object.assign({}, update, { is_repeated: true, ...place }), callbacks))
          .filter((one) => one !== undefined)
          // Without their ids: they were received before, and are meant to be handled again. Should the press itself be handled
          // again, as after a crash before the next line, `once` keeps second copies out of the queue.
          .map((one, index) => ({ ...one, updateId: undefined, once: `again:${id}:${index}` }));
        if (queued.length === 0) return;
        await queue.push(queued);
        await parked.drop(id);
      }),
  };
}

/** Whether its sender has this update handled once more, and the message that its answer takes the place of, where there is one. */
export function repetitionOf(update: unknown): {
  isRepeated: boolean;
  takesPlaceOf: MessagePlace | undefined;
} {
  const repeated = repeatedUpdate.safeParse(update).data;
  return { isRepeated: repeated !== undefined, takesPlaceOf: repeated?.takes_place_of };
}
