/** The circuit breaker: after repeated failures calls fail at once, and nothing is sent until a single probe succeeds. */
import {
  BrokenCircuitError,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
  type IBackoff,
  CircuitState as State,
} from 'cockatiel';
import { ServiceFailure } from './failure.ts';

export type CircuitState = 'closed' | 'open' | 'half-open';

export interface CircuitOptions {
  /** How many calls in a row, each with all its tries, must fail before the circuit opens. */
  readonly failures: number;
  /** How long an open circuit waits before it lets one probe through, in ms. */
  readonly coolDownMs: number;
}

/** How the circuit let a call through. */
export interface Permit {
  /** True for the call that decides whether the circuit closes; it is tried only once. */
  readonly probe: boolean;
  /** True if the circuit has opened since: a call that still waits in line must not be sent. */
  revoked(): boolean;
}

export interface Circuit {
  state(): CircuitState;
  /** Runs `work`, or throws `unavailable` at once while the circuit is open or its probe is running. */
  run<T>(work: (permit: Permit) => Promise<T>): Promise<T>;
}

type Result<T> = { down: boolean } & ({ ok: true; value: T } | { ok: false; error: unknown });

/** Creates a closed circuit; `onState` hears of every change. */
export function createCircuit(options: CircuitOptions, onState: (state: CircuitState) => void): Circuit {
  const breaker = circuitBreaker(handleWhenResult(isDown), {
    breaker: new ConsecutiveBreaker(options.failures),
    halfOpenAfter: { next: () => coolingDown(options.coolDownMs) },
  });
  breaker.onStateChange((state) => onState(nameOf(state)));

  async function attempt<T>(work: (permit: Permit) => Promise<T>): Promise<Result<T>> {
    const probe = breaker.state === State.HalfOpen;
    const revoked = () => !probe && breaker.state !== State.Closed;
    try {
      return { down: false, ok: true, value: await work({ probe, revoked }) };
    } catch (error) {
      const evidence = evidenceOf(error);
      // A thrown error counts neither way, but a probe that proved nothing must not close the circuit.
      if (evidence === 'none' && !probe) throw error;
      return { down: evidence !== 'up', ok: false, error };
    }
  }

  return {
    state: () => nameOf(breaker.state),
    async run(work) {
      // cockatiel would let this call wait for the probe, which may take until the timeout.
      if (breaker.state === State.HalfOpen) throw new CircuitOpen();
      const result = await breaker
        .execute(() => attempt(work))
        .catch((error: unknown) => {
          throw error instanceof BrokenCircuitError ? new CircuitOpen() : error;
        });
      if (result.ok) return result.value;
      throw result.error;
    },
  };
}

/**
 * cockatiel compares this duration with the system's clock; if that is set back by hours, the circuit would stay open for hours. So the
 * duration is infinite until a monotonic clock says that the time is over, and then negative.
 */
function coolingDown(ms: number): IBackoff<unknown> {
  const until = performance.now() + ms;
  return {
    get duration() {
      return performance.now() < until ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    },
    next: () => coolingDown(ms),
  };
}

/** A call that was not sent because the circuit is open; it says nothing about the service. */
export class CircuitOpen extends ServiceFailure {
  constructor() {
    super('unavailable', 'not sent: the service has failed repeatedly and is left alone for a while');
  }
}

/**
 * What a failed call says about the service. An answer in its own form, even a refusal, shows that it is up. A timeout or a foreign answer
 * counts against it like a missing connection, since each may cost money.
 */
function evidenceOf(error: unknown): 'up' | 'down' | 'none' {
  if (!(error instanceof ServiceFailure) || error instanceof CircuitOpen) return 'none';
  if (error.answered) return 'up';
  return ['unavailable', 'in-doubt', 'malformed'].includes(error.kind) ? 'down' : 'none';
}

function isDown(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'down' in result && result.down === true;
}

function nameOf(state: State): CircuitState {
  if (state === State.Closed) return 'closed';
  return state === State.HalfOpen ? 'half-open' : 'open';
}
