/** A single PostgreSQL connection that tells when it is lost, and the settings of all connections. */
import { Socket } from 'node:net';
import PQueue from 'p-queue';
import { Client } from 'pg';

/** How long an answer may take before the connection counts as lost, in ms. */
export const ANSWER_WITHIN_MS = 3000;
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
/** The settings of every connection. Keepalives show the server that a machine is gone: after 5 s, three of them 2 s apart. */
const SETTINGS = {
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
  idle_session_timeout: SILENT_FOR_MS,
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
};

/**
 * The statement that applies these settings to an open connection: pgbouncer refuses connections that bring settings along. It skips
 * settings that an old server does not know.
 */
export function settingsOf(more: Readonly<Record<string, number>> = {}): string {
  const wanted = Object.entries({ ...SETTINGS, ...more }).map(([name, value]) => `('${name}', '${value}')`);
  return `
    select set_config(name, value, false) from pg_settings
    join (values ${wanted.join(', ')}) as wanted (name, value) using (name)`;
}

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

/** A connection that runs one query at a time, as pg requires. */
export class Connection {
  /** Other processes can see that this one is alive. */
  isSeen = false;
  readonly #client: Client;
  readonly #turns = new PQueue({ concurrency: 1 });
  readonly #end = new AbortController();

  private constructor(url: string) {
    this.#client = new Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
      application_name: 'lotsawa session',
    });
  }

  /** Connects; throws pg's error if that fails. `onNotification` gets the payloads of the channels that `listen` names. */
  static async open(url: string, onNotification: (payload: string) => void): Promise<Connection> {
    const connection = new Connection(url);
    const client = connection.#client;
    client.on('error', () => connection.drop());
    client.on('end', () => connection.drop());
    client.on('notification', ({ payload = '' }) => onNotification(payload));
    try {
      await client.connect();
      await client.query(settingsOf());
    } catch (error) {
      connection.drop();
      throw error;
    }
    return connection;
  }

  /** Aborts when the connection is lost or given up. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** Throws if no answer comes within `ANSWER_WITHIN_MS`. */
  async query(text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
    const result = await this.#turns.add(() =>
      this.#client.query<Record<string, unknown>>(text, [...values]),
    );
    return result.rows;
  }

  async listen(channel: string): Promise<void> {
    await this.query(`listen ${this.#client.escapeIdentifier(channel)}`);
  }

  /** Closes the connection without waiting for the server. */
  drop(): void {
    if (this.ended.aborted) return;
    this.#end.abort();
    this.#client.end().catch(() => {});
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#client.end();
  }
}
