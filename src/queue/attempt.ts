/** The rules of attempts: how long one may take, when the next follows, and what counts against a request. */

import { MAX_WAIT_MS } from './request-row.ts';

/**
 * How much counts against a request: an unforeseen error, or the end of a process that died without a word (kill -9, a power cut). The
 * latter counts less, and against everything that ran, since nothing tells the culprit from the others.
 */
export const STRIKES = { error: 2, silentDeath: 1 } as const;
/** A request with this many strikes becomes a dead letter: after the third error. */
export const MAX_STRIKES = 6;
/** A request with this many strikes is a suspect: one suspect runs at a time, and nothing else that runs is blamed if the process dies. */
export const SUSPECT_FROM_STRIKES = MAX_STRIKES / 2;

/**
 * How long an attempt may take, in ms, before it counts as hanging: the longest speech takes a quarter of an hour if the service speaks as
 * fast as people do, and may follow a translation.
 */
export const LONGEST_WORK_MS = 30 * 60 * 1000;
/** The same for a suspect, for which all other suspects wait. */
export const LONGEST_SUSPECT_MS = 3 * 60 * 1000;

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 60_000;
/** After so many failures in a row, about a day, an outage is no outage: nothing but this request meets it. */
const MAX_FAILURES = 24 * 60;

/** What happens to a request after an attempt that failed. */
export type Verdict =
  | { readonly kind: 'retry'; readonly strikes: number; readonly failures: number; readonly waitMs: number }
  | { readonly kind: 'dead'; readonly reason: string };

interface Failed {
  readonly error: unknown;
  /** It passes by itself: Telegram or the database is out of reach. */
  readonly isOutage: boolean;
  /** How long the other side asks to wait, in ms. */
  readonly askedMs: number | undefined;
  /** Before the attempt. */
  readonly strikes: number;
  readonly failures: number;
}

/** Judges an attempt that failed. An outage costs no strikes and is waited out; anything else becomes a dead letter after three times. */
export function judge({ error, isOutage, askedMs = 0, strikes, failures }: Failed): Verdict {
  const now = { strikes: strikes + (isOutage ? 0 : strikesFor(error)), failures: failures + 1 };
  if (now.strikes >= MAX_STRIKES)
    return { kind: 'dead', reason: error instanceof Error ? error.name : 'an unforeseen error' };
  if (now.failures > MAX_FAILURES) return { kind: 'dead', reason: 'an outage of a day' };
  return {
    kind: 'retry',
    ...now,
    waitMs: Math.min(Math.max(askedMs, retryWaitMs(now.failures)), MAX_WAIT_MS),
  };
}

/** The wait before the next attempt, in ms, after this many failures in a row. */
export function retryWaitMs(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), MAX_RETRY_MS);
}

/** A request that hung once is given up: its next attempt would block its lane for as long. */
function strikesFor(error: unknown): number {
  return error instanceof TookTooLong ? MAX_STRIKES : STRIKES.error;
}

/** The attempt took too long and was given up. */
class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/**
 * Runs the work with a signal that aborts when `signal` does, or after `limitMs`. Throws the work's error, and `TookTooLong` as soon as the
 * time is over: work that ignores its signal is left to itself.
 */
export async function withinLimit<T>(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
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
    return await Promise.race([work(ending.signal), over.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
