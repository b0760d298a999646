/** The queue of a single process: rows in SQLite for what must survive, lanes in memory for the order of work. */
import type { Kysely } from 'kysely';
import { orLedgerFailure } from '../store/ledger-failure.ts';
import type { Schema } from '../store/schema.ts';
import { createGroupCommit } from './group-commit.ts';
import { type Job, Lanes } from './lanes.ts';
import {
  ALBUM_PAUSE_MS,
  MAX_STRIKES,
  type Queue,
  type QueuedUpdate,
  type QueueHandler,
  type QueueOptions,
  retryWaitMs,
  STRIKES,
} from './queue.ts';
import { createQueueRows, type QueueRow } from './sqlite-rows.ts';

interface UpdateJob extends Job {
  /** The rows of the update, or of all parts of an album. */
  readonly rows: readonly QueueRow[];
  /** In a row, in this process. */
  readonly failures: number;
}

/** From this many strikes on work runs alone, so that its next crash takes no bystander down with it. */
const ALONE_FROM_STRIKES = MAX_STRIKES / 2;

/** A durable queue on the bot's SQLite database. Rows left by an earlier process are handled first, in their order. */
export function createSqliteQueue(database: Kysely<Schema>, options: QueueOptions): Queue {
  const groupCommit = createGroupCommit(database);
  const rows = createQueueRows(database, (write) => orLedgerFailure(() => groupCommit(write)));
  const aborter = new AbortController();
  const underWay = new Set<string>();
  let handler: QueueHandler | undefined;

  const lanes = new Lanes<UpdateJob>(options.workers, async (job) => {
    const again = await attempt(job);
    if (again === undefined) for (const { once } of job.rows) if (once !== undefined) underWay.delete(once);
    return again;
  });

  /** Gives the job back if it is to be tried again. */
  const attempt = async (job: UpdateJob): Promise<UpdateJob | undefined> => {
    try {
      // Written before the work is begun: should the process die of it without a word, this is what is left to tell.
      const begun = await rows.strike(job.rows, STRIKES.silentDeath);
      const confirmed = [...(job.rows[0]?.confirmed ?? [])];
      await handler?.({
        bodies: job.rows.map(({ body }) => body),
        signal: aborter.signal,
        answers: {
          confirmed: [...confirmed],
          confirm: async (messageId) => {
            confirmed.push(messageId);
            await rows.confirm(begun, confirmed);
          },
        },
      });
      if (aborter.signal.aborted) throw aborter.signal.reason;
      await rows.remove(begun);
      return undefined;
    } catch (error) {
      return afterFailure(job, error);
    }
  };

  const afterFailure = async (job: UpdateJob, error: unknown): Promise<UpdateJob | undefined> => {
    const isStopped = aborter.signal.aborted;
    if (!isStopped) options.onFailure(error);
    const isBlameless = isStopped || options.isOutage(error);
    const failures = job.failures + 1;
    const later = { ...job, failures, dueAt: Date.now() + retryWaitMs(failures) };
    try {
      const struck = await rows.strike(job.rows, isBlameless ? 0 : STRIKES.error);
      if (isStopped) return undefined;
      if (strikesOf(struck) < MAX_STRIKES) return { ...later, rows: await rows.reload(struck) };
      await giveUp(struck, error instanceof Error ? error.name : 'an unforeseen error');
      return undefined;
    } catch (writeError) {
      // The database is out of reach: the rows are as they were, and so is the job.
      options.onFailure(writeError);
      return isStopped ? undefined : later;
    }
  };

  const giveUp = async (struck: readonly QueueRow[], reason: string): Promise<void> => {
    await rows.setAside(struck, reason);
    options.onSetAside(
      struck.map(({ body }) => body),
      reason,
    );
  };

  const toJob = (jobRows: readonly QueueRow[], dueAt: number): UpdateJob => ({
    lane: jobRows[0]?.lane ?? '',
    rows: jobRows,
    dueAt,
    alone: strikesOf(jobRows) >= ALONE_FROM_STRIKES,
    failures: 0,
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
        if (handler !== undefined) added.forEach(enqueue);
      } catch (error) {
        for (const { once } of wanted) if (once !== undefined) underWay.delete(once);
        throw error;
      }
    },

    start: async (theHandler) => {
      handler = theHandler;
      for (const row of await rows.waiting()) {
        if (row.strikes >= MAX_STRIKES) {
          await giveUp([row], 'the process died of it');
          continue;
        }
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

function strikesOf(rows: readonly QueueRow[]): number {
  return Math.max(0, ...rows.map(({ strikes }) => strikes));
}
