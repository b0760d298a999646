/** Tells whether the bot takes updates (spec §7): the intake runs, the database can be written, and Telegram can be reached. */
import type { CircuitState } from '../../service/calls/circuit.ts';

interface ReadinessReport {
  readonly ready: boolean;
  readonly intake: 'starting' | 'running' | 'stopping';
  readonly database: 'ok' | 'failing';
  readonly telegram: 'ok' | 'failing';
  /** The service's circuit. It does not affect `ready`: people still get an answer. */
  readonly service: CircuitState;
  /** What keeps updates away, and the remedy, if more is known than the states above. */
  readonly problem?: string | undefined;
}

export interface Readiness {
  report(): Promise<ReadinessReport>;
  /** From now on the bot asks for updates. */
  begin(): void;
  /** From now on the bot takes no updates in. */
  stop(): void;
  readonly isStopping: boolean;
}

export interface ReadinessOptions {
  /** Throws when the database cannot be written. */
  readonly writeDatabase: () => Promise<unknown>;
  /** Throws when Telegram cannot be reached. */
  readonly reachTelegram: (signal: AbortSignal) => Promise<unknown>;
  /** What keeps the bot from Telegram, and the remedy, if known. */
  readonly obstacle?: () => string | undefined;
  readonly serviceState: () => CircuitState;
  /** Why requested updates do not come; undefined while they do. */
  readonly intakeProblem?: () => string | undefined;
  /** How long the outcome of a check is valid, in ms. */
  readonly freshMs?: number;
  /** When a check without an outcome counts as failed, in ms. */
  readonly limitMs?: number;
}

/** Creates the readiness; not ready before `begin`. */
export function createReadiness(options: ReadinessOptions): Readiness {
  const { serviceState, freshMs = 3000, limitMs = 2000 } = options;
  const canWrite = createCachedCheck(options.writeDatabase, { freshMs, limitMs });
  const canReach = createCachedCheck(options.reachTelegram, { freshMs, limitMs });
  let intake: ReadinessReport['intake'] = 'starting';

  return {
    report: async () => {
      const problem = options.intakeProblem?.();
      const [database, telegram] = await Promise.all([canWrite(), canReach()]);
      return {
        ready: intake === 'running' && database && telegram && problem === undefined,
        intake,
        database: database ? 'ok' : 'failing',
        telegram: telegram ? 'ok' : 'failing',
        service: serviceState(),
        problem: problem ?? (telegram ? undefined : options.obstacle?.()),
      };
    },
    begin: () => {
      if (intake === 'starting') intake = 'running';
    },
    stop: () => {
      intake = 'stopping';
    },
    get isStopping() {
      return intake === 'stopping';
    },
  };
}

interface CachedCheckOptions {
  /** How long an outcome is valid, in ms. */
  readonly freshMs: number;
  /** When a check without an outcome counts as failed, in ms. */
  readonly limitMs: number;
}

/** Makes a check of whether `work` succeeds; concurrent and soon repeated calls share one outcome. */
export function createCachedCheck(
  work: (signal: AbortSignal) => Promise<unknown>,
  { freshMs, limitMs }: CachedCheckOptions,
): () => Promise<boolean> {
  let outcome: Promise<boolean> | undefined;
  let freshUntil = 0;

  const check = async (): Promise<boolean> => {
    const limit = AbortSignal.timeout(limitMs);
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    limit.addEventListener('abort', () => resolve(false), { once: true });
    const made = work(limit).then(
      () => true,
      () => false,
    );
    const isWell = await Promise.race([made, late]);
    freshUntil = performance.now() + freshMs;
    return isWell;
  };

  return () => {
    if (outcome === undefined || performance.now() > freshUntil) {
      freshUntil = Number.POSITIVE_INFINITY;
      outcome = check();
    }
    return outcome;
  };
}
