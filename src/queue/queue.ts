/** One process's part in the queue: takes requests as workers become free, attempts each, and finishes it or puts it back. */
import { isFailure } from '../errors.ts';
import { patiently } from '../patience.ts';
import type { Database } from '../store/database.ts';
import { pauseOf } from './arrivals.ts';
import {
  backoffMs,
  judge,
  MAX_STRIKES,
  MAX_SUSPECT_MS,
  MAX_WORK_MS,
  type QueueHandler,
  type QueueOptions,
  STRIKES,
  SUSPECT_FROM_STRIKES,
  type Work,
  withinLimit,
} from './attempt.ts';
import { Processes } from './processes.ts';
import type { NewRequest, RequestRow } from './request-row.ts';
import { type OnTaken, Requests, TakenOver } from './requests.ts';

/** How often to look for requests, in ms, in case a notification was lost. */
const LOOK_EVERY_MS = 1000;

interface Running {
  /** The request, or all parts of an album. */
  readonly rows: readonly RequestRow[];
  readonly aborter: AbortController;
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
  /** A take failed, so the database may have assigned requests to this process that it does not know of. */
  #isInDoubt = false;
  /** Ends the wait for the next look. */
  #wake: () => void = () => {};
  #looking: Promise<void> = Promise.resolve();
  #processes: Processes | undefined;
  #whenIdle: (() => void) | undefined;

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
    this.requests.on('changed', (id) => void this.#heardOfChange(id).catch(this.#options.onFailure));
    if (this.#database.engine === 'sqlite') {
      await this.requests.recover();
      this.requests.on('due', this.#look);
    } else {
      const processes = new Processes(this.#database, this.requests, {
        log: this.#options.log,
        onDue: this.#look,
        onReconnect: () => {
          this.#look();
          for (const id of this.#running.keys()) this.requests.emit('changed', id);
        },
        onSlept: () => this.#abortAll(new TakenOver('this process did not run for too long')),
      });
      await processes.join(this.#stopping.signal);
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
    if (this.#running.size > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
    clearTimeout(timer);
    // If this fails, other processes take the requests over once this process is gone.
    if (this.#handler !== undefined)
      await this.requests.giveBack([this.requests.process]).catch(this.#options.onFailure);
  }

  /** Looks for requests to take now, or once more after a look that is under way. */
  readonly #look = (): void => this.#wake();

  async #keepLooking(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await this.#take().catch((error: unknown) => {
        this.#isInDoubt = true;
        this.#options.log.debug({ error }, 'taking requests failed: retrying');
      });
      const timer = setTimeout(resolve, LOOK_EVERY_MS);
      await promise;
      clearTimeout(timer);
    }
  }

  #lookIn(ms: number): void {
    setTimeout(this.#look, ms).unref();
  }

  /** Takes as many due requests as there are free workers. After a failure, the next look comes within `LOOK_EVERY_MS`. */
  async #take(): Promise<void> {
    if (this.#isInDoubt)
      await this.requests.giveBack(
        [this.requests.process],
        this.#runningRows().map(({ id }) => id),
      );
    this.#isInDoubt = false;
    const room = this.#options.workers - this.#running.size;
    if (room <= 0 || this.#stopping.signal.aborted) return;
    const isSuspectRunning = this.#runningRows().some(isSuspected);
    const strike = isSuspectRunning ? 0 : STRIKES.silentDeath;
    const suspectsFrom = isSuspectRunning ? SUSPECT_FROM_STRIKES : undefined;
    const taken = await this.requests.take(room, { strike, suspectsFrom });
    if (this.#stopping.signal.aborted) return this.#putBack(taken);
    const [suspect, ...more] = taken.filter((rows) => rows.some(isSuspected));
    await this.#putBack(more);
    const innocent = taken.filter((rows) => !rows.some(isSuspected));
    if (suspect !== undefined) {
      await this.requests.acquit([...innocent.flat(), ...this.#runningRows()]);
      this.#begin(suspect);
    }
    for (const rows of innocent) this.#begin(rows);
  }

  /** Gives back requests that were taken but not begun, without a strike. */
  async #putBack(taken: readonly (readonly RequestRow[])[]): Promise<void> {
    for (const rows of taken) await this.#giveBack(rows);
  }

  /** Puts a request back as it was before it was taken. */
  async #giveBack(rows: readonly RequestRow[]): Promise<void> {
    const [first] = rows;
    if (first !== undefined) await this.requests.retry(rows, { ...first, waitMs: 0 });
  }

  #runningRows(): RequestRow[] {
    return [...this.#running.values()].flatMap(({ rows }) => rows);
  }

  #begin(rows: readonly RequestRow[]): void {
    const [first] = rows;
    if (first === undefined) return;
    const running: Running = {
      rows,
      aborter: new AbortController(),
      onChange: undefined,
      isChanged: false,
    };
    this.#running.set(first.id, running);
    void this.#attempt(first, running)
      .catch(this.#options.onFailure)
      .finally(() => {
        this.#running.delete(first.id);
        if (this.#running.size === 0) this.#whenIdle?.();
        this.#look();
      });
  }

  async #attempt(first: RequestRow, running: Running): Promise<void> {
    const handler = this.#handler;
    if (handler === undefined) return;
    const { rows } = running;
    const { signal } = running.aborter;
    if (first.strikes >= MAX_STRIKES) return this.#giveUp(rows, 'the process died of it');
    const work: Omit<Work, 'signal'> = {
      request: first,
      bodies: rows.map(({ body }) => body),
      note: (sent) => this.requests.note(first, sent),
      onChange: (listener) => {
        running.onChange = listener;
        if (running.isChanged) this.#tell(running).catch(this.#options.onFailure);
      },
    };
    const { limitMs = MAX_WORK_MS } = this.#options;
    const limit = isSuspected(first) ? Math.min(limitMs, MAX_SUSPECT_MS) : limitMs;
    try {
      const outcome = await withinLimit(limit, signal, (signal) => handler({ ...work, signal }));
      if (signal.aborted) throw signal.reason;
      await this.#write(() => this.requests.finish(rows, outcome));
    } catch (error) {
      await this.#afterFailure(rows, signal, error);
    }
  }

  async #afterFailure(rows: readonly RequestRow[], signal: AbortSignal, error: unknown): Promise<void> {
    const [first] = rows;
    if (first === undefined) return;
    if (error instanceof TakenOver || signal.aborted) {
      // Gives back what no other process has taken over.
      await this.#write(() => this.#giveBack(rows));
      return;
    }
    this.#options.onFailure(error);
    const { isOutage, retryAfterMs } = this.#options;
    const verdict = judge({
      error,
      isOutage: isOutage(error),
      askedMs: retryAfterMs?.(error),
      strikes: first.strikes,
      failures: first.failures,
    });
    if (verdict.kind === 'dead') return this.#giveUp(rows, verdict.reason);
    await this.#write(() => this.requests.retry(rows, verdict));
    this.#lookIn(verdict.waitMs);
  }

  async #giveUp(rows: readonly RequestRow[], reason: string): Promise<void> {
    const [first] = rows;
    if (first === undefined) return;
    await this.#write(() => this.requests.giveUp(rows, reason));
    this.#options.onDeadLetter(
      rows.map(({ body }) => body),
      reason,
      first,
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

  async #heardOfChange(id: number): Promise<void> {
    const running = [...this.#running.values()].find(({ rows }) => rows.some((row) => row.id === id));
    if (running !== undefined) await this.#tell(running);
  }

  async #tell(running: Running): Promise<void> {
    running.isChanged = running.onChange === undefined;
    if (!running.isChanged) running.onChange?.(await this.requests.read(running.rows.map(({ id }) => id)));
  }

  #abortAll(reason: Error): void {
    for (const { aborter } of this.#running.values()) aborter.abort(reason);
  }
}

function isSuspected({ strikes }: RequestRow): boolean {
  return strikes >= SUSPECT_FROM_STRIKES;
}
