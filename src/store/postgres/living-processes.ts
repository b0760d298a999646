/** How processes that share a PostgreSQL database know of one another: each is alive as long as one of its connections stands. */
import type { Connection } from './postgres-connection.ts';

/** The first half of the advisory lock that stands for a process; the second half is the process's number. */
const PROCESS_LOCKS = 0x10757a;

const NAME = 'lotsawa';

/** The name that a process gives its working connections. */
export function connectionName(process: number): string {
  return `${NAME} ${process}`;
}

/**
 * A query for the numbers (`process`) of all living processes. Each holds a lock over one connection. Its other connections show it, too,
 * while that one is lost and cannot come back, as when the server refuses more connections.
 */
export const LIVING_PROCESSES = `
  select objid::bigint as process from pg_locks
  where locktype = 'advisory' and classid = ${PROCESS_LOCKS} and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())
  union
  select substring(application_name from '^${NAME} ([0-9]+)$')::bigint from pg_stat_activity
  where datname = current_database() and application_name ~ '^${NAME} [0-9]+$'`;

/**
 * Makes a function that shows this process as living for as long as the connection stands. Call it now and then: after a reconnection the
 * server may still hold the lock for the connection that was lost.
 */
export function createSignOfLife(
  connection: Pick<Connection, 'query'>,
  process: number,
): () => Promise<void> {
  let isSeen = false;
  return async () => {
    if (isSeen) return;
    const lock = 'select pg_try_advisory_lock($1, $2) as locked';
    const [row] = await connection.query(lock, [PROCESS_LOCKS, process]);
    isSeen = row?.locked === true;
  };
}
