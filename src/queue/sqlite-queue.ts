/** The queue of a single process: rows in SQLite for what must survive, lanes in memory for the order of work. */
import type { Kysely } from 'kysely';
import type { Schema } from '../store/schema.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';
import { orDatabaseFailure } from '../store/trouble.ts';
import { createArrivals, createGroupCommit } from './arrivals.ts';
import { createAttempt } from './attempt.ts';
import { Lanes, toJob, type UpdateJob } from './lanes.ts';
import {
  ALBUM_PAUSE_MS,
  MOST_WAITING,
  type Queue,
  type QueuedUpdate,
  QueueIsFull,
  type QueueOptions,
} from './queue.ts';
import { createDeadLetters, createQueueRows, type QueueRow, type Write } from './queue-rows.ts';

/** How often it is looked whether another chance was asked for (`npm run queue retry`), in ms. */
const RETRIES_EVERY_MS = 2000;

/** Updates kept in memory while they wait; of those behind them only the place in line is. */
const MOST_BODIES = 500;

/**
 * A durable queue on the bot's SQLite database. Rows left by an earlier process are handled first, in their order. What is noted
 * of the work goes by way of `soon`: lost to a power cut, it is at worst an answer that comes twice. So do updates; they are
 * handled while `flushed` brings them onto the disk, for which `push` waits: until then Telegram has them, too.
 */
export function createSqliteQueue(
  { sql: database, soon, now, flushed }: Pick<SqliteDatabase, 'sql' | 'soon' | 'now' | 'flushed'>,
  options: QueueOptions,
): Queue {
  const committing = (to: Kysely<Schema>) => {
    const groupCommit = createGroupCommit(to);
    return (write: Write) => orDatabaseFailure(() => groupCommit(write));
  };
  const commitSoon = committing(soon);
  const takeIn = createArrivals(now);
  const rows = createQueueRows(database, { commit: committing(database), commitSoon, now });
  const { takeRetried, ...deadLetters } = createDeadLetters(database);
  const aborter = new AbortController();
  const underWay = new Set<string>();
  let retries: NodeJS.Timeout | undefined;
  /** Whether what lies on disk has its place in the lanes; until then nothing new gets one. */
  let isInLine = false;
  let inLine: Promise<void> | undefined;
  const beingWritten = new Set<Promise<void>>();
  let attempt: ReturnType<typeof createAttempt<UpdateJob>> | undefined;

  const lanes = new Lanes<UpdateJob>(options.workers, async (job) => {
    const again = await attempt?.(job);
    if (again === undefined) for (const { once } of job.rows) if (once !== undefined) underWay.delete(once);
    return again;
  });

  const enqueue = (added: QueueRow): void => {
    const row = lanes.depth < MOST_BODIES ? added : { ...added, body: undefined };
    const { lane, album } = row;
    const begun =
      album === undefined ? undefined : lanes.findWaiting(lane, (job) => job.rows[0]?.album === album);
    const dueAt = album === undefined ? 0 : performance.now() + ALBUM_PAUSE_MS;
    if (begun === undefined) lanes.add(toJob([row], dueAt));
    else lanes.replace(begun, toJob([...begun.rows, row], dueAt));
  };

  const resume = (row: QueueRow): void => {
    if (row.once !== undefined) underWay.add(row.once);
    enqueue(row);
  };

  /** Puts in line all that lies on disk; what comes meanwhile waits, and stands behind it. */
  const fillLanes = async (): Promise<void> => {
    await Promise.allSettled(beingWritten);
    for (const row of await rows.waiting()) resume(row);
    isInLine = true;
  };

  /** Of several callback queries with the same `once` one is enough; the others are not even written. */
  const isFirst = ({ once }: QueuedUpdate): boolean => {
    if (once === undefined) return true;
    if (underWay.has(once)) return false;
    underWay.add(once);
    return true;
  };

  return {
    push: async (updates) => {
      if (!isInLine && inLine !== undefined) await inLine;
      if (lanes.depth + updates.length > MOST_WAITING) throw new QueueIsFull('too many updates wait');
      const wanted = updates.filter(isFirst);
      if (wanted.length === 0) return;
      let added: QueueRow[] = [];
      try {
        const next = new Map(wanted.toReversed().map((update) => [update.lane, update]));
        const isBegunAtOnce = (update: QueuedUpdate): boolean =>
          isInLine &&
          update.album === undefined &&
          next.get(update.lane) === update &&
          lanes.isIdle(update.lane);
        const written = commitSoon(async (transaction) => {
          added = await takeIn(transaction, wanted, isBegunAtOnce);
        });
        beingWritten.add(written);
        await written.finally(() => beingWritten.delete(written));
        if (isInLine) added.forEach(enqueue);
        await orDatabaseFailure(flushed);
      } finally {
        // What was not taken in, or was received before, is not under way.
        const taken = new Set(added.map(({ once }) => once));
        for (const { once } of wanted) if (once !== undefined && !taken.has(once)) underWay.delete(once);
      }
    },

    start: async (handler) => {
      attempt = createAttempt({ ...options, rows, handler, signal: () => aborter.signal });
      inLine = fillLanes();
      await inLine;
      retries = setInterval(
        () => takeRetried().then((retried) => retried.forEach(resume), options.onFailure),
        RETRIES_EVERY_MS,
      );
    },

    stop: async (graceMs) => {
      clearInterval(retries);
      const timer = setTimeout(() => aborter.abort(), graceMs);
      await lanes.close();
      clearTimeout(timer);
    },

    // There is nobody to take anything over.
    giveUpIfSlept: () => {},
    unbegun: undefined,
    depth: async () => lanes.depth,
    ...deadLetters,
  };
}
