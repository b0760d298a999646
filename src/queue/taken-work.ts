/** What one of several processes has taken from the queue that they share: worked on in its lanes, or given up. */
import type { PostgresDatabase } from '../store/postgres/postgres.ts';
import { createAttempt } from './attempt.ts';
import { Lanes, toJob, type UpdateJob } from './lanes.ts';
import type { PostgresRows } from './postgres-rows.ts';
import { ALBUM_PAUSE_MS, type QueueHandler, type QueueOptions } from './queue.ts';
import { type QueueRow, TakenOver } from './queue-rows.ts';

export interface TakenWork {
  /** Takes as much as there are workers for, now or as soon as a taking that is under way has ended. */
  take(): void;
  /** The same in a moment, which is the longer the more runs here: of several processes the idle ones come first. */
  takeUnlessBusy(): void;
  /** Gives up what runs, for others are about to do, and pay for, the same; what comes after it is worked on. */
  giveUp(): void;
  /** Takes nothing more, waits up to `graceMs` for what runs, then aborts it. Resolves when nothing runs. */
  stop(graceMs: number): Promise<void>;
}

interface TakenJob extends UpdateJob {
  /** The row by which it was taken: of an album, its first. */
  readonly taken: QueueRow;
}

interface TakenWorkOptions {
  readonly database: Pick<PostgresDatabase, 'session'>;
  readonly rows: PostgresRows;
  readonly options: QueueOptions;
  readonly handler: QueueHandler;
}

/** Nothing is taken yet. */
export function createTakenWork({ database, rows, options, handler }: TakenWorkOptions): TakenWork {
  const held = createHeldRows(options.workers);
  /** Ends what runs; replaced by another when what runs is given up, and other work begins. */
  let aborter = new AbortController();
  let isStopping = false;
  /** After work was given up that nobody has taken over yet. */
  let isGivenUp = false;

  const attempt = createAttempt<TakenJob>({ ...options, rows, handler, signal: () => aborter.signal });

  /** An album with all its parts, due when none has come for a while; anything else as it is. */
  const gathered = async (job: TakenJob): Promise<TakenJob> => {
    if (job.taken.album === undefined || job.failures > 0) return job;
    try {
      const { rows: parts, quietMs } = await rows.albumParts(job.taken);
      return { ...toJob(parts, performance.now() + ALBUM_PAUSE_MS - quietMs), taken: job.taken };
    } catch (error) {
      options.onFailure(error);
      return { ...job, dueAt: performance.now() + ALBUM_PAUSE_MS };
    }
  };

  const lanes = new Lanes<TakenJob>(options.workers, async (job) => {
    const { id } = job.taken;
    const { signal } = aborter;
    held.resume(id);
    const ready = await gathered(job);
    const again = ready.dueAt > performance.now() ? ready : await attempt(ready);
    if (again === undefined) held.drop(id);
    else held.rest(id);
    // Nobody may have taken it over: then it is given back.
    if (signal.reason instanceof TakenOver) isGivenUp = true;
    if (isStopping) await rows.announce().catch(options.onFailure);
    else taking.ask();
    return again;
  });

  const takeFree = async (): Promise<QueueRow[]> => {
    if (isGivenUp) await rows.giveBack([database.session.process], held.ids);
    isGivenUp = false;
    const room = held.room();
    return room > 0 ? await rows.take(room) : [];
  };

  const taking = createRepeater(async () => {
    if (isStopping) return;
    // The upkeep notices a failure, too, and has it looked again.
    const taken = await takeFree().catch(() => []);
    if (isStopping) return;
    for (const row of taken) {
      held.take(row.id);
      lanes.add({ ...toJob([row], 0), taken: row });
    }
  });

  let moment: NodeJS.Timeout | undefined;

  return {
    take: taking.ask,
    takeUnlessBusy: () => {
      if (held.room() === 0) return;
      moment ??= setTimeout(
        () => {
          moment = undefined;
          taking.ask();
        },
        held.ids.size + Math.random() * SPREAD_MS,
      );
    },
    giveUp: () => {
      const given = aborter;
      if (!isStopping) aborter = new AbortController();
      given.abort(new TakenOver('this process did not run for too long'));
    },
    stop: async (graceMs) => {
      isStopping = true;
      clearTimeout(moment);
      const timer = setTimeout(() => aborter.abort(), graceMs);
      await Promise.all([lanes.close(), taking.settled()]);
      clearTimeout(timer);
    },
  };
}

/** Processes that are told of the same row at the same moment look for it one after another, in ms. */
const SPREAD_MS = 3;

/** What waits for a retry or for the rest of an album needs no worker, but memory: beyond this the rest stays in the database. */
const MOST_HELD = 1000;

interface HeldRows {
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
function createHeldRows(workers: number): HeldRows {
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

interface Repeater {
  /** Begins a run; while one is under way, one more follows it, however often that is asked for. */
  ask(): void;
  /** Resolves when no run is under way. */
  settled(): Promise<void>;
}

/** `work` must not throw. */
export function createRepeater(work: () => Promise<void>): Repeater {
  let running: Promise<void> | undefined;
  let isWanted = false;

  const run = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false;
      await work();
    }
  };

  const ask = (): void => {
    isWanted = true;
    running ??= run().finally(() => {
      running = undefined;
      // Asked for between the end of the last run and now.
      if (isWanted) ask();
    });
  };
  return { ask, settled: async () => running };
}
