/** One process's part in the queue: takes requests as workers become free, attempts each, and finishes it or puts it back. */
import PQueue from 'p-queue';
import { isFailure } from '../errors.ts';
import type { Log } from '../log.ts';
import { patiently } from '../patience.ts';
import type { Database } from '../store/database.ts';
import { pauseOf } from './arrivals.ts';
import { Attempt, type QueueHandler, TookTooLong } from './attempt.ts';
import { joinProcesses } from './processes.ts';
import {
  MAX_STRIKES,
  MAX_WAIT_MS,
  type NewRequest,
  type RequestRow,
  SUSPECT_FROM_STRIKES,
} from './request-table.ts';
import { type OnTaken, Requests, type Taken, TakenOver } from './requests.ts';

export interface QueueOptions {
  /** Maximum of requests that this process handles at once. */
  readonly workers: number;
  /** Returns true for an error that passes (Telegram or the database is unreachable): the request is retried for up to a day. */
  readonly isOutage: (error: unknown) => boolean;
  /** Returns how long Telegram asks us to wait before the next attempt, in ms. */
  readonly retryAfterMs?: (error: unknown) => number | undefined;
  /** The longest attempt, in ms; `MAX_WORK_MS` by default. */
  readonly limitMs?: number;
  readonly onFailure: (error: unknown) => void;
  readonly onDeadLetter: (bodies: readonly unknown[], reason: string, request: RequestRow) => void;
  readonly log: Log;
}

/** How often to look for requests, in ms, in case a notification was lost. */
const LOOK_EVERY_MS = 1000;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 60_000;
/** After about a day of failures in a row, the failure is the request's own and not an outage. */
const MAX_FAILURES = 24 * 60;
/** Strikes for an unforeseen error; the death of its process is one, since it also counts against the others that ran there. */
const ERROR_STRIKES = 2;

/** The queue of one process, on a database that others may share. Handles nothing before `start`. */
export class Queue {
  readonly requests: Requests;
  readonly #database: Database;
  readonly #options: QueueOptions;
  /** What this process is running, by the id of the request. */
  readonly #running = new Map<number, Attempt>();
  readonly #workers = new PQueue();
  readonly #stopping = new AbortController();
  #handler: QueueHandler | undefined;
  /** The database may have assigned requests to this process that it does not run: a take failed, or an attempt was aborted. */
  #holdsMore = false;
  /** Looks for requests to take now, or once more after a look that is under way. */
  #look: () => void = () => {};
  #looking: Promise<void> = Promise.resolve();
  /**
   * Aborts running work if this process was suspended for so long that others have taken it over. Call it before any effect that others
   * would repeat: after a suspension, pending answers are read before any timer runs.
   */
  giveUpIfSlept: () => void = () => {};

  constructor(database: Database, options: QueueOptions) {
    this.#database = database;
    this.#options = options;
    this.requests = new Requests(database);
  }

  /** As `Requests.push`. Throws `database` if the updates cannot be written: then none is stored, and Telegram keeps them for a day. */
  async push(updates: readonly NewRequest[], onTaken?: OnTaken): Promise<void> {
    await this.requests.push(updates, onTaken);
    const pauses = new Set(updates.map(pauseOf));
    for (const pause of pauses) if (pause > 0) this.#lookIn(pause);
  }

