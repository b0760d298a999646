/** One process's part in the queue: takes requests as workers become free, attempts each, and finishes it or puts it back. */
import { isFailure } from '../errors.ts';
import type { Log } from '../log.ts';
import { NoRoom, patiently, waitingAs } from '../patience.ts';
import type { Database } from '../store/database.ts';
import { Attempt, type Waiting } from './attempt.ts';
import { takeOverFromDead } from './processes.ts';
import {
  MAX_STRIKES,
  MAX_WAIT_MS,
  type Outcome,
  type RequestRow,
  SUSPECT_FROM_STRIKES,
} from './request-table.ts';
import { lost, Requests, type Taken, TakenOver } from './requests.ts';

/** Attempts a request. If it throws, the queue decides between a retry and a dead letter. */
export type QueueHandler = (attempt: Attempt) => Promise<Outcome>;

export interface QueueOptions {
  /** Maximum of requests that this process handles at once. */
  readonly workers: number;
  /** Returns true for an error that passes (Telegram or the database is unreachable): the request is retried for up to a day. */
  readonly isOutage: (error: unknown) => boolean;
  /** Returns how long Telegram asks us to wait before the next attempt, in ms. */
  readonly retryAfterMs?: (error: unknown) => number | undefined;
  /** The longest attempt, in ms; `MAX_WORK_MS` by default. */
  readonly limitMs?: number;
  readonly onDeadLetter: (bodies: readonly unknown[], reason: string, request: RequestRow) => void;
  readonly log: Log;
}

/** How often to look for requests, in ms, in case a notification was lost. */
const LOOK_EVERY_MS = 1000;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 60_000;
/** How long an effect waits for the database, in ms. Less than an attempt may take: an outage is not the request's own fault. */
const OUTAGE_MS = 20 * 60 * 1000;
/** How long to wait at most before the end of an attempt is written again, in ms: its lane waits with it. */
const MAX_WRITE_WAIT_MS = 2000;
/** After about a day of failures in a row, the failure is the request's own and not an outage. */
const MAX_FAILURES = 24 * 60;
/** Strikes for an unforeseen error; the death of its process is one, since it also counts against the others that ran there. */
const ERROR_STRIKES = 2;
/** In ms; a longer attempt counts as hung: the longest speech takes 15 minutes, spoken in real time, and may follow a translation. */
const MAX_WORK_MS = 30 * 60 * 1000;

/** Requests that have waited for others of this process, for each worker: they hold no worker, but some memory. */
const ASIDE_PER_WORKER = 4;
/** A request that finds no room to wait is attempted again after this time, in ms. */
const NO_ROOM_MS = 10_000;

class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/** The queue of one process, on a database that others may share. Handles nothing before `start`. */
export class Queue {
  readonly requests: Requests;
  readonly #database: Database;
  readonly #options: QueueOptions;
  /** What this process is running, with its end. */
  readonly #running = new Map<Attempt, Promise<unknown>>();
  readonly #stopping = new AbortController();
  #handler: QueueHandler | undefined;
  /** How often requests have been cancelled or edited: one that is being taken may be among them. */
  #changes = 0;
  /** The database may have assigned requests to this process that it does not run: a take failed, or an attempt was aborted. */
  #holdsMore = false;
  /** Looks for requests to take now, or once more after a look that is under way. */
  #look: () => void = () => {};
  #looking: Promise<void> = Promise.resolve();

  constructor(database: Database, options: QueueOptions) {
    this.#database = database;
    this.#options = options;
    this.requests = new Requests(database);
  }

