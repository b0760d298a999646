/** The rows that a process has taken for itself, and how many more it has room for. */

/** What waits for a retry or for the rest of an album needs no worker, but memory: beyond this the rest stays in the database. */
const MOST_HELD = 1000;

export interface HeldRows {
  readonly ids: ReadonlySet<number>;
  /** How many more may be taken: there is a worker for each. */
  room(): number;
  /** A row was taken, and gets a worker. */
  take(id: number): void;
  /** It needs no worker for now: it waits for its time. */
  rest(id: number): void;
  /** Its time has come: it has a worker again. */
  resume(id: number): void;
  /** It is done with, or another process's. */
  drop(id: number): void;
}

/** Nothing is held yet. */
export function createHeldRows(workers: number): HeldRows {
  const ids = new Set<number>();
  const resting = new Set<number>();
  return {
    ids,
    room: () => Math.max(0, Math.min(workers - (ids.size - resting.size), MOST_HELD - ids.size)),
    take: (id) => {
      ids.add(id);
    },
    rest: (id) => {
      resting.add(id);
    },
    resume: (id) => {
      resting.delete(id);
    },
    drop: (id) => {
      ids.delete(id);
    },
  };
}
