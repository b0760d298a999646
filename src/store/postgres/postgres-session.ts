/**
 * The connections of a process to PostgreSQL: their settings, how processes see by them which of the others are alive, and the one that a
 * process keeps open: it listens to the others, and holds the leader's lock, which ends with it.
 */
import { Socket } from 'node:net';
import { type ClientBase, Pool } from 'pg';
import { sleep } from '../../patience.ts';

/** How long connecting may take, in ms. It takes four round trips, and a server that is far away or overloaded is still of use. */
export const CONNECT_WITHIN_MS = 10_000;
/** How long an idle transaction lives, in ms: a process that is stopped in the middle of one must not keep its locks. */
const IDLE_TRANSACTION_MS = 10_000;
/**
 * How long the server keeps a connection without a statement, in ms, before it ends it and releases its locks. The operating system keeps
 * answering keepalives for a process that hangs, or for a proxy that lost its other half. Living processes are never silent nearly as long.
 */
const SILENT_FOR_MS = 15_000;
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

interface HeldLock {
  /** Aborts when the connection is lost: another process may hold the lock now. */
  readonly lost: AbortSignal;
  /** Releases the lock; never throws. If that fails, it closes the whole connection. */
  release(): Promise<void>;
}

/** How often the connection is checked, in ms. A dead one is noticed after this and `ANSWER_WITHIN_MS`. */
const CHECK_EVERY_MS = 2000;
/** How long an answer may take before the connection counts as lost, in ms. */
const ANSWER_WITHIN_MS = 3000;
const RECONNECT_AFTER_MS = 250;

export class PostgresSession {
  /** The number under which this process counts as living (see `livingProcesses`), as long as any of its connections stands. */
  readonly process: number;
  /** The notification channel of all processes. */
  readonly channel = 'lotsawa_requests';
  /** A query for the numbers (`process`) of all processes that have a connection. */
  readonly livingProcesses = `
    select substring(application_name from '^${NAME} ([0-9]+)$')::bigint as process from pg_stat_activity
    where datname = current_database() and application_name ~ '^${NAME} [0-9]+$'`;
  onNotification: (payload: string) => void = () => {};
  /** Called after a reconnection: notifications sent meanwhile were missed. */
  onReconnect: () => void = () => {};
  /** Of one connection: it runs one query at a time, and is replaced when it is lost. */
  readonly #pool: Pool;
  /** Aborts when the present connection is lost or given up. */
  #lost = new AbortController();

  private constructor(url: string, process: number) {
    this.process = process;
    this.#pool = new Pool({
      connectionString: url,
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
      stream: socketWithTimeout,
      onConnect: (client) => this.#begin(client),
    });
    this.#pool.on('error', () => {});
    // The pool gives up a connection whose query failed, or was not answered: a lock may have been granted all the same.
    this.#pool.on('release', (error) => error && this.#lost.abort());
  }

  /** Connects for the process of this number, and reconnects whenever the connection is lost. Throws if the first attempt fails. */
  static async open(url: string, process: number): Promise<PostgresSession> {
    const session = new PostgresSession(url, process);
    await session.#pool.query('select');
    void session.#keepConnected();
    return session;
  }

  /**
   * Takes a lock for one process at a time; undefined if another holds it. Throws without a connection. The server would grant it twice.
   */
  async tryLock(name: string): Promise<HeldLock | undefined> {
    const { rows } = await this.#pool.query<{ locked: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked',
      [name],
    );
    const { signal: lost } = this.#lost;
    if (rows[0]?.locked !== true) return undefined;
    return {
      lost,
      release: async () => {
        if (!lost.aborted)
          await this.#pool
            .query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
            .catch(() => {});
      },
    };
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #begin(client: ClientBase): Promise<void> {
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ payload = '' }) => this.onNotification(payload));
    await client.query(settingsOf(this.process));
    await client.query(`listen ${this.channel}`);
    this.#lost = lost;
    this.onReconnect();
  }

  /** Checks the connection regularly, since a pulled cable is silent, and replaces one that is lost. */
  async #keepConnected(): Promise<void> {
    while (!this.#pool.ending) {
      try {
        await this.#pool.query('select');
        await sleep(CHECK_EVERY_MS, this.#lost.signal);
      } catch {
        await sleep(RECONNECT_AFTER_MS);
      }
    }
  }
}