  /** Starts handling, including requests left by an earlier process; called once. */
  async start(handler: QueueHandler): Promise<void> {
    this.#handler = handler;
    this.requests.onNews = (id) => {
      this.#look();
      for (const attempt of this.#running.values())
        if (attempt.rows.some((row) => String(row.id) === id)) attempt.change();
    };
    if (this.#database.engine === 'sqlite') await this.requests.recover();
    else
      this.giveUpIfSlept = joinProcesses(this.#database, this.requests, {
        log: this.#options.log,
        signal: this.#stopping.signal,
        onReconnect: () => {
          this.#look();
          for (const attempt of this.#running.values()) attempt.change();
        },
        onSlept: () => this.#abortAll(new TakenOver('this process did not run for too long')),
      });
    this.#looking = this.#keepLooking();
  }

  /** Returns whether this process runs a request; an album is known by its first part. */
  isRunning(id: number): boolean {
    return this.#running.has(id);
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
    await this.#workers.onIdle();
    clearTimeout(timer);
    // If this fails, other processes take the requests over once this process is gone.
    if (this.#handler !== undefined) await this.requests.giveBack().catch(this.#options.onFailure);
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

  #lookIn(ms: number): void {
    setTimeout(() => this.#look(), ms).unref();
  }

  /** Takes as many due requests as there are free workers, one suspect at most. After a failure, the next look comes within `LOOK_EVERY_MS`. */
  async #take(): Promise<void> {
    const holdsMore = this.#holdsMore;
    // Reset before: an attempt that ends meanwhile is for the next look.
    this.#holdsMore = false;
    if (holdsMore) await this.requests.giveBack(this.#runningRows());
    const room = this.#options.workers - this.#running.size;
    if (room <= 0 || this.#stopping.signal.aborted) return;
    const suspects = !this.#runningRows().some(isSuspect);
    const taken = await this.requests.take(room, { suspects });
    const [, ...more] = taken.filter(({ request }) => isSuspect(request));
    const begun = this.#stopping.signal.aborted ? [] : taken.filter((one) => !more.includes(one));
    if (begun.length < taken.length)
      await this.requests.giveBack([...this.#runningRows(), ...begun.flatMap(({ rows }) => rows)]);
    for (const one of begun) this.#begin(one);
  }

  #runningRows(): RequestRow[] {
    return [...this.#running.values()].flatMap(({ rows }) => rows);
  }

  #begin(taken: Taken): void {
    const { id } = taken.request;
    const { limitMs, onFailure } = this.#options;
    const attempt = new Attempt(taken, { requests: this.requests, limitMs, onFailure });
    this.#running.set(id, attempt);
    const work = async (): Promise<void> => {
      await this.#attempt(attempt).catch(onFailure);
      // Taken over and given back meanwhile, the request may be running here again.
      if (this.#running.get(id) === attempt) this.#running.delete(id);
      this.#look();
    };
    void this.#workers.add(work);
  }

  async #attempt(attempt: Attempt): Promise<void> {
    const { request, signal } = attempt;
    if (this.#handler === undefined) return;
    if (request.strikes >= MAX_STRIKES) return this.#giveUp(attempt, 'the process died of it');
    try {
      const outcome = await attempt.run(this.#handler);
      signal.throwIfAborted();
      await this.#write(() => this.requests.finish(attempt, outcome));
    } catch (error) {
      if (error instanceof TookTooLong || !(error instanceof TakenOver || signal.aborted))
        return this.#afterFailure(attempt, error);
      this.#holdsMore = true;
    }
  }

  /** Puts a request back after a failure. An outage costs no strikes; any other error makes a dead letter at its third occurrence. */
  async #afterFailure(attempt: Attempt, error: unknown): Promise<void> {
    const { isOutage, retryAfterMs, onFailure } = this.#options;
    onFailure(error);
    const { request } = attempt;
    // A request that hung once is given up: its next attempt would block its lane for as long.
    const strike = error instanceof TookTooLong ? MAX_STRIKES : ERROR_STRIKES;
    const strikes = request.strikes + (isOutage(error) ? 0 : strike);
    const failures = request.failures + 1;
    const name = error instanceof Error ? error.name : 'an unforeseen error';
    if (strikes >= MAX_STRIKES) return this.#giveUp(attempt, name);
    if (failures > MAX_FAILURES) return this.#giveUp(attempt, 'an outage of a day');
    const waitMs = Math.min(Math.max(retryAfterMs?.(error) ?? 0, backoffMs(failures)), MAX_WAIT_MS);
    await this.#write(() => this.requests.retry(attempt, { waitMs, strikes, failures }));
    this.#lookIn(waitMs);
  }

  async #giveUp({ request, rows, bodies }: Attempt, reason: string): Promise<void> {
    await this.#write(() => this.requests.giveUp({ request, rows }, reason));
    this.#options.onDeadLetter(bodies, reason, request);
  }

  /** Writes how an attempt ended. If the database is unreachable, the worker waits: finished work must not be repeated. */
  #write(write: () => Promise<void>): Promise<void> {
    const waitAfter = (error: unknown, attempt: number): number | undefined => {
      if (!isFailure(error, 'database')) return undefined;
      this.#options.onFailure(error);
      return this.#stopping.signal.aborted ? undefined : backoffMs(attempt);
    };
    return patiently(write, waitAfter, { signal: this.#stopping.signal });
  }

  #abortAll(reason: Error): void {
    for (const attempt of this.#running.values()) attempt.abort(reason);
  }
}

/** Returns the wait before the next attempt, in ms, after this many failures in a row. */
function backoffMs(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), MAX_RETRY_MS);
}

function isSuspect({ strikes }: RequestRow): boolean {
  return strikes >= SUSPECT_FROM_STRIKES;
}
