/** Makes one attempt at a piece of work, which is then done, tried again later, or given up. */
import type { Job } from './lanes.ts';
import type { QueueHandler, QueueOptions, Work } from './queue.ts';
import { MAX_STRIKES, type QueueRow, STRIKES, SUSPECT_FROM_STRIKES, TakenOver } from './queue-rows.ts';

/** The work of an update, or of all parts of an album. */
export interface UpdateJob extends Job {
  /** The rows of the update, or of all parts of an album. */
  readonly rows: readonly QueueRow[];
  /** Message ids of confirmed answers. */
  readonly confirmed: readonly number[];
  /** True once only the removal is left. */
  readonly isHandled: boolean;
  /** Tasks for when the rows are gone. */
  readonly onceGone: readonly (() => Promise<void>)[];
  /** Failures in a row, in this process. */
  readonly failures: number;
  /** Outages in a row, in this process, that only this work met. */
  readonly ownOutages: number;
}

/** Makes the job of an update, or of all parts of an album, due at `dueAt` (ms of `performance.now()`). */
export function toJob(rows: readonly QueueRow[], dueAt: number): UpdateJob {
  return {
    lane: rows[0]?.lane ?? '',
    rows,
    dueAt,
    isSuspect: strikesOf(rows) >= SUSPECT_FROM_STRIKES,
    confirmed: rows[0]?.confirmed ?? [],
    isHandled: false,
    onceGone: [],
    failures: 0,
    ownOutages: 0,
  };
}

/** The strikes of work: those of the part that has most. */
function strikesOf(rows: readonly QueueRow[]): number {
  return Math.max(0, ...rows.map(({ strikes }) => strikes));
}

/** The rows that an attempt reads and writes, durably; all methods throw when the database does not answer. */
export interface AttemptRows {
  /** The updates themselves, read from disk if memory does not hold them. */
  bodies(rows: readonly QueueRow[]): Promise<unknown[]>;
  /** Sets the rows' strikes to this many more than they say. Throws `TakenOver` if another process has them. */
  strike(rows: readonly QueueRow[], strikes: number): Promise<QueueRow[]>;
  confirm(rows: readonly QueueRow[], confirmed: readonly number[]): Promise<void>;
  remove(rows: readonly QueueRow[]): Promise<void>;
  deadLetter(rows: readonly QueueRow[], reason: string): Promise<void>;
}

interface AttemptOptions extends Omit<QueueOptions, 'workers'> {
  readonly rows: AttemptRows;
  readonly handler: QueueHandler;
  /** For an attempt that begins now: aborts when the process stops for good, and with `TakenOver` when another one takes the work over. */
  readonly signal: () => AbortSignal;
}

/** After so many outages in a row that only this work met, it is given up. */
const MOST_OWN_OUTAGES = 3;

/**
 * How long work may take, in ms, before it counts as hanging: the longest speech takes a quarter of an hour if the service speaks as fast
 * as people do, and may follow a translation.
 */
const LONGEST_WORK_MS = 30 * 60 * 1000;
/** The same for a suspect, for which all other suspects wait. */
const LONGEST_SUSPECT_MS = 3 * 60 * 1000;

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 60_000;

/** The wait before the next attempt, in ms, after this many failures in a row. */
function retryWaitMs(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS);
}

