/** The circuit breaker: after repeated failures calls fail at once, and nothing is sent until a single probe succeeds. */
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

export interface CircuitOptions {
  /** How many calls in a row, each with all its tries, must fail before the circuit opens. */
  readonly failures: number;
  /** How long an open circuit waits before it lets one probe through, in ms. */
  readonly coolDownMs: number;
}

export class Circuit {
  readonly #options: CircuitOptions;
  readonly #onChange: (report: CircuitReport) => void;
  #failuresInARow = 0;
  /** On the monotonic clock, in ms: the system's may be set back. Undefined while the circuit is closed. */
  #probeAt: number | undefined;
  #isProbing = false;
  #changedAt = Date.now();
  #reason = '';

  /** `onChange` is called when the circuit opens and when it closes. */
  constructor(options: CircuitOptions, onChange: (report: CircuitReport) => void) {
    this.#options = options;
    this.#onChange = onChange;
  }

  get isOpen(): boolean {
    return this.#probeAt !== undefined;
  }

  /** In ms since the epoch; undefined while the circuit is closed. */
  get nextTryAt(): number | undefined {
    if (this.#probeAt === undefined) return undefined;
    return Date.now() + Math.ceil(Math.max(0, this.#probeAt - performance.now()));
  }

  report(): CircuitReport {
    const since = new Date(this.#changedAt).toISOString();
    const { nextTryAt } = this;
    if (nextTryAt === undefined) return { state: 'up', since };
    return { state: 'down', since, nextTry: new Date(nextTryAt).toISOString(), reason: this.#reason };
  }

  /** Admits a call, which must `leave`; true for the probe, which decides whether to close. Throws `unavailable` while open. */
  enter(): boolean {
    if (this.#probeAt === undefined) return false;
    if (this.#isProbing || performance.now() < this.#probeAt) this.throwIfOpen();
    this.#isProbing = true;
    // If the probe fails, no other is sent before this time.
    this.#probeAt = performance.now() + this.#options.coolDownMs;
    return true;
  }

  /** Throws `unavailable` if the circuit has opened: a call that still waits in line must not be sent. */
  throwIfOpen(): void {
    if (!this.isOpen) return;
    const failure = new ServiceFailure(
      'unavailable',
      'not sent: the circuit is open after repeated failures',
    );
    failure.nextTryAt = this.nextTryAt;
    throw failure;
  }

  /** A probe that proved nothing does not close the circuit. */
  leave(isProbe: boolean, kind: string, error?: unknown): void {
    if (isProbe) this.#isProbing = false;
    else if (this.isOpen) return;
    const evidence = error === undefined ? 'up' : evidenceOf(error);
    if (evidence === 'none') return;
    const wasOpen = this.isOpen;
    this.#failuresInARow = evidence === 'up' ? 0 : this.#failuresInARow + 1;
    const isDown = this.#failuresInARow >= this.#options.failures;
    this.#probeAt = isDown ? performance.now() + this.#options.coolDownMs : undefined;
    if (error instanceof ServiceFailure) this.#reason = `${kind}: ${error.message}`;
    if (isDown === wasOpen) return;
    this.#changedAt = Date.now();
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
