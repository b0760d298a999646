/**
 * One connection to PostgreSQL that stays. What this process holds among the others ends with it, however the process ends: its locks, by
 * name. By it the process also hears the time of the server, on which all agree whatever their own clocks say.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../patience.ts';
import { createSignOfLife } from './living-processes.ts';
import { ANSWER_WITHIN_MS, type Connection, openConnection } from './postgres-connection.ts';

interface Listener {
  readonly onNotification: (payload: string) => void;
  /** Whatever was notified while there was no connection was missed. */
  readonly onReconnect: () => void;
}

export interface PostgresSession {
  /** The number under which this process counts as living (see `LIVING_PROCESSES`), as long as this or another connection stands. */
  readonly process: number;
  /** The time as the server has it, in ms since the epoch: all processes have the same, whatever their own clocks say. */
  now(): number;
  /** Takes a lock that only one holder has among all processes; undefined: somebody has it. Throws without a connection. */
  tryLock(name: string): Promise<HeldLock | undefined>;
  /** The same lock, once it is free. Throws without a connection, and the reason of `signal` when that aborts. */
  lock(name: string, signal: AbortSignal): Promise<HeldLock>;
  /** Hears what is notified on a channel, over all reconnections; resolves with what ends it. */
  listen(channel: string, listener: Listener): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** How long it goes unnoticed, at most, that the connection hangs: this and `ANSWER_WITHIN_MS`. */
const CHECK_EVERY_MS = 2000;
const RECONNECT_AFTER_MS = 250;
const TIME = 'select extract(epoch from clock_timestamp()) * 1000 as ms';
/** Between two looks whether a lock is free; in ms. */
const LOOK_AGAIN_MS = 100;

/**
 * For the process of this number: connects, and from then on reconnects by itself whenever the connection is lost. Throws where the
 * first attempt fails.
 */
export async function openPostgresSession(url: string, process: number): Promise<PostgresSession> {
  const session = new Session(url, process);
  await session.connect();
  return session;
}

/** A connection, and what this process holds by it. */
interface Standing {
  readonly connection: Connection;
  readonly locks: AdvisoryLocks;
  readonly sayAlive: () => Promise<void>;
}

class Session implements PostgresSession {
  readonly process: number;
  readonly now: () => number;
  readonly #clock = createServerClock();
  readonly #url: string;
  readonly #listeners = new Map<string, Listener>();
  readonly #closed = new AbortController();
  #standing: Standing | undefined;
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
    const standing: Standing = {
      connection,
      locks: createAdvisoryLocks(connection),
      sayAlive: createSignOfLife(connection, this.process),
    };
    try {
      await this.#check(standing);
      for (const channel of this.#listeners.keys()) await connection.listen(channel);
      connection.ended.throwIfAborted();
    } catch (error) {
      connection.drop();
      throw error;
    }
    this.#standing = standing;
    connection.ended.addEventListener('abort', () => this.#onLost(standing), { once: true });
    void this.#watch(standing);
    for (const { onReconnect } of this.#listeners.values()) onReconnect();
  }

  async tryLock(name: string): Promise<HeldLock | undefined> {
    const { locks } = await this.#stand();
    return locks.tryLock(name);
  }

  async lock(name: string, signal: AbortSignal): Promise<HeldLock> {
    const lock = await eventually(() => this.tryLock(name), LOOK_AGAIN_MS, signal);
    if (lock === undefined) throw signal.reason;
    return lock;
  }

  async listen(channel: string, listener: Listener): Promise<() => Promise<void>> {
    this.#listeners.set(channel, listener);
    await this.#standing?.connection.listen(channel);
    return async () => {
      this.#listeners.delete(channel);
    };
  }

  async close(): Promise<void> {
    this.#closed.abort();
    const standing = this.#standing;
    this.#standing = undefined;
    await standing?.connection.close();
  }

  async #stand(): Promise<Standing> {
    if (this.#standing === undefined) {
      await Promise.race([this.#reconnecting, delay(ANSWER_WITHIN_MS, undefined, { ref: false })]);
    }
    if (this.#standing === undefined) throw new Error('the connection to the database is lost');
    return this.#standing;
  }

  /** Asks every now and then whether the connection still stands: a cable that was pulled says nothing. */
  async #watch(standing: Standing): Promise<void> {
    const { connection } = standing;
    while (!connection.ended.aborted) {
      try {
        await delay(CHECK_EVERY_MS, undefined, { signal: connection.ended });
        await this.#check(standing);
      } catch {
        connection.drop();
      }
    }
  }

  /** Says that this process lives, and hears what time it is. Throws where no answer comes. */
  async #check({ connection, sayAlive }: Standing): Promise<void> {
    await sayAlive();
    const askedAt = performance.now();
    const [answer] = await connection.query(TIME);
    this.#clock.heard(Number(answer?.ms), askedAt);
  }

  #onLost(standing: Standing): void {
    if (this.#standing !== standing) return;
    this.#standing = undefined;
    this.#reconnecting = this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    while (this.#standing === undefined && !this.#closed.signal.aborted) {
      await this.connect().catch(() => delay(RECONNECT_AFTER_MS));
    }
    if (this.#closed.signal.aborted) await this.close();
  }
}

interface HeldLock {
  /** Aborts when the connection is lost, and the lock with it: another process may hold it now. */
  readonly lost: AbortSignal;
  /** Asks the server: throws where the connection is lost, also where nothing here has told of it yet, as after a sleep. */
  confirm(): Promise<void>;
  /** Gives the lock back; never throws: where that fails, the whole connection is given up. */
  release(): Promise<void>;
}

interface AdvisoryLocks {
  /** Undefined: somebody has it, be it by this very connection. Throws what the connection throws, and gives it up. */
  tryLock(name: string): Promise<HeldLock | undefined>;
}

const LOCK = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked';
const UNLOCK = 'select pg_advisory_unlock(hashtextextended($1, 0))';

/** The locks of one connection; none is held yet. */
function createAdvisoryLocks(connection: Connection): AdvisoryLocks {
  const held = new Set<string>();

  const release = async (name: string): Promise<void> => {
    if (connection.ended.aborted) return;
    try {
      await connection.query(UNLOCK, [name]);
      held.delete(name);
    } catch {
      connection.drop();
    }
  };

  const confirm = async (): Promise<void> => {
    if (connection.ended.aborted) throw new Error('the connection is lost, and its locks with it');
    await connection.query('select');
  };

  return {
    tryLock: async (name) => {
      // The server would give a lock twice to one connection.
      if (held.has(name)) return undefined;
      held.add(name);
      const [row] = await connection.query(LOCK, [name]).catch((error: unknown) => {
        // The server may have given the lock all the same: it takes it back with the connection.
        connection.drop();
        throw error;
      });
      if (row?.locked === true) return { lost: connection.ended, confirm, release: () => release(name) };
      held.delete(name);
      return undefined;
    },
  };
}

interface ServerClock {
  /** ms since the epoch; NaN before the server was heard. Between two answers it goes by a monotonic clock of this process. */
  now(): number;
  /** Takes what the server said of its time, as ms since the epoch, in answer to a question of this moment of `performance.now()`. */
  heard(serverMs: number, askedAt: number): void;
}

/**
 * An answer tells the time no more exactly than half its way there and back: the most exact one counts, until another shows that one
 * of the clocks was set, or goes wrong.
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
