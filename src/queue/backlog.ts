/** The bound on what waits in a queue that several processes share: kept by an estimate, since counting costs more than adding. */
import { QueueIsFull } from './queue.ts';

export interface BacklogOptions {
  /** Counts what waits or runs; throws when the database does not answer. */
  readonly count: () => Promise<number>;
  /** With so many none is taken in. */
  readonly most: number;
  /** How long a count holds, in ms; what other processes take in meanwhile is not in it. */
  readonly freshMs?: number;
}

export interface Backlog {
  /** Throws `QueueIsFull` where so many more would be too many, and what `count` throws where nothing was counted yet. */
  admit(updates: number): Promise<void>;
}

/** Counts at the first update, then beside them, and again before one is refused. */
export function createBacklog({ count, most, freshMs = 1000 }: BacklogOptions): Backlog {
  let counted: number | undefined;
  let addedSince = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  let counting: Promise<void> | undefined;

  const countAnew = (): Promise<void> => {
    counting ??= (async () => {
      const before = addedSince;
      try {
        counted = await count();
        addedSince -= before;
      } finally {
        countedAt = performance.now();
        counting = undefined;
      }
    })();
    return counting;
  };

  return {
    admit: async (updates) => {
      const isFull = (): boolean => (counted ?? 0) + addedSince + updates > most;
      const isStale = performance.now() - countedAt > freshMs;
      if (counted === undefined || (isStale && isFull())) await countAnew();
      // The estimate before still serves, and the next push counts.
      else if (isStale) countAnew().catch(() => {});
      if (isFull()) throw new QueueIsFull('too many updates wait');
      addedSince += updates;
    },
  };
}
