/** The failure of a call to the service: its kind for people, and details for retries, the ledger and the circuit. */
import { Failure, type FailureDetails, type FailureKind } from '../../errors.ts';
import type { CallOutcome } from '../../paid-calls.ts';

export interface ServiceFailureDetails extends FailureDetails {
  /** True if the service itself answered, in its own form: another request would pay for the same answer. */
  readonly answered?: boolean;
  /** The outcome of this try for the ledger; `failed` by default. */
  readonly outcome?: CallOutcome;
  /** How long the service asks us to wait (`Retry-After`), in ms. */
  readonly retryAfterMs?: number | undefined;
  /** True for speech that broke off after its first sample: it is paid for but incomplete, so the caller may make one more call. */
  readonly brokenOff?: boolean;
  /** True if an access token was refused: the next try gets a new one. */
  readonly refusedToken?: boolean;
  /** The service's own text for an undocumented code, shortened; only for the log. */
  readonly text?: string | undefined;
}

/** Every failure of a call to the service; `kind` says what a person can do about it. */
export class ServiceFailure extends Failure {
  readonly answered: boolean;
  readonly outcome: CallOutcome;
  readonly retryAfterMs: number | undefined;
  readonly brokenOff: boolean;
  readonly refusedToken: boolean;
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

/** Makes the failure of a call that its caller, or the end of the process, cancelled. */
export function cancelled(outcome: CallOutcome = 'failed'): ServiceFailure {
  return new ServiceFailure('cancelled', 'the call was cancelled', { outcome });
}

/** Returns true for speech that broke off after its first sample: the try was charged, and the caller may request the text once more. */
export function isBrokenOff(error: unknown): boolean {
  return error instanceof ServiceFailure && error.brokenOff;
}
