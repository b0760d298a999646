/** How the processes that share a PostgreSQL database see one another: by a number, as long as a connection of theirs stands. */
import type { Connection } from './postgres-connection.ts';

/** The first half of the advisory locks that stand for processes; the second is the process's number. */
const PROCESS_LOCKS = 0x10757a;

const NAME = 'lotsawa';

/** What a process calls the connections by which it works. */
export function connectionName(process: number): string {
  return `${NAME} ${process}`;
}

/**
 * A query for the numbers (`process`) of all that live: each holds a lock by one connection, and has others by which it is seen
 * where that one is lost and cannot come back, as while the server takes no more of them.
 */
export const LIVING_PROCESSES = `
  select objid::bigint as process from pg_locks
  where locktype = 'advisory' and classid = ${PROCESS_LOCKS} and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())
  union
  select substring(application_name from '^${NAME} ([0-9]+)$')::bigint from pg_stat_activity
  where datname = current_database() and application_name ~ '^${NAME} [0-9]+$'`;

/**
 * Makes a function by which others see, as long as this connection stands, that the process lives. To be called now and then: after a
 * reconnection the server may still keep the number with the connection that was lost.
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
