/** The retry policy (spec §3): whether a failed try is repeated and after how long, as pure functions. */
import { ServiceFailure } from './failure.ts';

/** The first try and two more. */
const MAX_TRIES = 3;
/** For a longer `Retry-After`, the person gets the failure at once. */
const MAX_WAIT_MS = 30_000;
/** In ms, doubled for each further try; hardly noticeable to a waiting person. */
const FIRST_DELAY_MS = 300;

/**
 * Returns whether to try again after `failure` of try number `attempt` (from 1). Only calls that almost surely did not start, or gave
 * nothing, are repeated: no connection, a reset before the answer, 429, a 5xx, or a foreign body; and one whose token was refused, once. A
 * timeout after sending (`in-doubt`) is not repeated, and neither is any answer of the service itself, documented or not: the next one
 * would be the same, and may be charged each time.
 */
export function shouldRetry(
  failure: Pick<ServiceFailure, 'kind' | 'answered' | 'refusedToken' | 'retryAfterMs'>,
  attempt: number,
): boolean {
  if (failure.refusedToken) return attempt === 1;
  if (attempt >= MAX_TRIES || failure.answered) return false;
  if ((failure.retryAfterMs ?? 0) > MAX_WAIT_MS) return false;
  return failure.kind === 'unavailable' || failure.kind === 'malformed';
}

/**
 * Returns the wait after try number `attempt`, in ms: doubles from 300 ms, spread over its upper half by `random` (0 to 1) so that callers
 * do not return all at once, and never shorter than `Retry-After`.
 */
export function retryDelayMs(attempt: number, retryAfterMs: number | undefined, random: number): number {
  const backoff = FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + random / 2);
  return (retryAfterMs ?? 0) + backoff;
}

/** Returns the wait after `error` of try number `attempt`, in ms; undefined to give up. */
export function retryWaitMs(error: unknown, attempt: number, random: number): number | undefined {
  if (!(error instanceof ServiceFailure) || !shouldRetry(error, attempt)) return undefined;
  return retryDelayMs(attempt, error.retryAfterMs, random);
}

/** Reads a `Retry-After` header (seconds or an HTTP date) as ms from `now` (ms since the epoch); undefined if it is neither. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
