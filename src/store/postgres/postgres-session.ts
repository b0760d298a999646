/**
 * The one connection to PostgreSQL that a process keeps. Others see by it that the process lives, and locks by name are held over it: both
 * end with it, however the process ends. It also brings the server's time, on which all processes agree whatever their own clocks say.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { PROCESS_LOCKS } from './living-processes.ts';
import { ANSWER_WITHIN_MS, type Connection, openConnection } from './postgres-connection.ts';

interface Listener {
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

/** How often the connection is checked, in ms. A hanging one is noticed after this and `ANSWER_WITHIN_MS`. */
const CHECK_EVERY_MS = 2000;
const RECONNECT_AFTER_MS = 250;
const TIME = 'select extract(epoch from clock_timestamp()) * 1000 as ms';
const LOCK = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked';
const UNLOCK = 'select pg_advisory_unlock(hashtextextended($1, 0))';
const SHOW_ALIVE = 'select pg_try_advisory_lock($1, $2) as locked';

/** Connects for the process of this number, and reconnects whenever the connection is lost. Throws if the first attempt fails. */
export async function openPostgresSession(url: string, process: number): Promise<PostgresSession> {
  const session = new PostgresSession(url, process);
  await session.connect();
  return session;
}

/** A connection, and what this process holds over it. */
interface LiveConnection {
  readonly connection: Connection;
  /** The names of the locks. */
  readonly locks: Set<string>;
  /** Others see by it that this process lives. */
  isSeen: boolean;
}

/** One for each process; made by `openPostgresSession`. */
export class PostgresSession {
  /** The number under which this process counts as living (see `LIVING_PROCESSES`), as long as any of its connections stands. */
  readonly process: number;
  /** Gives the server's time, in ms since the epoch. */
  readonly now: () => number;
  readonly #clock = createServerClock();
  readonly #url: string;
  readonly #listeners = new Map<string, Listener>();
  readonly #closed = new AbortController();
  #live: LiveConnection | undefined;
  #reconnecting: Promise<void> = Promise.resolve();

  constructor(url: string, process: number) {
    this.#url = url;
    this.process = process;
    this.now = this.#clock.now;
  }

  async connect(): Promise<void> {
    const connection = await openConnection(this.#url, ({ channel, payload }) => {
      this.#listeners.get(channel)?.onNotification(payload ?? '');
    });
    const live: LiveConnection = { connection, locks: new Set(), isSeen: false };
    try {
      await this.#check(live);
      for (const channel of this.#listeners.keys()) await connection.listen(channel);
      connection.ended.throwIfAborted();
    } catch (error) {
      connection.drop();
      throw error;
    }
    this.#live = live;
    connection.ended.addEventListener('abort', () => this.#onLost(live), { once: true });
    void this.#watch(live);
    for (const { onReconnect } of this.#listeners.values()) onReconnect();
  }

  /** Takes a lock that one holder at a time has among all processes; undefined if somebody has it. Throws without a connection. */
  async tryLock(name: string): Promise<HeldLock | undefined> {
    const { connection, locks } = await this.#connected();
    // The server would give one connection the same lock twice.
    if (locks.has(name)) return undefined;
    locks.add(name);
    const [row] = await connection.query(LOCK, [name]).catch((error: unknown) => {
      // The server may have given the lock all the same; closing the connection releases it.
      connection.drop();
      throw error;
    });
    if (row?.locked !== true) {
      locks.delete(name);
      return undefined;
    }
    return {
      lost: connection.ended,
      release: async () => {
        if (connection.ended.aborted) return;
        try {
          await connection.query(UNLOCK, [name]);
          locks.delete(name);
        } catch {
          connection.drop();
        }
      },
    };
  }

  /** Listens on a channel until the session is closed, across reconnections; in place of an earlier listener. */
  async listen(channel: string, listener: Listener): Promise<void> {
    this.#listeners.set(channel, listener);
    await this.#live?.connection.listen(channel);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    const live = this.#live;
    this.#live = undefined;
    await live?.connection.close();
  }

  async #connected(): Promise<LiveConnection> {
    if (this.#live === undefined) {
      await Promise.race([this.#reconnecting, delay(ANSWER_WITHIN_MS, undefined, { ref: false })]);
    }
    if (this.#live === undefined) throw new Error('the connection to the database is lost');
    return this.#live;
  }

  /** Checks the connection regularly: a pulled cable says nothing. */
  async #watch(live: LiveConnection): Promise<void> {
    const { connection } = live;
    while (!connection.ended.aborted) {
      try {
        await delay(CHECK_EVERY_MS, undefined, { signal: connection.ended });
        await this.#check(live);
      } catch {
        connection.drop();
      }
    }
  }

  /** Shows that this process lives, and asks for the time. Throws if no answer comes. */
  async #check(live: LiveConnection): Promise<void> {
    const { connection } = live;
    if (!live.isSeen) {
      // After a reconnection the server may still hold this lock for the connection that was lost.
      const [row] = await connection.query(SHOW_ALIVE, [PROCESS_LOCKS, this.process]);
      live.isSeen = row?.locked === true;
    }
    const askedAt = performance.now();
    const [answer] = await connection.query(TIME);
    this.#clock.heard(Number(answer?.ms), askedAt);
  }

  #onLost(live: LiveConnection): void {
    if (this.#live !== live) return;
    this.#live = undefined;
    this.#reconnecting = this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    while (this.#live === undefined && !this.#closed.signal.aborted) {
      await this.connect().catch(() => delay(RECONNECT_AFTER_MS));
    }
    if (this.#closed.signal.aborted) await this.close();
  }
}

interface ServerClock {
  /** ms since the epoch; NaN before the first answer. Between answers it follows a monotonic clock of this process. */
  now(): number;
  /** Takes the server's time (ms since the epoch), in answer to a query of this moment of `performance.now()`. */
  heard(serverMs: number, askedAt: number): void;
}

/**
 * An answer is no more exact than half its round trip. The most exact one counts until another contradicts it, which shows that one of the
 * clocks was set, or runs wrong.
 */
function createServerClock(): ServerClock {
  let ahead = Number.NaN;
  let errorMs = Number.POSITIVE_INFINITY;

  return {
    now: () => Math.round(performance.now() + ahead),
    heard: (serverMs, askedAt) => {
      const answeredAt = performance.now();
      const heardAhead = serverMs - (askedAt + answeredAt) / 2;
      const heardErrorMs = (answeredAt - askedAt) / 2;
      const isContradiction = Math.abs(heardAhead - ahead) > heardErrorMs + errorMs;
      if (heardErrorMs >= errorMs && !isContradiction) return;
      ahead = heardAhead;
      errorMs = heardErrorMs;
    },
  };
}
