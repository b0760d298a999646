/** A check that may be asked for as often as one likes: it is made now and then, and never waited for for long. */

export interface CachedCheckOptions {
  /** How long an outcome holds, in ms. */
  readonly freshMs: number;
  /** When a check without an outcome counts as failed, in ms. */
  readonly limitMs: number;
}

/** Tells whether `work` succeeds; asked at the same moment or soon after, it gives the same outcome. */
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
