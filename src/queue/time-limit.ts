/** An end for work that does not end by itself, so that whoever waits behind it does not wait for ever. */

/** The work was given up because of its time. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/**
 * Does the work with a signal that aborts when `signal` does, or after `limitMs`. Throws what the work throws, and
 * `TookTooLong` as soon as the time is over: work that does not even heed its signal is left to itself.
 */
export async function withinLimit(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const ending = new AbortController();
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new TookTooLong(`work was given up after ${limitMs} ms`);
    over.reject(error);
    ending.abort(error);
  }, limitMs);
  // Not AbortSignal.any: with a signal that lives as long as the process it keeps some memory for every piece of work.
  const onAbort = (): void => ending.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([work(ending.signal), over.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
