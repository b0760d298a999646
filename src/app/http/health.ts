/** Reports whether the process is alive (`/healthz`) and takes updates (`/readyz`), per spec §7. */
import { unlessAborted } from '../../patience.ts';
import type { CircuitReport } from '../../service/calls/circuit.ts';

export interface HealthOptions {
  /** Throws when the database cannot be written. */
  readonly writeDatabase: () => Promise<unknown>;
  /** Throws when Telegram is unreachable. */
  readonly reachTelegram: (signal: AbortSignal) => Promise<unknown>;
  readonly serviceState: () => CircuitReport;
  /** Why no updates arrive, in words for the operator; undefined while they arrive. */
  readonly intakeProblem?: () => string | undefined;
  /** Why Telegram is unreachable, and the remedy, if known. */
  readonly telegramProblem?: () => string | undefined;
  /** Longest pause between two moves of the intake, in ms: well beyond a long poll with its timeout. */
  readonly intakeStallMs?: number;
  /** How long the outcome of a check is valid, in ms. */
  readonly freshMs?: number;
  /** A check without an outcome counts as failed after this time, in ms. */
  readonly limitMs?: number;
}

/** Not ready before `begin`. The intake is not watched before its first move. */
export class Health {
  readonly #options: HealthOptions;
  readonly #canWrite: () => Promise<boolean>;
  readonly #canReach: () => Promise<boolean>;
  #intake: 'starting' | 'running' | 'stopping' = 'starting';
  #intakeDueAt = Number.POSITIVE_INFINITY;

  constructor(options: HealthOptions) {
    this.#options = options;
    this.#canWrite = createCachedCheck(options.writeDatabase, options);
    this.#canReach = createCachedCheck(options.reachTelegram, options);
  }

  /** Call when the bot begins to request updates. */
  begin(): void {
    if (this.#intake === 'starting') this.#intake = 'running';
  }

  /** Call when the bot stops taking updates. */
  stop(): void {
    this.#intake = 'stopping';
    this.intakeRests();
  }

  get isStopping(): boolean {
    return this.#intake === 'stopping';
  }

  /** Call when the intake has moved; it may pause for `restMs` before it moves again. */
  intakeMoved(restMs = 0): void {
    const { intakeStallMs = 120_000 } = this.#options;
    this.#intakeDueAt = performance.now() + restMs + intakeStallMs;
  }

  /** Call when the intake is idle; it is not watched then. */
  intakeRests(): void {
    this.#intakeDueAt = Number.POSITIVE_INFINITY;
  }

  /** Returns why the process should be restarted; undefined while it works. A blocked event loop answers nobody. */
  problem(): string | undefined {
    return performance.now() > this.#intakeDueAt ? 'the intake of updates has stalled' : undefined;
  }

  /** Returns the body of `/readyz`. The service does not count for `ready`: without it people still get an answer. */
  async readiness() {
    const { intakeProblem, telegramProblem, serviceState } = this.#options;
    const [database, telegram] = await Promise.all([this.#canWrite(), this.#canReach()]);
    const problem = intakeProblem?.();
    return {
      ready: this.#intake === 'running' && database && telegram && problem === undefined,
      intake: this.#intake,
      database: database ? 'ok' : 'failing',
      telegram: telegram ? 'ok' : 'failing',
      service: serviceState(),
      problem: problem ?? (telegram ? undefined : telegramProblem?.()),
    };
  }
}

/** Makes a check whether `work` succeeds in time; everybody who asks while an outcome is fresh shares it. */
function createCachedCheck(
  work: (signal: AbortSignal) => Promise<unknown>,
  { freshMs = 3000, limitMs = 2000 }: Pick<HealthOptions, 'freshMs' | 'limitMs'>,
): () => Promise<boolean> {
  let outcome = Promise.resolve(false);
  let freshUntil = Number.NEGATIVE_INFINITY;
  const check = async (): Promise<boolean> => {
    const limit = AbortSignal.timeout(limitMs);
    try {
      await unlessAborted(work(limit), limit, () => new Error('timed out'));
      return true;
    } catch {
      return false;
    } finally {
      freshUntil = performance.now() + freshMs;
    }
  };
  return () => {
    if (performance.now() >= freshUntil) {
      freshUntil = Number.POSITIVE_INFINITY;
      outcome = check();
    }
    return outcome;
  };
}
