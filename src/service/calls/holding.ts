/** Giving something back when its use is over, which for a stream is later than its beginning. */

/** What `work` gives; `release` is called when it failed, else once `heldUntil` of its result resolves (at once without one). */
export async function holding<T>(
  release: () => void,
  work: () => Promise<T>,
  heldUntil?: (result: T) => Promise<void>,
): Promise<T> {
  let over: Promise<void> | undefined;
  try {
    const result = await work();
    over = heldUntil?.(result);
    return result;
  } finally {
    if (over === undefined) release();
    else void over.then(release);
  }
}
