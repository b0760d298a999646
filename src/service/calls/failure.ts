/** The failure of a call, and the retry policy: whether and how late a failed try is repeated, as pure functions. */
import { Failure, type FailureDetails, type FailureKind } from '../../errors.ts';
import type { CallOutcome } from '../../paid-calls.ts';

export class ServiceFailure extends Failure {
  /** True if the service itself answered, in its own form: another request would pay for the same answer. */
  readonly answered: boolean;
  /** The outcome of this try for the ledger; `failed` by default. */
  readonly outcome: CallOutcome;
  /** How long the service asks us to wait (`Retry-After`), in ms. */
  readonly retryAfterMs: number | undefined;
  /** True for speech that broke off after its first sample: it is paid for but incomplete, so the caller may make one more call. */
  readonly brokenOff: boolean;
  /** True if an access token was refused: the next try gets a new one. */
  readonly refusedToken: boolean;
  /** The service's own text for an undocumented code, shortened; only for the log. */
  readonly text: string | undefined;

  constructor(kind: FailureKind, message: string, details: ServiceFailureDetails = {}) {
    super(kind, message, details);
    this.answered = details.answered ?? false;
    this.outcome = details.outcome ?? 'failed';
    this.retryAfterMs = details.retryAfterMs;
    this.brokenOff = details.brokenOff ?? false;
    this.refusedToken = details.refusedToken ?? false;
    this.text = details.text;
  }
}

export type ServiceFailureDetails = FailureDetails & Partial<Omit<ServiceFailure, keyof Failure>>;

export function cancelled(outcome: CallOutcome = 'failed'): ServiceFailure {
  return new ServiceFailure('cancelled', 'the call was cancelled', { outcome });
}

/** The try was charged, and the caller may request the text once more. */
export function isBrokenOff(error: unknown): boolean {
  return error instanceof ServiceFailure && error.brokenOff;
}

/** The first try and two more. */
const MAX_TRIES = 3;
/** For a longer `Retry-After`, the person gets the failure at once. */
const MAX_WAIT_MS = 30_000;
/** In ms, doubled for each further try; hardly noticeable to a waiting person. */
const FIRST_DELAY_MS = 300;

/**
 * `attempt` counts from 1. Only calls that almost surely did not start, or gave nothing, are repeated: no connection, a reset before the
 * answer, 429, a 5xx, or a foreign body; and one whose token was refused, once. A timeout after sending (`in-doubt`) is not repeated, and
 * neither is any answer of the service itself: the next one would be the same, and may be charged each time.
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

/** Returns ms, or undefined to give up: 300 ms, doubled each try, spread over the upper half by `random` (0 to 1), after `Retry-After`. */
export function retryWaitMs(error: unknown, attempt: number, random = Math.random()): number | undefined {
  if (!(error instanceof ServiceFailure) || !shouldRetry(error, attempt)) return undefined;
  return (error.retryAfterMs ?? 0) + FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + random / 2);
}

/** Takes seconds or an HTTP date; returns ms from `now` (ms since the epoch), or undefined if the header is neither. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
