/**
 * The one connection to PostgreSQL that a process keeps open. It shows the others that the process is alive, and holds locks by name: both
 * end with it, however the process ends. It also reads the server's time, on which all processes agree whatever their own clocks say.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { PROCESS_LOCKS } from './living-processes.ts';
import { ANSWER_WITHIN_MS, Connection } from './postgres-connection.ts';

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
const RECONNECT_AFTER_MS = 250;
const TIME = 'select extract(epoch from clock_timestamp()) * 1000 as ms';
const LOCK = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked';
const UNLOCK = 'select pg_advisory_unlock(hashtextextended($1, 0))';
const SHOW_ALIVE = 'select pg_try_advisory_lock($1, $2) as locked';

export class PostgresSession {
  /** The number under which this process counts as living (see `LIVING_PROCESSES`), as long as any of its connections stands. */
  readonly process: number;
  /** Returns the server's time, in ms since the epoch. */
  readonly now: () => number;
  readonly #clock = new ServerClock();
  readonly #url: string;
  readonly #closed = new AbortController();
  #listener: Listener | undefined;
  #live: Connection | undefined;
  #reconnecting: Promise<void> = Promise.resolve();

  private constructor(url: string, process: number) {
    this.#url = url;
    this.process = process;
    this.now = () => this.#clock.now();
  }

  /** Connects for the process of this number, and reconnects whenever the connection is lost. Throws if the first attempt fails. */
  static async open(url: string, process: number): Promise<PostgresSession> {
    const session = new PostgresSession(url, process);
    await session.#connect();
    return session;
  }

  async #connect(): Promise<void> {
    const connection = await Connection.open(this.#url, (payload) => this.#listener?.onNotification(payload));
    try {
      await this.#check(connection);
      if (this.#listener !== undefined) await connection.listen(this.#listener.channel);
      connection.ended.throwIfAborted();
    } catch (error) {
      connection.drop();
      throw error;
    }
    this.#live = connection;
    connection.ended.addEventListener('abort', () => this.#onLost(connection), { once: true });
    void this.#watch(connection);
    this.#listener?.onReconnect();
  }

  /**
   * Takes a lock that one process at a time can hold; returns undefined if another holds it. Throws without a connection. A process must
   * not take a lock twice: the server would grant it.
   */
  async tryLock(name: string): Promise<HeldLock | undefined> {
    const connection = await this.#connected();
    const [row] = await connection.query(LOCK, [name]).catch((error: unknown) => {
      // The server may have granted the lock all the same; closing the connection releases it.
      connection.drop();
      throw error;
    });
    if (row?.locked !== true) return undefined;
    return {
      lost: connection.ended,
      release: async () => {
        if (!connection.ended.aborted) await connection.query(UNLOCK, [name]).catch(() => connection.drop());
      },
    };
  }

  /** Listens until the session is closed, across reconnections; in place of an earlier listener. */
  async listen(listener: Listener): Promise<void> {
    this.#listener = listener;
    await this.#live?.listen(listener.channel);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    const live = this.#live;
    this.#live = undefined;
    await live?.close();
  }

  async #connected(): Promise<Connection> {
    if (this.#live === undefined) {
      await Promise.race([this.#reconnecting, delay(ANSWER_WITHIN_MS, undefined, { ref: false })]);
    }
    if (this.#live === undefined) throw new Error('the connection to the database is lost');
    return this.#live;
  }

  /** Checks the connection regularly: a pulled cable is silent. */
  async #watch(connection: Connection): Promise<void> {
    while (!connection.ended.aborted) {
      try {
        await delay(CHECK_EVERY_MS, undefined, { signal: connection.ended });
        await this.#check(connection);
      } catch {
        connection.drop();
      }
    }
  }

  /** Shows that this process is alive, and reads the time. Throws if no answer comes. */
  async #check(connection: Connection): Promise<void> {
    // After a reconnection the server may still hold this lock for the connection that was lost.
    connection.isSeen ||=
      (await connection.query(SHOW_ALIVE, [PROCESS_LOCKS, this.process]))[0]?.locked === true;
    const askedAt = performance.now();
    const [answer] = await connection.query(TIME);
    this.#clock.heard(Number(answer?.ms), askedAt);
  }

  #onLost(connection: Connection): void {
    if (this.#live !== connection) return;
    this.#live = undefined;
    this.#reconnecting = this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    while (this.#live === undefined && !this.#closed.signal.aborted) {
      await this.#connect().catch(() => delay(RECONNECT_AFTER_MS));
    }
    if (this.#closed.signal.aborted) await this.close();
  }
}

/**
 * The server's time. An answer is no more exact than half its round trip: the most exact one counts until another contradicts it, which
 * shows that one of the clocks was set, or runs wrong.
 */
class ServerClock {
  #ahead = Number.NaN;
  #errorMs = Number.POSITIVE_INFINITY;

  /** ms since the epoch; NaN before the first answer. Between answers it follows a monotonic clock of this process. */
  now(): number {
    return Math.round(performance.now() + this.#ahead);
  }

  /** Takes the server's time (ms since the epoch), in answer to a query of this moment of `performance.now()`. */
  heard(serverMs: number, askedAt: number): void {
    const answeredAt = performance.now();
    const ahead = serverMs - (askedAt + answeredAt) / 2;
    const errorMs = (answeredAt - askedAt) / 2;
    const isContradiction = Math.abs(ahead - this.#ahead) > errorMs + this.#errorMs;
    if (errorMs >= this.#errorMs && !isContradiction) return;
    this.#ahead = ahead;
    this.#errorMs = errorMs;
  }
}
