/** One connection to PostgreSQL with its own end: what is asked over it, and how it is known to be lost. */
import { Socket } from 'node:net';
import PQueue from 'p-queue';
import { Client, type Notification } from 'pg';

export interface Connection {
  /** Aborts when the connection is lost or given up. */
  readonly ended: AbortSignal;
  /** Asks one thing after another, as pg wants it; throws where no answer comes within `ANSWER_WITHIN_MS`. */
  query(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Has what is notified on this channel given to `onNotification`. */
  listen(channel: string): Promise<void>;
  /** Gives the connection up without waiting for the server. */
  drop(): void;
  /** Says goodbye to the server. */
  close(): Promise<void>;
}

/** How long an answer may take before the connection counts as lost, in ms. */
export const ANSWER_WITHIN_MS = 3000;
/**
 * While the server is away a query fails after this long, in ms, instead of holding its request up. To connect takes four times the
 * way there and back: one far away, or out of breath, is still of use.
 */
export const CONNECT_WITHIN_MS = 10_000;
/** A process that is stopped in the middle of a transaction holds what that has locked for so long, in ms, and not until it goes on. */
const IDLE_TRANSACTION_MS = 10_000;
/**
 * What hangs, or stands behind a proxy that lost its other half, keeps answering the system's keepalives: when the server hears
 * nothing else for so long, in ms, it ends the connection, and with it all locks. Many times as long as who lives is silent.
 */
export const SILENT_FOR_MS = 15_000;
/** The settings of every connection. By the keepalives the server finds out that a machine is gone: after 5 s, three 2 s apart. */
const SETTINGS = {
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
  idle_session_timeout: SILENT_FOR_MS,
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
};

/**
 * The statement that makes these settings, and those of every connection, once it is open: pgbouncer refuses a connection that
 * brings them along. A setting that the server is too old to know is left out.
 */
export function settingsOf(more: Readonly<Record<string, number>> = {}): string {
  const wanted = Object.entries({ ...SETTINGS, ...more }).map(([name, value]) => `('${name}', '${value}')`);
  return `
    select set_config(name, value, false) from pg_settings
    join (values ${wanted.join(', ')}) as wanted (name, value) using (name)`;
}

/**
 * A connection without a byte for so long, in ms, is given up with the query that waits for an answer: the network has swallowed it.
 * Not pg's `query_timeout`, which gives the query up and keeps the connection for the next one.
 */
const SILENCE_MS = 15_000;

/** What a connection is made by that ends when nothing has come for a while. */
export function endingWhenSilent(): Socket {
  const socket = new Socket();
  return socket.setTimeout(SILENCE_MS, () => socket.destroy());
}

/** Connects; throws what pg throws where that fails. */
export async function openConnection(
  url: string,
  onNotification: (notification: Notification) => void,
): Promise<Connection> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    keepAlive: true,
    application_name: 'lotsawa session',
  });
  const turns = new PQueue({ concurrency: 1 });
  const end = new AbortController();
  const drop = (): void => {
    if (end.signal.aborted) return;
    end.abort();
    client.end().catch(() => {});
  };
  client.on('error', drop);
  client.on('end', drop);
  client.on('notification', onNotification);
  try {
    await client.connect();
    await client.query(settingsOf());
  } catch (error) {
    drop();
    throw error;
  }

  const query: Connection['query'] = async (text, values = []) => {
    const result = await turns.add(() => client.query<Record<string, unknown>>(text, [...values]));
    return result.rows;
  };
  return {
    ended: end.signal,
    query,
    listen: async (channel) => {
      await query(`listen ${client.escapeIdentifier(channel)}`);
    },
    drop,
    close: async () => {
      end.abort();
      await client.end();
    },
  };
}
