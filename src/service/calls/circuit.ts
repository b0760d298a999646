/** The circuit breaker: after repeated failures calls fail at once, and nothing is sent until a single probe succeeds. */
import { ServiceFailure } from './failure.ts';

export type CircuitState = 'closed' | 'open' | 'half-open';

/** The state of a circuit for operators: `down` while calls fail at once. */
export interface CircuitReport {
  readonly state: 'up' | 'down';
  /** The beginning of this state: ISO 8601. */
  readonly since: string;
  /** When the next call may be sent to see whether the provider is up again: ISO 8601. */
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

/** `half-open`: the probe is under way. */
export class Circuit {
  readonly #options: CircuitOptions;
  readonly #onChange: () => void;
  #state: CircuitState = 'closed';
  #failuresInARow = 0;
  /** On the monotonic clock, in ms: the system's may be set back. */
  #probeAt = 0;
  #changedAt = Date.now();
  #reason = '';

  /** Begins closed; `onChange` is called when it opens and when it closes. */
  constructor(options: CircuitOptions, onChange: () => void) {
    this.#options = options;
    this.#onChange = onChange;
  }

  get state(): CircuitState {
    return this.#state;
  }

  report(): CircuitReport {
    const since = new Date(this.#changedAt).toISOString();
    const { nextTryAt } = this;
    if (nextTryAt === undefined) return { state: 'up', since };
    return { state: 'down', since, nextTry: new Date(nextTryAt).toISOString(), reason: this.#reason };
  }

  /** When the next probe may be sent, in ms since the epoch; undefined while the circuit is closed. */
  get nextTryAt(): number | undefined {
    if (this.#state === 'closed') return undefined;
    return Date.now() + Math.ceil(Math.max(0, this.#probeAt - performance.now()));
  }

  /** Admits a call, which must `leave`; returns true for the probe, which decides whether the circuit closes. Throws `CircuitOpen`. */
  enter(): boolean {
    const isProbe = this.#state === 'open' && performance.now() >= this.#probeAt;
    if (!isProbe) this.throwUnlessClosed();
    else {
      // If the probe fails, no other is sent before this time.
      this.#probeAt = performance.now() + this.#options.coolDownMs;
      this.#become('half-open');
    }
    return isProbe;
  }

  /** Throws `CircuitOpen` if the circuit has opened: a call that still waits in line must not be sent. */
  throwUnlessClosed(): void {
    if (this.#state !== 'closed') throw new CircuitOpen(this.nextTryAt);
  }

  /** Records how a call of this kind ended, by its error. A probe that proved nothing does not close the circuit. */
  leave(isProbe: boolean, kind: string, error?: unknown): void {
    const evidence = error === undefined ? 'up' : evidenceOf(error);
    if (!isProbe && (this.#state !== 'closed' || evidence === 'none')) return;
    if (evidence === 'up') {
      this.#failuresInARow = 0;
      if (this.#state !== 'closed') this.#become('closed');
      return;
    }
    this.#failuresInARow += 1;
    if (!isProbe && this.#failuresInARow < this.#options.failures) return;
    this.#probeAt = performance.now() + this.#options.coolDownMs;
    if (error instanceof ServiceFailure) this.#reason = `${kind}: ${error.message}`;
    this.#become('open');
  }

  #become(state: CircuitState): void {
    const hasChanged = (this.#state === 'closed') !== (state === 'closed');
    this.#state = state;
    if (!hasChanged) return;
    this.#changedAt = Date.now();
    this.#onChange();
  }
}

/** The failure of a call that was not sent because the circuit is open; it is no evidence about the service. */
class CircuitOpen extends ServiceFailure {
  constructor(nextTryAt: number | undefined) {
    super('unavailable', 'not sent: the circuit is open after repeated failures');
    this.nextTryAt = nextTryAt;
  }
}

/**
 * Tells what a failed call proves about the service. An answer in its own form, even a refusal, proves that it is up, unless it refuses a
 * token that it has just issued. A timeout or a foreign answer counts against it like a missing connection, since each may cost money.
 */
function evidenceOf(error: unknown): 'up' | 'down' | 'none' {
  if (!(error instanceof ServiceFailure) || error instanceof CircuitOpen) return 'none';
  if (error.answered && !error.refusedToken) return 'up';
  return ['unavailable', 'in-doubt', 'malformed'].includes(error.kind) ? 'down' : 'none';
}
