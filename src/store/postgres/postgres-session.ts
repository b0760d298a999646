/** The one connection to PostgreSQL that a process keeps open: it listens to the others, and holds the leader's lock, which ends with it. */
import PQueue from 'p-queue';
import { Client, escapeIdentifier } from 'pg';
import { sleep } from '../../patience.ts';
import { CONNECT_WITHIN_MS, settingsOf } from './postgres-connection.ts';

interface Listener {
  readonly channel: string;
  readonly onNotification: (payload: string) => void;
  /** Called after a reconnection: notifications sent meanwhile were missed. */
  readonly onReconnect: () => void;
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
  /** The number under which this process counts as living (see `LIVING_PROCESSES`), as long as any of its connections stands. */
  readonly process: number;
  readonly #url: string;
  /** pg requires that a connection runs one query at a time. */
  readonly #turns = new PQueue({ concurrency: 1 });
  #listener: Listener | undefined;
  #connection: Connection | undefined;
  #isClosed = false;

  private constructor(url: string, process: number) {
    this.#url = url;
    this.process = process;
  }

  /** Connects for the process of this number, and reconnects whenever the connection is lost. Throws if the first attempt fails. */
  static async open(url: string, process: number): Promise<PostgresSession> {
    const session = new PostgresSession(url, process);
    await session.#connect();
    void session.#keepConnected();
    return session;
  }

  /**
   * Takes a lock that one process at a time can hold; returns undefined if another holds it. Throws without a connection. A process must
   * not take a lock twice: the server would grant it.
   */
  async tryLock(name: string): Promise<HeldLock | undefined> {
    const connection = this.#connection;
    const [row] = await this.#query('select pg_try_advisory_lock(hashtextextended($1, 0)) as locked', [name]);
    if (connection === undefined || row?.locked !== true) return undefined;
    return {
      lost: connection.lost,
      release: async () => {
        if (connection === this.#connection)
          await this.#query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]).catch(() => {});
      },
    };
  }

  /** Listens until the session is closed, across reconnections; in place of an earlier listener. */
  async listen(listener: Listener): Promise<void> {
    this.#listener = listener;
    await this.#query(`listen ${escapeIdentifier(listener.channel)}`);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connection?.close();
  }

  async #connect(): Promise<void> {
    this.#connection = await connect(this.#url, this.process, (payload) =>
      this.#listener?.onNotification(payload),
    );
    if (this.#listener === undefined) return;
    await this.listen(this.#listener);
    this.#listener.onReconnect();
  }

  /** Checks the connection regularly, since a pulled cable is silent, and replaces one that is lost. */
  async #keepConnected(): Promise<void> {
    while (!this.#isClosed) {
      try {
        if (this.#connection?.lost.aborted) await this.#connect();
        else await this.#query('select');
        await sleep(CHECK_EVERY_MS, this.#connection?.lost);
      } catch {
        await sleep(RECONNECT_AFTER_MS);
      }
    }
    await this.#connection?.close();
  }

  /** Gives the connection up if the query fails, or if no answer comes within `ANSWER_WITHIN_MS`: a lock may have been granted all the same. */
  async #query(text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
    const connection = this.#connection;
    if (connection === undefined || connection.lost.aborted)
      throw new Error('the connection to the database is lost');
    const { client } = connection;
    try {
      return (await this.#turns.add(() => client.query<Record<string, unknown>>(text, [...values]))).rows;
    } catch (error) {
      void connection.close();
      throw error;
    }
  }
}

interface Connection {
  readonly client: Client;
  /** Aborts when the connection is lost or given up. */
  readonly lost: AbortSignal;
  /** Never throws. */
  close(): Promise<void>;
}

async function connect(
  url: string,
  process: number,
  onNotification: (payload: string) => void,
): Promise<Connection> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    keepAlive: true,
  });
  const lost = new AbortController();
  const close = async (): Promise<void> => {
    lost.abort();
    await client.end().catch(() => {});
  };
  client.on('error', () => void close());
  client.on('end', () => void close());
  client.on('notification', ({ payload = '' }) => onNotification(payload));
  try {
    await client.connect();
    await client.query(settingsOf(process));
  } catch (error) {
    void close();
    throw error;
  }
  return { client, lost: lost.signal, close };
}
