/** The queue of any number of processes: rows and pg-boss's jobs in PostgreSQL; each process works on what it has taken. */
import type { Log } from '../log.ts';
import type { PostgresDatabase } from '../store/postgres/postgres.ts';
import { SILENT_FOR_MS } from '../store/postgres/postgres-connection.ts';
import { onceInReach } from '../store/postgres/postgres-reach.ts';
import { createAttempt, TakenOver } from './attempt.ts';
import { createBacklog } from './backlog.ts';
import { createDeathWatch } from './death-watch.ts';
import { createHeldRows } from './held-rows.ts';
import { Lanes } from './lanes.ts';
import { openQueueJobs } from './postgres-jobs.ts';
import { createPostgresRows } from './postgres-rows.ts';
import { ALBUM_PAUSE_MS, MOST_WAITING, type Queue, type QueueHandler, type QueueOptions } from './queue.ts';
import type { QueueRow } from './queue-row.ts';
import { createRepeater } from './repeater.ts';
import { watchSleep } from './sleep-watch.ts';
import { toJob, type UpdateJob } from './update-job.ts';
import { keepUp } from './upkeep.ts';

interface TakenJob extends UpdateJob {
  /** The row by which it was taken: of an album, its first. */
  readonly taken: QueueRow;
}

/**
 * A durable queue on the bot's PostgreSQL database, shared with whatever other processes open it. A server that is out of reach is
 * waited for until `signal` aborts: then its reason is thrown.
 */
export async function openPostgresQueue(
  database: PostgresDatabase,
  options: QueueOptions & { readonly log: Log },
  signal?: AbortSignal,
): Promise<Queue> {
  const onWaiting = (error: unknown) => options.log.warn({ error }, 'the database cannot be reached yet');
  const jobs = await onceInReach(() => openQueueJobs(database, options.log), onWaiting, signal);
  const rows = createPostgresRows(database, jobs);
  const backlog = createBacklog({ count: rows.depth, most: MOST_WAITING });
  const stopping = new AbortController();
  /** Ends what runs; replaced by another when what runs is given up, and other work begins. */
  let aborter = new AbortController();
  const held = createHeldRows(options.workers);
  let upkeep: Promise<void> = Promise.resolve();

  const startLanes = (handler: QueueHandler) => {
    const attempt = createAttempt<TakenJob>({ ...options, rows, handler, signal: () => aborter.signal });
    return new Lanes<TakenJob>(options.workers, async (job) => {
      const { id } = job.taken;
      const { signal } = aborter;
      held.resume(id);
      const ready = await gathered(job);
      const again = ready.dueAt > performance.now() ? ready : await attempt(ready);
      if (again === undefined) held.drop(id);
      else held.rest(id);
      // Nobody may have taken it over: then it is given back.
      if (signal.reason instanceof TakenOver) isGivenUp = true;
      taking.ask();
      return again;
    });
  };

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

  let lanes: Lanes<TakenJob> | undefined;
  /** After work was given up that nobody has taken over yet. */
  let isGivenUp = false;

  const takeFree = async (): Promise<QueueRow[]> => {
    if (isGivenUp) await rows.giveBack([database.session.process], held.ids);
    isGivenUp = false;
    const room = held.room();
    return room > 0 ? await rows.take(room) : [];
  };

  /** Takes as much as there are workers for. */
  const taking = createRepeater(async () => {
    if (lanes === undefined || stopping.signal.aborted) return;
    // The upkeep notices a failure, too, and has it looked again.
    const taken = await takeFree().catch(() => []);
    if (stopping.signal.aborted) return;
    for (const row of taken) {
      held.take(row.id);
      lanes.add({ ...toJob([row], 0), taken: row });
    }
  });

  /** Whoever was not seen for so long counts as dead: others are about to do, and pay for, what ran here. */
  const giveUpWhatRuns = (): void => {
    options.log.warn('this process did not run for a while: its work is left to whoever has taken it over');
    const given = aborter;
    if (!stopping.signal.aborted) aborter = new AbortController();
    given.abort(new TakenOver('this process did not run for too long'));
  };

  let endWatch = (): void => {};
  return {
    push: async (updates) => {
      await backlog.admit(updates.length);
      await rows.add(updates);
    },
    start: async (handler) => {
      lanes = startLanes(handler);
      jobs.onArrival(taking.ask);
      endWatch = watchSleep(SILENT_FOR_MS, giveUpWhatRuns);
      const deathWatch = createDeathWatch(database.sql);
      upkeep = keepUp(
        { rows, jobs, deathWatch, log: options.log, held: () => [...held.ids], onLook: taking.ask },
        stopping.signal,
      );
    },
    stop: async (graceMs) => {
      stopping.abort();
      const timer = setTimeout(() => aborter.abort(), graceMs);
      await Promise.all([lanes?.close(), upkeep, taking.settled()]);
      clearTimeout(timer);
      endWatch();
      // What cannot be given back now is taken over once this process is gone.
      await rows.giveBack([database.session.process]).catch(options.onFailure);
      await jobs.close();
    },
    depth: () => rows.depth(),
    listSetAside: () => rows.listSetAside(),
    retrySetAside: (id) => rows.retrySetAside(id),
    dropSetAside: (id) => rows.dropSetAside(id),
  };
}
