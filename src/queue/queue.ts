/** One process's part in the queue: takes requests as workers become free, attempts each, and finishes it or puts it back. */
import { isFailure } from '../errors.ts';
import { patiently } from '../patience.ts';
import type { Database } from '../store/database.ts';
import { pauseOf } from './arrivals.ts';
import {
  backoffMs,
  judge,
  MAX_STRIKES,
  MAX_WORK_MS,
  type QueueHandler,
  type QueueOptions,
  SUSPECT_FROM_STRIKES,
  TookTooLong,
  type Work,
} from './attempt.ts';
import { Processes } from './processes.ts';
import type { NewRequest, Outcome, RequestRow } from './request-table.ts';
import { type OnTaken, Requests, type Taken, TakenOver } from './requests.ts';

/** How often to look for requests, in ms, in case a notification was lost. */
const LOOK_EVERY_MS = 1000;

interface Running extends Taken {
  readonly aborter: AbortController;
  /** Settles when the attempt has ended. */
  ended: Promise<void>;
  onChange: ((rows: readonly RequestRow[]) => void) | undefined;
  /** The request was changed after it was taken, and no listener is set yet. */
  isChanged: boolean;
}

/** The queue of one process, on a database that others may share. Handles nothing before `start`. */
export class Queue {
  readonly requests: Requests;
  readonly #database: Database;
  readonly #options: QueueOptions;
  /** What this process is running, by the id of the request. */
  readonly #running = new Map<number, Running>();
  readonly #stopping = new AbortController();
  #handler: QueueHandler | undefined;
  /** The database may have assigned requests to this process that it does not run: a take failed, or an attempt was aborted. */
  #holdsMore = false;
  /** Looks for requests to take now, or once more after a look that is under way. */
  #look: () => void = () => {};
  #looking: Promise<void> = Promise.resolve();
  #processes: Processes | undefined;

  constructor(database: Database, options: QueueOptions) {
    this.#database = database;
    this.#options = options;
    this.requests = new Requests(database);
  }

  /**
   * Stores updates; calls `onTaken` before any is handled, and resolves once they are on disk. Throws `database` if they cannot be written:
   * then none is stored, and Telegram keeps them for a day.
   */
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
      if (id !== '') this.#heardOfChange(Number(id));
    };
    if (this.#database.engine === 'sqlite') await this.requests.recover();
    else {
      const processes = new Processes(this.#database, this.requests, {
        log: this.#options.log,
        onReconnect: () => {
          this.#look();
          for (const running of this.#running.values()) this.#tell(running);
        },
        onSlept: () => this.#abortAll(new TakenOver('this process did not run for too long')),
      });
      processes.join(this.#stopping.signal);
      this.#processes = processes;
    }
    this.#looking = this.#keepLooking();
  }

  /** Returns whether this process runs a request; an album is known by its first part. */
  isRunning(id: number): boolean {
    return this.#running.has(id);
  }

  /**
   * Aborts running work if this process was suspended for so long that others have taken it over. Call it before any effect that others
   * would repeat: after a suspension, pending answers are read before any timer runs.
   */
  giveUpIfSlept = (): void => this.#processes?.giveUpIfSlept();

  /** Takes no more requests, waits up to `graceMs` for running ones, then aborts them; they stay queued. Resolves when nothing runs. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    const timer = setTimeout(
      () => this.#abortAll(new DOMException('the process stops', 'AbortError')),
      graceMs,
    );
    this.#look();
    await this.#looking;
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
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
    if (this.#holdsMore) await this.requests.giveBack(this.#runningRows());
    this.#holdsMore = false;
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
    const running: Running = {
      ...taken,
      aborter: new AbortController(),
      ended: Promise.resolve(),
      onChange: undefined,
      isChanged: false,
    };
    this.#running.set(id, running);
    running.ended = this.#attempt(running)
      .catch(this.#options.onFailure)
      .finally(() => {
        this.#running.delete(id);
        this.#look();
      });
  }

  async #attempt(running: Running): Promise<void> {
    const { request, aborter } = running;
    if (request.strikes >= MAX_STRIKES) return this.#giveUp(running, 'the process died of it');
    try {
      const outcome = await this.#handle(running);
      aborter.signal.throwIfAborted();
      await this.#write(() => this.requests.finish(running, outcome));
    } catch (error) {
      if (error instanceof TookTooLong || !(error instanceof TakenOver || aborter.signal.aborted))
        return this.#afterFailure(running, error);
      this.#holdsMore = true;
    }
  }

  /** Passes the request to the handler. Throws `TookTooLong` on time-out; a handler that ignores its signal keeps running. */
  async #handle(running: Running): Promise<Outcome> {
    const { request, rows, aborter } = running;
    const handler = this.#handler;
    if (handler === undefined) throw new Error('the queue has no handler yet');
    const { limitMs = MAX_WORK_MS } = this.#options;
    const limit = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const error = new TookTooLong(`work was given up after ${limitMs} ms`);
      limit.reject(error);
      aborter.abort(error);
    }, limitMs);
    const work: Work = {
      request,
      bodies: rows.map(({ body }) => body),
      signal: aborter.signal,
      note: (sent) => this.requests.note(request, sent),
      onChange: (listener) => {
        running.onChange = listener;
        if (running.isChanged) this.#tell(running);
      },
    };
    try {
      return await Promise.race([handler(work), limit.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #afterFailure(taken: Taken, error: unknown): Promise<void> {
    const { isOutage, retryAfterMs, onFailure } = this.#options;
    onFailure(error);
    const { strikes, failures } = taken.request;
    const failed = { error, isOutage: isOutage(error), askedMs: retryAfterMs?.(error), strikes, failures };
    const verdict = judge(failed);
    if (verdict.kind === 'dead') return this.#giveUp(taken, verdict.reason);
    await this.#write(() => this.requests.retry(taken, verdict));
    this.#lookIn(verdict.waitMs);
  }

  async #giveUp(taken: Taken, reason: string): Promise<void> {
    await this.#write(() => this.requests.giveUp(taken, reason));
    this.#options.onDeadLetter(
      taken.rows.map(({ body }) => body),
      reason,
      taken.request,
    );
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

  #heardOfChange(id: number): void {
    for (const running of this.#running.values())
      if (running.rows.some((row) => row.id === id)) this.#tell(running);
  }

  /** Gives the listener of a request its rows as they are now. */
  #tell(running: Running): void {
    const { onChange, rows } = running;
    running.isChanged = onChange === undefined;
    if (onChange === undefined) return;
    const ids = rows.map(({ id }) => id);
    this.requests.read(ids).then(onChange).catch(this.#options.onFailure);
  }

  #abortAll(reason: Error): void {
    for (const { aborter } of this.#running.values()) aborter.abort(reason);
  }
}

function isSuspect({ strikes }: RequestRow): boolean {
  return strikes >= SUSPECT_FROM_STRIKES;
}
