/** Retrying as a pure policy with a price: whether, and after how long, a failed try is made again (spec §3). */
import { patiently } from '../../patience.ts';
import { ServiceFailure } from './failure.ts';

/** The first try and two more. */
const MAX_TRIES = 3;
/** A longer `Retry-After` is not waited for: a person is told at once instead. */
const LONGEST_WAIT_MS = 30_000;
/** Doubled for each further try: a person who waits hardly notices one. */
const FIRST_DELAY_MS = 300;

/**
 * Whether to try again after `failure`, the outcome of try number `attempt` (from 1).
 * Only what almost surely did not start, or gave nothing: no connection, a reset before the answer, 429, a 5xx, or a
 * body that is not the service's own. Never a timeout of a sent call (`in-doubt`), and never what the service itself
 * answered, documented or not: its answer is the same the next time, and each time may be charged.
 */
export function shouldRetry(
  failure: Pick<ServiceFailure, 'kind' | 'answered' | 'brokenOff' | 'retryAfterMs'>,
  attempt: number,
): boolean {
  if (attempt >= MAX_TRIES || failure.answered || failure.brokenOff) return false;
  if ((failure.retryAfterMs ?? 0) > LONGEST_WAIT_MS) return false;
  return failure.kind === 'unavailable' || failure.kind === 'malformed';
}

/**
 * How long to wait after try number `attempt`, in ms: doubling from 300 ms, spread over its upper half by `random`
 * (0 to 1) so that many callers do not come back at once, and never less than the service's `Retry-After`.
 */
export function retryDelayMs(attempt: number, retryAfterMs: number | undefined, random: number): number {
  const backoff = FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + random / 2);
  return (retryAfterMs ?? 0) + backoff;
}

/** A `Retry-After` header as ms from `now` (ms since the epoch): seconds or an HTTP date; undefined when it is neither. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

interface Retrying {
  readonly signal: AbortSignal;
  random(): number;
  /** False ends the tries early, whatever the policy says. */
  mayRetry?(): boolean;
}

/**
 * What `attempt` gives in one of its tries, numbered from 1; throws what the last one threw. When the signal aborts in a wait, the next try is
 * begun at once, and has to throw `cancelled`.
 */
export function withRetries<T>(
  attempt: (number: number) => Promise<T>,
  { signal, random, mayRetry = () => true }: Retrying,
): Promise<T> {
  const waitAfter = (error: unknown, number: number): number | undefined =>
    error instanceof ServiceFailure && shouldRetry(error, number) && mayRetry()
      ? retryDelayMs(number, error.retryAfterMs, random())
      : undefined;
  return patiently(attempt, waitAfter, { signal });
}
