/** The circuit breaker: after repeated failures calls fail at once, and nothing is sent until a single probe succeeds. */
import type { CallKind } from '../../paid-calls.ts';
import { ServiceFailure } from './failure.ts';

/** The state of a circuit for operators: `down` while calls fail at once. */
export interface CircuitReport {
  readonly state: 'up' | 'down';
  /** The beginning of this state: ISO 8601. */
  readonly since: string;
  /** When the next probe may be sent, in ISO 8601. */
  readonly nextTry?: string;
  /** The call and the failure that led to it; holds no text, secret or address. */
  readonly reason?: string;
}

/** How many calls in a row, each with all its tries, must fail before a circuit opens: one bad text must not open it. */
const MAX_FAILURES = 5;
/** How long an open circuit waits before it lets one probe through, in ms: short, to notice soon that the service is back. */
const COOL_DOWN_MS = 15_000;

/** The same object from its first `enter` to its `leave`. */
interface Call {
  readonly kind: CallKind;
}

export class Circuit {
  readonly #onChange: (report: CircuitReport) => void;
  #failuresInARow = 0;
  /** On the monotonic clock, in ms: the system's may be set back. Undefined while the circuit is closed. */
  #probeAt: number | undefined;
  /** The call that decides whether to close. */
  #probe: Call | undefined;
  #since = new Date().toISOString();
  #reason = '';

  /** `onChange` is called when the circuit opens and when it closes. */
  constructor(onChange: (report: CircuitReport) => void) {
    this.#onChange = onChange;
  }

  /** In ms since the epoch; undefined while the circuit is closed. */
  get nextTryAt(): number | undefined {
    if (this.#probeAt === undefined) return undefined;
    return Date.now() + Math.ceil(Math.max(0, this.#probeAt - performance.now()));
  }

  report(): CircuitReport {
    const { nextTryAt } = this;
    if (nextTryAt === undefined) return { state: 'up', since: this.#since };
    const nextTry = new Date(nextTryAt).toISOString();
    return { state: 'down', since: this.#since, nextTry, reason: this.#reason };
  }

  /** Admits a call, which must `leave`; call it again after the wait in line. While open, throws `unavailable` to all but one probe. */
  enter(call: Call): void {
    if (this.#probeAt === undefined || this.#probe === call) return;
    if (this.#probe !== undefined || performance.now() < this.#probeAt) {
      const failure = new ServiceFailure(
        'unavailable',
        'not sent: the circuit is open after repeated failures',
      );
      failure.nextTryAt = this.nextTryAt;
      throw failure;
    }
    this.#probe = call;
    // If the probe fails, no other is sent before this time.
    this.#probeAt = performance.now() + COOL_DOWN_MS;
  }

  /** A probe that proved nothing does not close the circuit; while it is open, only a successful probe closes it. */
  leave(call: Call, error?: unknown): void {
    const wasOpen = this.#probeAt !== undefined;
    if (wasOpen && this.#probe !== call) return;
    this.#probe = undefined;
    const evidence = error === undefined ? 'up' : evidenceOf(error);
    if (evidence === 'none') return;
    this.#failuresInARow = evidence === 'up' ? 0 : this.#failuresInARow + 1;
    const isDown = this.#failuresInARow >= MAX_FAILURES;
    this.#probeAt = isDown ? performance.now() + COOL_DOWN_MS : undefined;
    if (error instanceof ServiceFailure) this.#reason = `${call.kind}: ${error.message}`;
    if (isDown === wasOpen) return;
    this.#since = new Date().toISOString();
    this.#onChange(this.report());
  }
}

/**
 * An answer in the service's own form, even a refusal, proves that it is up, unless it refuses a token that it has just issued. A timeout or
 * a foreign answer counts against it like a missing connection, since each may cost money.
 */
function evidenceOf(error: unknown): 'up' | 'down' | 'none' {
  if (!(error instanceof ServiceFailure)) return 'none';
  if (error.answered && !error.refusedToken) return 'up';
  return ['unavailable', 'in-doubt', 'malformed'].includes(error.kind) ? 'down' : 'none';
}
