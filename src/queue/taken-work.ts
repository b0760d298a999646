/** The work that one process has taken from the shared queue: takes rows, runs them in lanes, or gives them up. */
import type { PostgresDatabase } from '../store/postgres/postgres.ts';
import { createAttempt, toJob, type UpdateJob } from './attempt.ts';
import { Lanes } from './lanes.ts';
import type { PostgresRows } from './postgres-rows.ts';
import { ALBUM_PAUSE_MS, type QueueHandler, type QueueOptions } from './queue.ts';
import { type QueueRow, TakenOver } from './queue-rows.ts';

export interface TakenWork {
  /** Takes as many rows as there are free workers, now or after the running take. */
  take(): void;
  /** The same after a moment that grows with the work that runs here, so that idle processes come first. */
  takeUnlessBusy(): void;
  /** Gives up running work, which others are about to do, and pay for, again; later work runs as usual. */
  giveUp(): void;
  /** Takes nothing more, waits up to `graceMs` for running work, then aborts it. Resolves when nothing runs. */
  stop(graceMs: number): Promise<void>;
}

interface TakenJob extends UpdateJob {
  /** The row by which it was taken; the first of an album. */
  readonly taken: QueueRow;
}

/** Creates it with nothing taken yet. */
export function createTakenWork(
  { session }: Pick<PostgresDatabase, 'session'>,
  rows: PostgresRows,
  options: QueueOptions,
  handler: QueueHandler,
): TakenWork {
  /** The rows that this process has, by id. */
  const held = new Set<number>();
  /** Those of them that wait for their time, and need no worker. */
  const resting = new Set<number>();
  /** Those of them that run now. */
  const running = new Set<number>();
  /** How many more rows have a free worker. */
  const room = (): number =>
    Math.max(0, Math.min(options.workers - (held.size - resting.size), MOST_HELD - held.size));
  /** Aborts running work; replaced when that is given up and other work begins. */
  let aborter = new AbortController();
  let isStopping = false;
  /** Work was given up that nobody may have taken over yet. */
  let isGivenUp = false;

  const attempt = createAttempt<TakenJob>({ ...options, rows, handler, signal: () => aborter.signal });

  /**
   * Completes an album with all its parts, due when none has come for a while; other jobs stay as they are. Undefined if another process has
   * taken the album over and is done with it.
   */
  const gathered = async (job: TakenJob): Promise<TakenJob | undefined> => {
    if (job.taken.album === undefined || job.failures > 0) return job;
    try {
      const { rows: parts, quietMs } = await rows.albumParts(job.taken);
      if (parts.length === 0) return undefined;
      return { ...toJob(parts, performance.now() + ALBUM_PAUSE_MS - quietMs), taken: job.taken };
    } catch (error) {
      options.onFailure(error);
      return { ...job, dueAt: performance.now() + ALBUM_PAUSE_MS };
    }
  };

  /** Gives back what does not run here, so that others need not wait until this process has ended. */
  const letGo = (): Promise<void> => rows.giveBack([session.process], running).catch(options.onFailure);

  const lanes = new Lanes<TakenJob>(options.workers, async (job) => {
    const { id } = job.taken;
    const { signal } = aborter;
    resting.delete(id);
    running.add(id);
    const ready = await gathered(job);
    const again = ready === undefined || ready.dueAt > performance.now() ? ready : await attempt(ready);
    running.delete(id);
    if (again === undefined) held.delete(id);
    else resting.add(id);
    // If nobody has taken it over, it is given back.
    if (signal.reason instanceof TakenOver) isGivenUp = true;
    if (isStopping) await letGo();
    else taking.ask();
    return again;
  });

  const takeFree = async (): Promise<QueueRow[]> => {
    if (isGivenUp) {
      // First of all, since more may be given up meanwhile.
      isGivenUp = false;
      await rows.giveBack([session.process], held).catch((error: unknown) => {
        isGivenUp = true;
        throw error;
      });
    }
    const most = room();
    return most > 0 ? await rows.take(most) : [];
  };

  const taking = createRepeater(async () => {
    if (isStopping) return;
    // On a failure, the upkeep will look again.
    const taken = await takeFree().catch(() => []);
    if (isStopping) {
      // Nothing begins any more: what `take` has struck in advance is not to blame.
      if (taken.length > 0) await rows.strike(taken, 0).catch(options.onFailure);
      return;
    }
    for (const row of taken) {
      held.add(row.id);
      lanes.add({ ...toJob([row], 0), taken: row });
    }
  });

  let moment: NodeJS.Timeout | undefined;

  return {
    take: taking.ask,
    takeUnlessBusy: () => {
      if (room() === 0) return;
      moment ??= setTimeout(
        () => {
          moment = undefined;
          taking.ask();
        },
        held.size + Math.random() * SPREAD_MS,
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
      await Promise.all([lanes.close(), taking.settled().then(letGo)]);
      clearTimeout(timer);
    },
  };
}

/** In ms: spreads processes that are notified of the same row at the same moment. */
const SPREAD_MS = 3;

/** Rows that wait for a retry or for the rest of an album need memory, though no worker; beyond this number rows stay in the database. */
const MOST_HELD = 1000;

interface Repeater {
  /** Begins a run; during a run, any number of calls cause one more. */
  ask(): void;
  /** Resolves when no run is active. */
  settled(): Promise<void>;
}

/** Makes a repeater of `work`, which must not throw. */
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
      // `ask` was called between the end of the last run and now.
      if (isWanted) ask();
    });
  };
  return { ask, settled: async () => running };
}