/** Makes the function that attempts a job; it gives the job back if it is to be tried again, and never throws. */
export function createAttempt<J extends UpdateJob>(
  options: AttemptOptions,
): (job: J) => Promise<J | undefined> {
  const { rows, handler, onFailure, ownOutage, limitMs = LONGEST_WORK_MS } = options;

  const running = new Set<J>();

  /** Enters, before the work begins, the strike that it costs if the process dies of it. While a suspect runs, nothing else is blamed. */
  const strikeInAdvance = async (job: J): Promise<void> => {
    const others = [...running].filter((other) => other !== job);
    if (!job.isSuspect) {
      const isBlamed = !others.some(({ isSuspect }) => isSuspect);
      await rows.strike(job.rows, isBlamed ? STRIKES.silentDeath : 0);
      return;
    }
    for (const bystander of others) {
      await rows.strike(bystander.rows, 0).catch((error: unknown) => {
        // It has just ended, or belongs to another process: not ours to write.
        if (!(error instanceof TakenOver)) onFailure(error);
      });
    }
    await rows.strike(job.rows, STRIKES.silentDeath);
  };

  const giveUp = async (givenUp: readonly QueueRow[], reason: string, isTold = false): Promise<undefined> => {
    const bodies = await rows.bodies(givenUp);
    await rows.deadLetter(givenUp, reason);
    options.onDeadLetter(bodies, reason, isTold);
  };

  /** How many outages in a row only this work has met, including this one. */
  const ownOutagesOf = async (job: J, signal: AbortSignal, error: unknown): Promise<number> => {
    if (ownOutage === undefined || !options.isOutage(error)) return 0;
    const isOwn = await ownOutage.isOwn(error, await rows.bodies(job.rows), signal);
    return isOwn ? job.ownOutages + 1 : 0;
  };

  /** The apology is the last test: if it fails, too, everybody has the outage, and the work waits. */
  const isGivenUp = async (job: J, signal: AbortSignal, ownOutages: number): Promise<boolean> => {
    if (ownOutage === undefined || ownOutages < MOST_OWN_OUTAGES) return false;
    return ownOutage.apologise(await rows.bodies(job.rows), signal);
  };

  const handle = async (
    job: J,
    signal: AbortSignal,
    { onConfirmed, onceGone }: { onConfirmed: (messageId: number) => Promise<void> } & Pick<Work, 'onceGone'>,
  ): Promise<void> => {
    await strikeInAdvance(job);
    const bodies = await rows.bodies(job.rows);
    const answers = { confirmed: job.confirmed, confirm: onConfirmed };
    const mayHaveBegun = job.failures > 0 || !job.rows.every(({ isNew }) => isNew);
    const limit = job.isSuspect ? Math.min(limitMs, LONGEST_SUSPECT_MS) : limitMs;
    await withinLimit(limit, signal, (signal) =>
      handler({ bodies, signal, answers, mayHaveBegun, onceGone }),
    );
    if (signal.aborted) throw signal.reason;
  };

  const afterFailure = async (job: J, signal: AbortSignal, error: unknown): Promise<J | undefined> => {
    const isStopped = signal.aborted;
    if (error instanceof TakenOver || signal.reason instanceof TakenOver) return undefined;
    if (!isStopped) onFailure(error);
    const isBlameless = isStopped || job.isHandled || options.isOutage(error);
    const failures = job.failures + 1;
    const later = { ...job, failures, dueAt: performance.now() + retryWaitMs(failures) };
    try {
      const strikes = isBlameless ? 0 : strikesFor(error);
      const struck = await rows.strike(job.rows, strikes);
      if (isStopped) return undefined;
      const inAll = strikesOf(struck);
      if (inAll >= MAX_STRIKES)
        return await giveUp(struck, error instanceof Error ? error.name : 'an unforeseen error');
      const ownOutages = await ownOutagesOf(job, signal, error);
      if (await isGivenUp(job, signal, ownOutages)) return await giveUp(struck, 'an outage of its own', true);
      return { ...later, rows: struck, isSuspect: inAll >= SUSPECT_FROM_STRIKES, ownOutages };
    } catch (writeError) {
      // The database is out of reach: the rows are unchanged, and so is the job.
      onFailure(writeError);
      return isStopped ? undefined : later;
    }
  };

  return async (job) => {
    const signal = options.signal();
    // Within this process an answer counts as confirmed even if the database was away and could not note it.
    const confirmed = [...job.confirmed];
    const onceGone = [...job.onceGone];
    let { isHandled } = job;
    try {
      if (strikesOf(job.rows) >= MAX_STRIKES) return await giveUp(job.rows, 'the process died of it');
      if (!isHandled) {
        running.add(job);
        await handle(job, signal, {
          onConfirmed: async (messageId) => {
            confirmed.push(messageId);
            await rows.confirm(job.rows, confirmed);
          },
          onceGone: (task) => void onceGone.push(task),
        });
        isHandled = true;
      }
      await rows.remove(job.rows);
    } catch (error) {
      return afterFailure({ ...job, confirmed, isHandled, onceGone }, signal, error);
    } finally {
      running.delete(job);
    }
    for (const task of onceGone) await task().catch(onFailure);
    return undefined;
  };
}

/** Work that hung once is given up: its next attempt would block its lane for as long. */
function strikesFor(error: unknown): number {
  return error instanceof TookTooLong ? MAX_STRIKES : STRIKES.error;
}

/** The work took too long and was given up. */
class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/**
 * Runs the work with a signal that aborts when `signal` does, or after `limitMs`. Throws the work's error, and `TookTooLong` as soon as the
 * time is over: work that ignores its signal is left to itself.
 */
async function withinLimit(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const ending = new AbortController();
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new TookTooLong(`work was given up after ${limitMs} ms`);
    over.reject(error);
    ending.abort(error);
  }, limitMs);
  // AbortSignal.any keeps some memory for every piece of work if a signal lives as long as the process.
  const onAbort = (): void => ending.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([work(ending.signal), over.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
