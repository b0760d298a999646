/** The settings of all connections to PostgreSQL, and how processes see by them which of the others are alive. */
import { Socket } from 'node:net';

/**
 * How long connecting may take, in ms, before a query fails instead of delaying its request. Connecting takes four round trips; a server
 * that is far away or overloaded is still of use.
 */
export const CONNECT_WITHIN_MS = 10_000;
/** How long an idle transaction lives, in ms: a process that is stopped in the middle of one must not keep its locks. */
const IDLE_TRANSACTION_MS = 10_000;
/**
 * How long the server keeps a connection without a statement, in ms, before it ends it and releases its locks. The operating system keeps
 * answering keepalives for a process that hangs, or for a proxy that lost its other half. Living processes are never silent nearly as long.
 */
export const SILENT_FOR_MS = 15_000;
/** The settings of every connection. */
const SETTINGS = {
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
  idle_session_timeout: SILENT_FOR_MS,
};

const NAME = 'lotsawa';

/**
 * The statement that applies these settings to an open connection of a process, and names it after that: pgbouncer refuses connections that
 * bring settings along. It skips settings that an old server does not know.
 */
export function settingsOf(process: number, more: Readonly<Record<string, number>> = {}): string {
  const all = { ...SETTINGS, ...more, application_name: `${NAME} ${process}` };
  const wanted = Object.entries(all).map(([name, value]) => `('${name}', '${value}')`);
  return `
    select set_config(name, value, false) from pg_settings
    join (values ${wanted.join(', ')}) as wanted (name, value) using (name)`;
}

/** A query for the numbers (`process`) of all processes that have a connection. */
export const LIVING_PROCESSES = `
  select substring(application_name from '^${NAME} ([0-9]+)$')::bigint as process from pg_stat_activity
  where datname = current_database() and application_name ~ '^${NAME} [0-9]+$'`;

/**
 * How long a connection may go without a byte, in ms, before it is closed together with the query that waits: the network has swallowed it.
 * pg's `query_timeout` gives up only the query, and would reuse the connection.
 */
const SILENCE_MS = 15_000;

/** Makes a socket that closes when nothing has come for `SILENCE_MS`. */
export function socketWithTimeout(): Socket {
  const socket = new Socket();
  return socket.setTimeout(SILENCE_MS, () => socket.destroy());
}