  /** Starts handling, including requests left by an earlier process; called once. */
  async start(handler: QueueHandler): Promise<void> {
    this.#handler = handler;
    this.requests.onNews = (id) => {
      if (id !== '') this.#changes += 1;
      this.#look();
      for (const attempt of this.#running.keys()) if (attempt.ids.includes(Number(id))) attempt.change();
    };
    if (this.#database.engine === 'sqlite') await this.requests.recover();
    else {
      const { session } = this.#database;
      session.onNotification = (id) => this.requests.onNews(id);
      // Notifications sent meanwhile were missed, and other processes may have taken over what runs here.
      session.onReconnect = () => {
        this.#changes += 1;
        this.#look();
        for (const attempt of this.#running.keys()) {
          attempt.change();
          this.mustStillOwn(attempt).catch(() => {});
        }
      };
      void takeOverFromDead(this.#database, this.requests, this.#options.log, this.#stopping.signal);
    }
    this.#looking = this.#keepLooking();
  }

  /**
   * Call it before any effect that another process would repeat if it has taken the request over: this one was suspended, or cut off from
   * the database. Waits for a database that is unreachable, then throws `database`. Throws `TakenOver`, or why the attempt was aborted. On
   * SQLite there is no other process.
   */
  async mustStillOwn(attempt: Attempt): Promise<void> {
    const { signal, request } = attempt;
    signal.throwIfAborted();
    if (this.#database.engine === 'sqlite') return;
    const until = performance.now() + OUTAGE_MS;
    const waitAfter = (error: unknown, times: number): number | undefined => {
      if (signal.aborted || !isFailure(error, 'database') || performance.now() > until) return undefined;
      return Math.min(backoffMs(times), MAX_WRITE_WAIT_MS);
    };
    const isOurs = await patiently(() => this.requests.isOwned(request.id), waitAfter, { signal });
    if (!isOurs) attempt.abort(lost());
    signal.throwIfAborted();
  }

  /** Call once the request has got further than in any attempt before: what ended those was not its doing, or it would end this one there. */
  absolve(attempt: Attempt): void {
    if (attempt.strikes === 0) return;
    attempt.strikes = 0;
    this.requests.absolve(attempt.ids).catch((error: unknown) => {
      this.#options.log.debug({ error }, 'taking back strikes failed');
    });
  }

  /** Takes no more requests, waits up to `graceMs` for running ones, then aborts them; they stay queued. Resolves when nothing runs. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    const timer = setTimeout(
      () => this.#abortAll(new DOMException('the process stops', 'AbortError')),
      graceMs,
    );
    this.#look();
    await this.#looking;
    // What was taken at this moment need not wait for what runs.
    if (this.#holdsMore) await this.#giveBack().catch(this.#logHeld);
    await Promise.all(this.#running.values());
    clearTimeout(timer);
    if (this.#handler !== undefined) await this.#giveBack().catch(this.#logHeld);
  }

  /** Releases requests that this process claimed but has not started. Throws `database`. */
  async #giveBack(beginning: readonly Taken[] = []): Promise<void> {
    // Reset before: an attempt that ends meanwhile is for the next look.
    this.#holdsMore = false;
    await this.requests.giveBack([...this.#running.keys(), ...beginning].flatMap(({ ids }) => ids));
  }

  async #keepLooking(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#look = resolve;
      await this.#take().catch((error: unknown) => {
        this.#holdsMore = true;
        this.#options.log.debug({ error }, 'taking requests failed: retrying');
      });
      const timer = setTimeout(resolve, LOOK_EVERY_MS);
      await promise;
      clearTimeout(timer);
    }
  }

  /** Takes as many due requests as there are free workers, one suspect at most. After a failure, the next look comes within `LOOK_EVERY_MS`. */
  async #take(): Promise<void> {
    if (this.#holdsMore) await this.#giveBack();
    const room = this.#options.workers - this.#running.size + this.#aside();
    if (room <= 0) return;
    let suspects = ![...this.#running.keys()].some(isSuspect);
    const beginning: Taken[] = [];
    const changesBefore = this.#changes;
    for (const taken of await this.requests.take(room, { suspects })) {
      // Others took it over while this process was cut off, and gave it back.
      for (const attempt of this.#running.keys())
        if (attempt.request.id === taken.request.id) attempt.abort(lost());
      if (this.#stopping.signal.aborted || (isSuspect(taken) && !suspects)) this.#holdsMore = true;
      else beginning.push(taken);
      suspects &&= !isSuspect(taken);
    }
    // Release the rest before any of them starts: if this process dies, every suspect it holds gets a strike.
    if (this.#holdsMore) await this.#giveBack(beginning);
    for (const taken of beginning) {
      const attempt = new Attempt(taken, this.#waiting);
      const end: Promise<unknown> = this.#attempt(attempt)
        .catch((error: unknown) => error instanceof TakenOver || this.#logFailure(error))
        .finally(() => {
          this.#running.delete(attempt);
          this.#look();
        });
      this.#running.set(attempt, end);
      if (this.#changes !== changesBefore) attempt.change();
    }
  }

  #aside(): number {
    return [...this.#running.keys()].filter(({ isAside }) => isAside).length;
  }

  readonly #waiting: Waiting = {
    stepAside: () => {
      const hasRoom = this.#aside() < this.#options.workers * ASIDE_PER_WORKER;
      // Its worker is free once the attempt is marked, which follows in this turn of the event loop.
      if (hasRoom) setImmediate(() => this.#look());
      return hasRoom;
    },
    leaveLane: (taken) => this.requests.leaveLane(taken),
    stopping: this.#stopping.signal,
  };

  async #attempt(attempt: Attempt): Promise<void> {
    const { request, signal } = attempt;
    if (this.#handler === undefined) return;
    if (request.strikes >= MAX_STRIKES) return this.#giveUp(attempt, 'it crashed the process too often');
    try {
      const outcome = await this.#run(attempt, this.#handler);
      signal.throwIfAborted();
      await this.#write(() => this.requests.finish(attempt, outcome));
    } catch (error) {
      const isLost = error instanceof TakenOver || signal.reason instanceof TakenOver;
      if (!isLost && (error instanceof TookTooLong || !signal.aborted))
        await this.#afterFailure(attempt, error);
      else this.#holdsMore = true;
    }
  }

  /** Runs the handler. Throws its error, or `TookTooLong` on time-out; a handler that ignores the signal keeps running. */
  async #run(attempt: Attempt, handler: QueueHandler): Promise<Outcome> {
    const { limitMs = MAX_WORK_MS } = this.#options;
    const limit = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      // Others may take their turns for hours; that is no fault of this request.
      if (attempt.waits > 0) return void timer.refresh();
      const error = new TookTooLong(`work was given up after ${limitMs} ms`);
      limit.reject(error);
      attempt.abort(error);
    }, limitMs);
    try {
      return await Promise.race([waitingAs(attempt, () => handler(attempt)), limit.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Puts a request back after a failure. An outage costs no strikes; any other error makes a dead letter at its third occurrence. */
  async #afterFailure(attempt: Attempt, error: unknown): Promise<void> {
    const { isOutage, retryAfterMs } = this.#options;
    const { request } = attempt;
    if (error instanceof NoRoom) {
      const { strikes } = attempt;
      await this.#write(() => this.requests.retry(attempt, { ...request, strikes, waitMs: NO_ROOM_MS }));
      return;
    }
    this.#logFailure(error);
    // A request that hung once is given up: its next attempt would block its lane for as long.
    const strike = error instanceof TookTooLong ? MAX_STRIKES : ERROR_STRIKES;
    const strikes = attempt.strikes + (isOutage(error) ? 0 : strike);
    const failures = request.failures + 1;
    const name = error instanceof Error ? error.name : 'an unforeseen error';
    if (strikes >= MAX_STRIKES) return this.#giveUp(attempt, name);
    if (failures > MAX_FAILURES) return this.#giveUp(attempt, 'an outage of a day');
    const waitMs = Math.min(Math.max(retryAfterMs?.(error) ?? 0, backoffMs(failures)), MAX_WAIT_MS);
    await this.#write(() => this.requests.retry(attempt, { waitMs, strikes, failures }));
    setTimeout(() => this.#look(), waitMs).unref();
  }

  async #giveUp(attempt: Attempt, reason: string): Promise<void> {
    await this.#write(() => this.requests.giveUp(attempt, reason));
    this.#options.onDeadLetter(attempt.bodies, reason, attempt.request);
  }

  /** Writes how an attempt ended. If the database is unreachable, the worker waits: finished work must not be repeated. */
  #write(write: () => Promise<void>): Promise<void> {
    const waitAfter = (error: unknown, attempt: number): number | undefined => {
      if (!isFailure(error, 'database')) return undefined;
      this.#logFailure(error);
      return this.#stopping.signal.aborted ? undefined : Math.min(backoffMs(attempt), MAX_WRITE_WAIT_MS);
    };
    return patiently(write, waitAfter, { signal: this.#stopping.signal });
  }

  readonly #logFailure = (error: unknown): void =>
    this.#options.log.error({ error }, 'an update failed: retrying');

  readonly #logHeld = (error: unknown): void =>
    this.#options.log.error({ error }, 'could not release requests; the next process to take over will');

  #abortAll(reason: Error): void {
    for (const attempt of this.#running.keys()) attempt.abort(reason);
  }
}

/** Returns the wait before the next attempt, in ms, after this many failures in a row. */
function backoffMs(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), MAX_RETRY_MS);
}

function isSuspect({ request }: Taken): boolean {
  return request.strikes >= SUSPECT_FROM_STRIKES;
}
