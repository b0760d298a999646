/** The queue of any number of processes: rows and pg-boss's jobs in PostgreSQL; each process works on what it has taken. */
import type { Log } from '../log.ts';
import type { PostgresDatabase } from '../store/postgres/postgres.ts';
import { SILENT_FOR_MS } from '../store/postgres/postgres-connection.ts';
import { onceInReach } from '../store/postgres/postgres-reach.ts';
import { createBacklog } from './backlog.ts';
import { createDeathWatch } from './death-watch.ts';
import { openQueueJobs } from './postgres-jobs.ts';
import { createPostgresRows } from './postgres-rows.ts';
import { MOST_WAITING, type Queue, type QueueOptions } from './queue.ts';
import { watchSleep } from './sleep-watch.ts';
import { createTakenWork, type TakenWork } from './taken-work.ts';
import { keepUp } from './upkeep.ts';

/**
 * A durable queue on the bot's PostgreSQL database, shared with whatever other processes open it. A server that is out of reach is
 * waited for until `signal` aborts: then its reason is thrown.
 */
export async function openPostgresQueue(
  database: PostgresDatabase,
  options: QueueOptions & { readonly log: Log },
  signal?: AbortSignal,
): Promise<Queue> {
  const { log } = options;
  const onWaiting = (error: unknown) => log.warn({ error }, 'the database cannot be reached yet');
  const jobs = await onceInReach(() => openQueueJobs(database, log), onWaiting, signal);
  const rows = createPostgresRows(database, jobs);
  const backlog = createBacklog({ count: rows.depth, most: MOST_WAITING });
  const stopping = new AbortController();
  let work: TakenWork | undefined;
  let upkeep: Promise<void> = Promise.resolve();
  let endWatch = (): void => {};

  return {
    push: async (updates) => {
      await backlog.admit(updates.length);
      await rows.add(updates);
    },
    start: async (handler) => {
      const started = createTakenWork({ database, rows, options, handler });
      const { take, held, giveUp } = started;
      work = started;
      jobs.onArrival(take);
      // Whoever was not seen for so long counts as dead.
      endWatch = watchSleep(SILENT_FOR_MS, () => {
        log.warn('this process did not run for a while: its work is left to whoever has taken it over');
        giveUp();
      });
      const deathWatch = createDeathWatch(database.sql);
      upkeep = keepUp({ rows, jobs, deathWatch, log, held, onLook: take }, stopping.signal);
    },
    stop: async (graceMs) => {
      stopping.abort();
      await Promise.all([work?.stop(graceMs), upkeep]);
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
