/** Waiting: for a while, for what comes by itself, for work that may succeed when it is tried again, and for one's turn of the event loop. */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { Failure, isFailure, isShortage } from './errors.ts';

/** Resolves after so many ms, or as soon as `signal` aborts; never rejects: the caller looks at the signal next. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}

/**
 * What `work` gives, or, as soon as `signal` aborts, a rejection with what `reason` makes. The work itself goes on: a caller that needs
 * it stopped passes it the signal as well.
 */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  reason: () => Error,
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(reason());
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The reason of an aborted signal where that is a `Failure`, else a new one of kind `cancelled`. */
export function cancellation(signal: AbortSignal): Failure {
  return isFailure(signal.reason)
    ? signal.reason
    : new Failure('cancelled', 'the work was cancelled', { cause: signal.reason });
}

/** Throws the `cancellation` of a signal that is aborted. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancellation(signal);
}

/** What `work` gives, or the `cancellation` as soon as the signal aborts: for work that cannot be interrupted. */
export async function unlessCancelled<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal === undefined ? work : unlessAborted(work, signal, () => cancellation(signal));
}

/** What `look` finds, looked for every so many ms; undefined when `signal` aborts before there is anything. Throws what `look` throws. */
export async function eventually<T>(
  look: () => T | undefined | Promise<T | undefined>,
  everyMs: number,
  signal?: AbortSignal,
): Promise<T | undefined> {
  while (!signal?.aborted) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(everyMs, signal);
  }
  return undefined;
}

/**
 * Does the work for each of these, in their order and so many at once. After one that fails nothing more is begun; its error is thrown when
 * those under way have ended, too.
 */
export async function eachInTurn<T extends object>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const goOn = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await work(next).catch((error: unknown) => {
        waiting.length = 0;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, goOn));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

interface Trying {
  /** Its abort ends a wait early; the work is begun once more, and heeds the signal itself. */
  readonly signal?: AbortSignal | undefined;
  /** False: the waiting keeps no process alive. */
  readonly ref?: boolean;
}

/**
 * What `work` gives in one of its tries, numbered from 1. After one that failed `waitAfter` says how long to wait, in ms, until the
 * next; where it gives undefined the error is thrown.
 */
export async function patiently<T>(
  work: (attempt: number) => Promise<T>,
  waitAfter: (error: unknown, attempt: number) => number | undefined,
  { signal, ref = true }: Trying = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      const waitMs = waitAfter(error, attempt);
      if (waitMs === undefined) throw error;
      await delay(waitMs, undefined, { signal, ref }).catch(() => {});
    }
  }
}

interface ShortagePatience {
  /** The wait before the second try; each further one is twice as long, up to `mostMs`. */
  readonly firstMs: number;
  /** As `firstMs` unless given: then all waits are alike. */
  readonly mostMs?: number;
  /** How long after the first shortage the work is begun once more; unless given, for as long as it takes. */
  readonly withinMs?: number;
  /** Its abort ends a wait early; the work is begun once more, and heeds the signal itself. */
  readonly signal?: AbortSignal;
  /** Where it gives false, a shortage is thrown like any other error. */
  readonly mayRepeat?: (error: unknown) => boolean;
  /** Told of every shortage that is waited out. */
  readonly onShortage?: (error: unknown) => void;
}

/** Does the work, again and again while the machine is short of something; throws whatever else it throws. Waiting keeps no process alive. */
export function outlastShortage<T>(
  work: () => Promise<T>,
  { firstMs, mostMs = firstMs, withinMs = Number.POSITIVE_INFINITY, ...patience }: ShortagePatience,
): Promise<T> {
  const { signal, mayRepeat = () => true, onShortage } = patience;
  let until: number | undefined;
  const waitAfter = (error: unknown, attempt: number): number | undefined => {
    until ??= performance.now() + withinMs;
    if (!isShortage(error) || !mayRepeat(error) || performance.now() >= until) return undefined;
    onShortage?.(error);
    return Math.min(firstMs * 2 ** (attempt - 1), mostMs);
  };
  return patiently(work, waitAfter, { signal, ref: false });
}

/** How long other work waits at most for long work that yields, in ms, where steps are short: by time, since machines differ. */
const LONGEST_SLICE_MS = 3;

/**
 * Makes a function that is awaited between two steps of the work. It gives undefined while this turn of the event loop is young, else a
 * promise that resolves in the next turn. Meanwhile answers are read and timers run.
 */
export function createYield(): () => Promise<void> | undefined {
  let beganAt: number | undefined;
  const begin = (): void => {
    beganAt = performance.now();
    setImmediate(() => {
      beganAt = undefined;
    });
  };
  const goOn = async (): Promise<void> => {
    await nextTurn();
    begin();
  };
  return () => {
    if (beganAt === undefined) begin();
    else if (performance.now() - beganAt > LONGEST_SLICE_MS) return goOn();
    return undefined;
  };
}
