/**
 * How long a step of the store holds others up: on SQLite a statement runs in the process's own thread, which nothing else has meanwhile; on a
 * server it is the longest statement that counts. By the clock, and in CPU time, which other work on the machine does not lengthen.
 */
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, Kysely as OnPool, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import type { Schema } from '../../src/store/schema.ts';
import { threadCpuClock } from '../inside/thread-cpu-clock.ts';

export interface Held {
  /** The longest hold, in ms. */
  readonly wallMs: number;
  readonly cpuMs: number;
  /** All of the step, in s by the clock. */
  readonly seconds: number;
}

/** Of this thread, while `work` runs: from one turn of the event loop to the next. */
export async function holdsOfThread(work: () => Promise<unknown>): Promise<Held> {
  const cpu = threadCpuClock();
  let isOver = false;
  let longest = { wallMs: 0, cpuMs: 0 };
  const watch = async (): Promise<void> => {
    while (!isOver) {
      const before = { cpu: cpu(), wall: performance.now() };
      await turn();
      longest = {
        wallMs: Math.max(longest.wallMs, performance.now() - before.wall),
        cpuMs: Math.max(longest.cpuMs, cpu() - before.cpu),
      };
    }
  };
  const watching = watch();
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  isOver = true;
  await watching;
  return { ...longest, seconds };
}

/** Of a server on this machine, by a connection that has one statement after another. */
export interface WatchedConnection {
  readonly sql: Kysely<Schema>;
  /** The longest of the statements that `work` asks by `sql`. */
  holds(work: () => Promise<unknown>): Promise<Held>;
  close(): Promise<void>;
}

export async function watchConnection(url: string): Promise<WatchedConnection> {
  const pool = new Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  // A server that ends before the connection does.
  pool.on('error', () => {});
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const pid = rows[0]?.pid ?? 0;
  let longest = { wallMs: 0, cpuMs: 0 };
  let cpuBefore = 0;
  const sql = new OnPool<Schema>({
    dialect: new PostgresDialect({ pool }),
    log: ({ queryDurationMillis }) => {
      const now = cpuOf(pid);
      longest = {
        wallMs: Math.max(longest.wallMs, queryDurationMillis),
        cpuMs: Math.max(longest.cpuMs, now - cpuBefore),
      };
      cpuBefore = now;
    },
  });
  return {
    sql,
    holds: async (work) => {
      longest = { wallMs: 0, cpuMs: 0 };
      cpuBefore = cpuOf(pid);
      const startedAt = performance.now();
      await work();
      return { ...longest, seconds: (performance.now() - startedAt) / 1000 };
    },
    close: () => sql.destroy(),
  };
}

/** CPU time of a process so far, in ms (`/proc/PID/schedstat`, exact when it has just begun to wait). */
function cpuOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}
