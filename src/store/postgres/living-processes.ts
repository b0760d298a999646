/** How processes on one PostgreSQL server see which of them are alive. */

/** The first half of a process's advisory lock; the second half is its number. */
export const PROCESS_LOCKS = 0x10757a;

const NAME = 'lotsawa';

/** The name of a process's pooled connections. */
export function connectionName(process: number): string {
  return `${NAME} ${process}`;
}

/**
 * A query for the numbers (`process`) of all living processes. Each holds a lock over its session. Its other connections show it, too,
 * while that one is lost and cannot come back, as when the server refuses more connections.
 */
export const LIVING_PROCESSES = `
  select objid::bigint as process from pg_locks
  where locktype = 'advisory' and classid = ${PROCESS_LOCKS} and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())
  union
  select substring(application_name from '^${NAME} ([0-9]+)$')::bigint from pg_stat_activity
  where datname = current_database() and application_name ~ '^${NAME} [0-9]+$'`;

/** How long a process must be missing before it counts as dead, in ms: a living one that loses its connections is back within this time. */
export const DEAD_AFTER_MS = 3000;
