/** How the processes that share a PostgreSQL database see one another: by a number, as long as a connection of theirs stands. */

/** The first half of the advisory locks that stand for processes; the second is the process's number. */
export const PROCESS_LOCKS = 0x10757a;

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
