/** One attempt at a piece of work, and what comes of it: done, tried again later, or given up. */
import { strikesOf, type UpdateJob } from './lanes.ts';
import type { QueueHandler, QueueOptions, Work } from './queue.ts';
import { ALONE_FROM_STRIKES, MAX_STRIKES, type QueueRow, STRIKES, TakenOver } from './queue-rows.ts';

/** What an attempt reads, and what it writes down, durably; all throw when the database does not answer. */
export interface AttemptRows {
  /** The updates themselves, from the disk where memory does not hold them. */
  bodies(rows: readonly QueueRow[]): Promise<unknown[]>;
  /** Writes so many strikes more than these rows tell of. Throws `TakenOver` where they are another process's. */
  strike(rows: readonly QueueRow[], strikes: number): Promise<QueueRow[]>;
  confirm(rows: readonly QueueRow[], confirmed: readonly number[]): Promise<void>;
  remove(rows: readonly QueueRow[]): Promise<void>;
  deadLetter(rows: readonly QueueRow[], reason: string): Promise<void>;
}

interface AttemptOptions extends Omit<QueueOptions, 'workers'> {
  readonly rows: AttemptRows;
  readonly handler: QueueHandler;
  /** What an attempt that begins now heeds: aborts when the process stops for good, and with `TakenOver` when that has come true. */
  readonly signal: () => AbortSignal;
}

/** Work that has met an outage alone so often in a row is given up. */
const MOST_OWN_TROUBLES = 3;

/**
 * Work that takes longer hangs, in ms: the longest speech takes a quarter of an hour where the service speaks as fast as people
 * do, and may come after a translation.
 */
const LONGEST_WORK_MS = 30 * 60 * 1000;
/** The same for a suspect: all other suspects wait for it. */
const LONGEST_WORK_ALONE_MS = 3 * 60 * 1000;

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 60_000;

/** How long failed work waits before it is tried again, in ms, by how often it has failed in a row. */
function retryWaitMs(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS);
}

/** Gives the job back if it is to be tried again; never throws. */
export function createAttempt<J extends UpdateJob>(
  options: AttemptOptions,
): (job: J) => Promise<J | undefined> {
  const { rows, handler, onFailure, ownTrouble, limitMs = LONGEST_WORK_MS } = options;

  const running = new Set<J>();

  /**
   * Written before the work is begun: should the process die of it without a word, this is what is left to tell. Beside a suspect nothing else
   * is blamed.
   */
  const accuse = async (job: J): Promise<void> => {
    const others = [...running].filter((other) => other !== job);
    if (!job.alone) {
      const isBlamed = !others.some(({ alone }) => alone);
      await rows.strike(job.rows, isBlamed ? STRIKES.silentDeath : 0);
      return;
    }
    for (const bystander of others) {
      await rows.strike(bystander.rows, 0).catch((error: unknown) => {
        // It has just ended, or is another process's: nothing of it is ours to write.
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

  /** How often in a row the work has met an outage alone, this one included. */
  const ownTroublesOf = async (job: J, signal: AbortSignal, error: unknown): Promise<number> => {
    if (ownTrouble === undefined || !options.isOutage(error)) return 0;
    const isOwn = await ownTrouble.isOwn(error, await rows.bodies(job.rows), signal);
    return isOwn ? job.ownTroubles + 1 : 0;
  };

  /** The apology is the last test: where not even that comes through, it is everybody's outage, and is waited out. */
  const isGivenUp = async (job: J, signal: AbortSignal, ownTroubles: number): Promise<boolean> => {
    if (ownTrouble === undefined || ownTroubles < MOST_OWN_TROUBLES) return false;
    return ownTrouble.apologise(await rows.bodies(job.rows), signal);
  };

  const handle = async (
    job: J,
    signal: AbortSignal,
    { onConfirmed, onceGone }: { onConfirmed: (messageId: number) => Promise<void> } & Pick<Work, 'onceGone'>,
  ): Promise<void> => {
    await accuse(job);
    const bodies = await rows.bodies(job.rows);
    const answers = { confirmed: job.confirmed, confirm: onConfirmed };
    const mayHaveBegun = job.failures > 0 || !job.rows.every(({ isNew }) => isNew);
    const limit = job.alone ? Math.min(limitMs, LONGEST_WORK_ALONE_MS) : limitMs;
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
      const ownTroubles = await ownTroublesOf(job, signal, error);
      if (await isGivenUp(job, signal, ownTroubles))
        return await giveUp(struck, 'an outage of its own', true);
      return { ...later, rows: struck, alone: inAll >= ALONE_FROM_STRIKES, ownTroubles };
    } catch (writeError) {
      // The database is out of reach: the rows are as they were, and so is the job.
      onFailure(writeError);
      return isStopped ? undefined : later;
    }
  };

  return async (job) => {
    const signal = options.signal();
    // Also what could not be written down while the database was away counts as confirmed, as long as this process lives.
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

/** Work that hung once is not begun again: its next attempt would hold its lane up for as long. */
function strikesFor(error: unknown): number {
  return error instanceof TookTooLong ? MAX_STRIKES : STRIKES.error;
}

/** The work was given up because of its time. */
class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/**
 * Does the work with a signal that aborts when `signal` does, or after `limitMs`. Throws what the work throws, and
 * `TookTooLong` as soon as the time is over: work that does not even heed its signal is left to itself.
 */
export async function withinLimit(
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
  // Not AbortSignal.any: with a signal that lives as long as the process it keeps some memory for every piece of work.
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
