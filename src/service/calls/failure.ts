/** A failure at the service's door: the kind people act on, and what retrying, the ledger and the circuit must know. */
import { Failure, type FailureDetails, type FailureKind } from '../../errors.ts';
import type { CallOutcome } from '../../paid-calls.ts';
import { unlessAborted } from '../../patience.ts';

export interface ServiceFailureDetails extends FailureDetails {
  /** True when the service itself answered, in its own form: asking again would only pay for the same answer. */
  readonly answered?: boolean;
  /** What the ledger is told of this try; `failed` unless said otherwise. */
  readonly outcome?: CallOutcome;
  /** ms that the service asked us to wait (`Retry-After`). */
  readonly retryAfterMs?: number | undefined;
  /** True for speech that broke off after its first sample: paid for, incomplete, worth one more call by the caller. */
  readonly brokenOff?: boolean;
  /** True where what was refused can be renewed (a token), so that it says nothing of the next call. */
  readonly isRenewable?: boolean;
  /** The service's own words for an undocumented code: bounded, for the log alone. */
  readonly text?: string | undefined;
}

/** What every failure of a call to the service is; `kind` says what a person can do about it. */
export class ServiceFailure extends Failure {
  readonly answered: boolean;
  readonly outcome: CallOutcome;
  readonly retryAfterMs: number | undefined;
  readonly brokenOff: boolean;
  readonly isRenewable: boolean;
  readonly text: string | undefined;

  constructor(kind: FailureKind, message: string, details: ServiceFailureDetails = {}) {
    super(kind, message, details);
    this.answered = details.answered ?? false;
    this.outcome = details.outcome ?? 'failed';
    this.retryAfterMs = details.retryAfterMs;
    this.brokenOff = details.brokenOff ?? false;
    this.isRenewable = details.isRenewable ?? false;
    this.text = details.text;
  }
}

/** The `cancelled` failure of a call that the caller, or the stop of the process, ended. */
export function cancelled(outcome: CallOutcome = 'failed'): ServiceFailure {
  return new ServiceFailure('cancelled', 'the call was cancelled', { outcome });
}

/** True for speech that broke off after its first sample: the try was charged, and the caller may speak the text once more. */
export function isBrokenOff(error: unknown): boolean {
  return error instanceof ServiceFailure && error.brokenOff;
}

/** What `work` gives, or a `cancelled` failure as soon as `signal` aborts (see `unlessAborted`). */
export function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return unlessAborted(work, signal, cancelled);
}
