/** The circuit breaker: after repeated failures calls fail at once, and nothing is sent until a single probe succeeds. */
import { ServiceFailure } from './failure.ts';

export type CircuitState = 'closed' | 'open' | 'half-open';

export interface CircuitOptions {
  /** How many calls in a row, each with all its tries, must fail before the circuit opens. */
  readonly failures: number;
  /** How long an open circuit waits before it lets one probe through, in ms. */
  readonly coolDownMs: number;
}

/** `half-open`: the probe is under way. */
export class Circuit {
  readonly #options: CircuitOptions;
  readonly #onState: (state: CircuitState) => void;
  #state: CircuitState = 'closed';
  #failuresInARow = 0;
  /** By the monotonic clock, in ms: the system's may be set back. */
  #probeAt = 0;

  /** Begins closed; `onState` hears of every change. */
  constructor(options: CircuitOptions, onState: (state: CircuitState) => void) {
    this.#options = options;
    this.#onState = onState;
  }

  get state(): CircuitState {
    return this.#state;
  }

  /** Lets a call in, which must `leave`; true for the probe, which decides whether the circuit closes. Throws `CircuitOpen`. */
  enter(): boolean {
    const isProbe = this.#state === 'open' && performance.now() >= this.#probeAt;
    if (isProbe) this.#become('half-open');
    else this.throwUnlessClosed();
    return isProbe;
  }

  /** Throws `CircuitOpen` if the circuit has opened: a call that still waits in line must not be sent. */
  throwUnlessClosed(): void {
    if (this.#state !== 'closed') throw new CircuitOpen();
  }

  /** Hears how a call ended, by its error. A probe that proved nothing does not close the circuit. */
  leave(isProbe: boolean, error?: unknown): void {
    const evidence = error === undefined ? 'up' : evidenceOf(error);
    if (!isProbe && (this.#state !== 'closed' || evidence === 'none')) return;
    this.#failuresInARow = evidence === 'up' ? 0 : this.#failuresInARow + 1;
    if (evidence === 'up') this.#become('closed');
    else if (isProbe || this.#failuresInARow >= this.#options.failures) {
      this.#probeAt = performance.now() + this.#options.coolDownMs;
      this.#become('open');
    }
  }

  #become(state: CircuitState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#onState(state);
  }
}

/** A call that was not sent because the circuit is open; it says nothing about the service. */
class CircuitOpen extends ServiceFailure {
  constructor() {
    super('unavailable', 'not sent: the service has failed repeatedly and is left alone for a while');
  }
}

/**
 * What a failed call says about the service. An answer in its own form, even a refusal, shows that it is up, unless it refuses a token that
 * it has just issued. A timeout or a foreign answer counts against it like a missing connection, since each may cost money.
 */
function evidenceOf(error: unknown): 'up' | 'down' | 'none' {
  if (!(error instanceof ServiceFailure) || error instanceof CircuitOpen) return 'none';
  if (error.answered && !error.refusedToken) return 'up';
  return ['unavailable', 'in-doubt', 'malformed'].includes(error.kind) ? 'down' : 'none';
}
