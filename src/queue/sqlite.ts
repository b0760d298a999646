/** The queue of a single process: rows in SQLite for what must survive, lanes in memory for the order of work. */
import type { Kysely } from 'kysely';
import { orLedgerFailure } from '../store/ledger-failure.ts';
import type { Schema } from '../store/schema.ts';
import { createAttempt, toJob, type UpdateJob } from './attempt.ts';
import { createGroupCommit } from './group-commit.ts';
import { Lanes } from './lanes.ts';
import { ALBUM_PAUSE_MS, type Queue, type QueuedUpdate, type QueueOptions } from './queue.ts';
import { createQueueRows, type QueueRow } from './sqlite-rows.ts';

/** A durable queue on the bot's SQLite database. Rows left by an earlier process are handled first, in their order. */
export function createSqliteQueue(database: Kysely<Schema>, options: QueueOptions): Queue {
  const groupCommit = createGroupCommit(database);
  const rows = createQueueRows(database, (write) => orLedgerFailure(() => groupCommit(write)));
  const aborter = new AbortController();
  const underWay = new Set<string>();
  let attempt: ReturnType<typeof createAttempt<UpdateJob>> | undefined;

  const lanes = new Lanes<UpdateJob>(options.workers, async (job) => {
    const again = await attempt?.(job);
    if (again === undefined) for (const { once } of job.rows) if (once !== undefined) underWay.delete(once);
    return again;
  });

  const enqueue = (row: QueueRow): void => {
    const { lane, album } = row;
    const begun =
      album === undefined ? undefined : lanes.findWaiting(lane, (job) => job.rows[0]?.album === album);
    const dueAt = album === undefined ? 0 : Date.now() + ALBUM_PAUSE_MS;
    if (begun === undefined) lanes.add(toJob([row], dueAt));
    else lanes.replace(begun, toJob([...begun.rows, row], dueAt));
  };

  /** One of several presses that came as one is enough; the others are not even written. */
  const isFirst = ({ once }: QueuedUpdate): boolean => {
    if (once === undefined) return true;
    if (underWay.has(once)) return false;
    underWay.add(once);
    return true;
  };

  return {
    push: async (updates) => {
      const wanted = updates.filter(isFirst);
      if (wanted.length === 0) return;
      try {
        const added = await rows.add(wanted);
        if (attempt !== undefined) added.forEach(enqueue);
      } catch (error) {
        for (const { once } of wanted) if (once !== undefined) underWay.delete(once);
        throw error;
      }
    },

    start: async (handler) => {
      attempt = createAttempt({ ...options, rows, handler, signal: aborter.signal });
      for (const row of await rows.waiting()) {
        if (row.once !== undefined) underWay.add(row.once);
        enqueue(row);
      }
    },

    stop: async (graceMs) => {
      const timer = setTimeout(() => aborter.abort(), graceMs);
      await lanes.close();
      clearTimeout(timer);
    },

    depth: async () => lanes.depth,
    listSetAside: () => rows.listSetAside(),
    retrySetAside: (id) => rows.retrySetAside(id),
    dropSetAside: (id) => rows.dropSetAside(id),
  };
}
