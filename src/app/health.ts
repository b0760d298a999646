/** Reports whether the process is alive (`/healthz`) and takes updates (`/readyz`). */
import { unlessAborted } from '../patience.ts';
import type { CircuitReport } from '../service/calls/circuit.ts';

export interface HealthOptions {
  readonly writeDatabase: () => Promise<unknown>;
  readonly reachTelegram: (signal: AbortSignal) => Promise<unknown>;
  readonly serviceState: () => CircuitReport;
  /** Why no updates arrive, and the remedy, in words for the operator; undefined while they arrive, or if that is unknown. */
  readonly problem: () => string | undefined;
  /** Aborts when the bot stops taking updates. */
  readonly stop: AbortSignal;
}

/** Longest pause between two moves of the intake, in ms: well beyond a long poll with its timeout. */
const STALLED_AFTER_MS = 120_000;
/** How long the outcome of the checks is valid, in ms: the endpoint is public, and each check costs a write and a call to Telegram. */
const FRESH_MS = 3000;
/** A check without an outcome counts as failed after this time, in ms. */
const LIMIT_MS = 2000;

/** Not ready before `begin`. The intake is not watched before its first move. */
export class Health {
  readonly #options: HealthOptions;
  #hasBegun = false;
  #intakeDueAt = Number.POSITIVE_INFINITY;
  #checked = Promise.resolve([false, false]);
  #freshUntil = Number.NEGATIVE_INFINITY;

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  /** Call when updates are first requested. */
  begin(): void {
    this.#hasBegun = true;
  }

  get intake(): 'starting' | 'running' | 'stopping' {
    if (this.#options.stop.aborted) return 'stopping';
    return this.#hasBegun ? 'running' : 'starting';
  }

  /** Call when the intake has moved; it may pause for `restMs` before it moves again. */
  intakeMoved(restMs: number): void {
    this.#intakeDueAt = performance.now() + restMs + STALLED_AFTER_MS;
  }

  /** Why the process should be restarted; undefined while it works. A blocked event loop answers nobody. */
  problem(): string | undefined {
    return performance.now() > this.#intakeDueAt ? 'the intake of updates has stalled' : undefined;
  }

  /** The body of `/readyz`. The service does not count for `ready`: without it people still get an answer. */
  async readiness() {
    const [database, telegram] = await this.#check();
    const problem = this.#options.problem();
    return {
      ready: this.intake === 'running' && database && telegram && problem === undefined,
      intake: this.intake,
      database: database ? 'ok' : 'failing',
      telegram: telegram ? 'ok' : 'failing',
      service: this.#options.serviceState(),
      problem,
    };
  }

  #check(): Promise<readonly boolean[]> {
    if (performance.now() >= this.#freshUntil) {
      this.#freshUntil = performance.now() + FRESH_MS;
      const { writeDatabase, reachTelegram } = this.#options;
      const limit = AbortSignal.timeout(LIMIT_MS);
      this.#checked = Promise.all(
        [writeDatabase(), reachTelegram(limit)].map((work) =>
          unlessAborted(work, limit, () => new Error('timed out')).then(
            () => true,
            () => false,
          ),
        ),
      );
    }
    return this.#checked;
  }
}
