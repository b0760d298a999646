/** pg-boss as the carrier of the queue: a job for every row that waits or runs, one key per lane, strictly in order. */
import type { Transaction } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Log } from '../log.ts';
import type { PostgresDatabase } from '../store/postgres/postgres.ts';
import type { Schema } from '../store/schema.ts';

/** Jobs by the ids of their rows. */
export interface QueueJobs {
  add(transaction: Transaction<Schema>, rows: readonly { id: number; lane: string }[]): Promise<void>;
  /** Takes up to `limit` jobs whose turn has come: one of a lane at most, and none of a lane that has one taken. */
  take(transaction: Transaction<Schema>, limit: number): Promise<number[]>;
  /** Puts jobs that were taken back to the head of their lanes. */
  giveBack(transaction: Transaction<Schema>, ids: readonly number[]): Promise<void>;
  /** Lets the lanes go on without these. */
  remove(transaction: Transaction<Schema>, ids: readonly number[]): Promise<void>;
  /** Calls the one listener whenever there may be a job to take. */
  onArrival(listener: () => void): void;
  /** Says that these are still worked on. */
  touch(ids: readonly number[]): Promise<void>;
  /** Gives back what nobody has touched for `HEARTBEAT_MS`, whoever has taken it. */
  supervise(): Promise<void>;
  close(): Promise<void>;
}

const QUEUE = 'updates';
const HEARTBEAT_S = 30;
/** For a process that hangs while its connections stand; one that died is found out much sooner (postgres-queue.ts). */
export const HEARTBEAT_MS = HEARTBEAT_S * 1000;
/** The most that pg-boss allows: work may wait long for Telegram to come back. */
const EXPIRE_S = 24 * 60 * 60;
/** No job may end as failed for being given back often: it would close its lane. Strikes are ours to count. */
const UNLIMITED = 1_000_000_000;
const INSTALL_WITHIN_MS = 60_000;

/** Starts pg-boss on the bot's connections, creating what it needs; safe when several processes do so together. */
export async function openQueueJobs({ pool, session }: PostgresDatabase, log: Log): Promise<QueueJobs> {
  let onArrival = (): void => {};
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) => pool.query(text, values),
      listen: async (channel, onNotification, onReconnect) => ({
        close: await session.listen(channel, {
          onNotification: (payload) => {
            onNotification(payload);
            onArrival();
          },
          onReconnect: () => {
            onReconnect();
            onArrival();
          },
        }),
      }),
    },
    useListenNotify: true,
    schedule: false,
    // Not by itself: after the database was away, all would seem to have gone silent (upkeep.ts).
    supervise: false,
    monitorIntervalSeconds: HEARTBEAT_S / 3,
  });
  boss.on('error', (told) => log.warn({ error: asError(told) }, 'pg-boss failed'));
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'pg-boss warns'));
  // pg-boss's own installation fails where two begin it at the same moment.
  const lock = await session.lock('lotsawa installs pg-boss', AbortSignal.timeout(INSTALL_WITHIN_MS));
  try {
    await boss.start();
    await boss.createQueue(QUEUE, {
      policy: 'key_strict_fifo',
      notify: true,
      heartbeatSeconds: HEARTBEAT_S,
      expireInSeconds: EXPIRE_S,
      retryLimit: UNLIMITED,
      retryDelay: 0,
    });
  } catch (error) {
    // Another one begins anew.
    await boss.stop({ close: false, graceful: false }).catch(() => {});
    throw error;
  } finally {
    await lock.release();
  }

  return {
    onArrival: (listener) => {
      onArrival = listener;
    },
    add: async (transaction, rows) => {
      const jobs = rows.map(({ id, lane }) => ({ id: toJobId(id), singletonKey: lane }));
      await boss.insert(QUEUE, jobs, { db: fromKysely(transaction) });
    },
    take: async (transaction, limit) => {
      const jobs = await boss.fetch(QUEUE, { batchSize: limit, db: fromKysely(transaction) });
      return jobs.map(({ id }) => toRowId(id));
    },
    giveBack: async (transaction, ids) => {
      // To fail is pg-boss's way to give back; without a delay the job is at once the first of its lane.
      await boss.fail(QUEUE, ids.map(toJobId), null, { db: fromKysely(transaction) });
    },
    remove: async (transaction, ids) => {
      await boss.deleteJob(QUEUE, ids.map(toJobId), { db: fromKysely(transaction) });
    },
    touch: async (ids) => {
      if (ids.length > 0) await boss.touch(QUEUE, ids.map(toJobId));
    },
    supervise: () => boss.supervise(QUEUE),
    close: () => boss.stop({ close: false, graceful: false }),
  };
}

/** pg-boss reports some errors as a plain copy of their fields, which the log would not know for an error. */
export function asError(told: { readonly message: string }): Error {
  return told instanceof Error ? told : Object.assign(new Error(told.message), told);
}

/** The row's number as a UUID of the version that is free to use, so that jobs created at the same moment sort as their rows do. */
function toJobId(rowId: number): string {
  return `00000000-0000-8000-8000-${rowId.toString(16).padStart(12, '0')}`;
}

function toRowId(jobId: string): number {
  return Number.parseInt(jobId.slice(-12), 16);
}
