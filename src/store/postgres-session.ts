/** One connection to PostgreSQL that stays: what this process holds among the others ends with it, however the process ends. */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { Client } from 'pg';

export interface HeldLock {
  /** Aborts when the connection is lost, and the lock with it: another process may hold it now. */
  readonly lost: AbortSignal;
  /** Gives the lock back; never throws: where that fails, the whole connection is given up. */
  release(): Promise<void>;
}

export interface Listener {
  readonly onNotification: (payload: string) => void;
  /** Whatever was notified while there was no connection was missed. */
  readonly onReconnect: () => void;
}

export interface PostgresSession {
  /** The number under which this process counts as living (see `LIVING_PROCESSES`), as long as the connection stands. */
  readonly process: number;
  /** Takes a lock that only one holder has among all processes; undefined: somebody has it. Throws without a connection. */
  tryLock(name: string): Promise<HeldLock | undefined>;
  /** The same lock, once it is free. Throws without a connection, and the reason of `signal` when that aborts. */
  lock(name: string, signal: AbortSignal): Promise<HeldLock>;
  /** Hears what is notified on a channel, over all reconnections; resolves with what ends it. */
  listen(channel: string, listener: Listener): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** The first half of the advisory locks that stand for processes; the second is the process's number. */
const PROCESS_LOCKS = 0x10757a;

/** A query for the numbers (`process`) of all processes whose connection stands. */
export const LIVING_PROCESSES = `
  select objid::bigint as process from pg_locks
  where locktype = 'advisory' and classid = ${PROCESS_LOCKS} and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())`;

/** How long nobody notices, at most, that the connection hangs: this and `ANSWER_WITHIN_MS`. */
const CHECK_EVERY_MS = 2000;
const ANSWER_WITHIN_MS = 3000;
const RECONNECT_AFTER_MS = 250;
/** Between two looks whether a lock is free; in ms. */
const LOOK_AGAIN_MS = 100;
/** So that the server, too, finds out soon that a machine is gone: after 5 s of silence, three questions 2 s apart. */
const KEEPALIVE = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3';

/** Connects, and from then on reconnects by itself whenever the connection is lost. Throws where the first attempt fails. */
export async function openPostgresSession(url: string): Promise<PostgresSession> {
  const session = new Session(url);
  await session.connect();
  return session;
}

interface Connection {
  readonly client: Client;
  /** pg wants one query at a time. */
  readonly turns: PQueue;
  readonly end: AbortController;
  readonly held: Set<string>;
  /** Whether others see this process by it. */
  isSignOfLife: boolean;
}

class Session implements PostgresSession {
  readonly process = randomInt(1, 2 ** 31 - 1);
  readonly #url: string;
  readonly #listeners = new Map<string, Listener>();
  readonly #closed = new AbortController();
  #connection: Connection | undefined;
  #reconnecting: Promise<void> = Promise.resolve();

  constructor(url: string) {
    this.#url = url;
  }

  async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.#url,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
      application_name: 'lotsawa session',
      options: KEEPALIVE,
    });
    const end = new AbortController();
    const connection: Connection = {
      client,
      turns: new PQueue({ concurrency: 1 }),
      end,
      held: new Set(),
      isSignOfLife: false,
    };
    client.on('error', () => this.#drop(connection));
    client.on('end', () => this.#drop(connection));
    client.on('notification', ({ channel, payload }) => {
      this.#listeners.get(channel)?.onNotification(payload ?? '');
    });
    try {
      await client.connect();
      await this.#sayAlive(connection);
      for (const channel of this.#listeners.keys()) await listenOn(connection, channel);
      end.signal.throwIfAborted();
    } catch (error) {
      end.abort();
      client.end().catch(() => {});
      throw error;
    }
    this.#connection = connection;
    void this.#watch(connection);
    for (const { onReconnect } of this.#listeners.values()) onReconnect();
  }

  async tryLock(name: string): Promise<HeldLock | undefined> {
    const connection = await this.#standing();
    // The server would give a lock twice to one connection.
    if (connection.held.has(name)) return undefined;
    connection.held.add(name);
    const lock = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked';
    const [row] = await query(connection, lock, [name]).catch((error: unknown) => {
      // The server may have given the lock all the same: it takes it back with the connection.
      this.#drop(connection);
      throw error;
    });
    if (row?.locked !== true) {
      connection.held.delete(name);
      return undefined;
    }
    return {
      lost: connection.end.signal,
      release: async () => {
        if (connection.end.signal.aborted) return;
        try {
          await query(connection, 'select pg_advisory_unlock(hashtextextended($1, 0))', [name]);
          connection.held.delete(name);
        } catch {
          this.#drop(connection);
        }
      },
    };
  }

  async lock(name: string, signal: AbortSignal): Promise<HeldLock> {
    for (;;) {
      signal.throwIfAborted();
      const lock = await this.tryLock(name);
      if (lock !== undefined) return lock;
      await delay(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  }

  async listen(channel: string, listener: Listener): Promise<() => Promise<void>> {
    this.#listeners.set(channel, listener);
    if (this.#connection !== undefined) await listenOn(this.#connection, channel);
    return async () => {
      this.#listeners.delete(channel);
    };
  }

  async close(): Promise<void> {
    this.#closed.abort();
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.end.abort();
    await connection?.client.end();
  }

  async #standing(): Promise<Connection> {
    if (this.#connection === undefined) {
      await Promise.race([this.#reconnecting, delay(ANSWER_WITHIN_MS, undefined, { ref: false })]);
    }
    if (this.#connection === undefined) throw new Error('the connection to the database is lost');
    return this.#connection;
  }

  /** Asks every now and then whether the connection still stands: a cable that was pulled says nothing. */
  async #watch(connection: Connection): Promise<void> {
    while (!connection.end.signal.aborted) {
      try {
        await delay(CHECK_EVERY_MS, undefined, { signal: connection.end.signal });
        await this.#sayAlive(connection);
      } catch {
        this.#drop(connection);
      }
    }
  }

  /** Asked again each time: after a reconnection the server may still keep the number with the connection that was lost. */
  async #sayAlive(connection: Connection): Promise<void> {
    if (connection.isSignOfLife) {
      await query(connection, 'select 1');
      return;
    }
    const lock = 'select pg_try_advisory_lock($1, $2) as locked';
    const [row] = await query(connection, lock, [PROCESS_LOCKS, this.process]);
    connection.isSignOfLife = row?.locked === true;
  }

  #drop(connection: Connection): void {
    if (connection.end.signal.aborted) return;
    connection.end.abort();
    connection.client.end().catch(() => {});
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#reconnecting = this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    while (this.#connection === undefined && !this.#closed.signal.aborted) {
      await this.connect().catch(() => delay(RECONNECT_AFTER_MS));
    }
    if (this.#closed.signal.aborted) await this.close();
  }
}

async function query(
  { client, turns }: Connection,
  text: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const result = await turns.add(() => client.query<Record<string, unknown>>(text, [...values]));
  return result.rows;
}

async function listenOn(connection: Connection, channel: string): Promise<void> {
  await query(connection, `listen ${connection.client.escapeIdentifier(channel)}`);
}
