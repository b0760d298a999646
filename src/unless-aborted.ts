/** Waiting that ends at once with an abort, whatever is waited for. */

/**
 * What `work` gives, or, as soon as `signal` aborts, a rejection with what `reason` makes. The work itself goes on: whoever needs it
 * stopped passes it the signal as well.
 */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  reason: () => Error,
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(reason());
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
