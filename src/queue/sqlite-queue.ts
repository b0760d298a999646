/** The queue for a single process: rows in SQLite for what must survive, lanes in memory for the order of work. */
import type { Kysely } from 'kysely';
import { orDatabaseFailure } from '../store/database-errors.ts';
import type { Schema } from '../store/schema.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';
import { createAttempt, toJob, type UpdateJob } from './attempt.ts';
import { Lanes } from './lanes.ts';
import {
  ALBUM_PAUSE_MS,
  MOST_WAITING,
  type Queue,
  type QueuedUpdate,
  QueueIsFull,
  type QueueOptions,
} from './queue.ts';
import { createDeadLetters, createQueueRows, type QueueRow, takeIn, type Write } from './queue-rows.ts';

/** How often to look for dead letters to retry (`npm run queue retry`), in ms. */
const RETRIES_EVERY_MS = 2000;

/** How many waiting updates are kept in memory; for those behind them, only their place in line is. */
const MOST_BODIES = 500;

/**
 * Creates a durable queue on SQLite. Rows left by an earlier process come first, in their order. Notes on running work go through `soon`:
 * losing one in a power cut at worst repeats an answer. So do new updates: they are handled while `flushed` brings them to disk. `push`
 * waits for that, and until then Telegram has them, too.
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
  const rows = createQueueRows(database, { commit: committing(database), commitSoon, now });
  const { takeRetried, ...deadLetters } = createDeadLetters(database);
  const aborter = new AbortController();
  const underWay = new Set<string>();
  let retries: NodeJS.Timeout | undefined;
  /** Whether all rows on disk have their place in the lanes; before that, new ones get none. */
  let isInLine = false;
  let inLine: Promise<void> | undefined;
  const takenIn = new WeakSet<QueuedUpdate>();
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
    // One that waits to be tried again stays as it is: its answers are about the parts that it has.
    const isBegun = (job: UpdateJob): boolean => job.failures === 0 && job.rows[0]?.album === album;
    const begun = album === undefined ? undefined : lanes.findWaiting(lane, isBegun);
    const dueAt = album === undefined ? 0 : performance.now() + ALBUM_PAUSE_MS;
    if (begun === undefined) lanes.add(toJob([row], dueAt));
    else lanes.replace(begun, toJob([...begun.rows, row], dueAt));
  };

  const resume = (row: QueueRow): void => {
    if (row.once !== undefined) underWay.add(row.once);
    enqueue(row);
  };

  /** Puts all rows on disk into the lanes; what comes meanwhile waits, and goes behind them. */
  const fillLanes = async (): Promise<void> => {
    await Promise.allSettled(beingWritten);
    for (const row of await rows.waiting()) resume(row);
    isInLine = true;
  };

  /** One of several callback queries with the same `once` is enough; the others are not even written. */
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
          added = await takeIn(transaction, wanted, now(), isBegunAtOnce);
        });
        beingWritten.add(written);
        await written.finally(() => beingWritten.delete(written));
        const ids = new Set(added.map(({ updateId }) => updateId));
        for (const update of wanted) if (ids.has(update.updateId)) takenIn.add(update);
        if (isInLine) added.forEach(enqueue);
        await orDatabaseFailure(flushed);
      } finally {
        // Updates that were not taken in, or were received before, are not under way.
        const taken = new Set(added.map(({ once }) => once));
        for (const { once } of wanted) if (once !== undefined && !taken.has(once)) underWay.delete(once);
      }
    },

    isTakenIn: (update) => takenIn.has(update),

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

    // No other process could take work over.
    giveUpIfSlept: () => {},
    unbegun: undefined,
    depth: async () => lanes.depth,
    ...deadLetters,
  };
}

interface Waiting {
  readonly write: Write;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Groups writes into transactions: the first write of each turn of the event loop commits at once, since its person waits for nothing else,
 * and the others of that turn together. Throws the error of their transaction.
 */
function createGroupCommit(database: Kysely<Schema>): (write: Write) => Promise<void> {
  let waiting: Waiting[] = [];
  let isFirst = true;

  const commit = async (): Promise<void> => {
    const group = waiting;
    waiting = [];
    try {
      await database.transaction().execute(async (transaction) => {
        for (const { write } of group) await write(transaction);
      });
      for (const { resolve } of group) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  const endTurn = (): void => {
    isFirst = true;
    if (waiting.length > 0) void commit();
  };

  return (write) =>
    new Promise((resolve, reject) => {
      waiting.push({ write, resolve, reject });
      if (!isFirst) return;
      isFirst = false;
      setImmediate(endTurn);
      void commit();
    });
}
