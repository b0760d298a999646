/** What an abort becomes in this folder: a `Failure` of kind `cancelled`, at once, whatever the work is doing. */
import { Failure, isFailure } from '../errors.ts';
import { unlessAborted } from '../patience.ts';

/** The reason of an aborted signal where that is a `Failure`, else a new one of kind `cancelled`. */
export function cancellation(signal: AbortSignal): Failure {
  return isFailure(signal.reason)
    ? signal.reason
    : new Failure('cancelled', 'the work was cancelled', { cause: signal.reason });
}

/** Throws the `cancellation` of a signal that is aborted. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancellation(signal);
}

/** What `work` gives, or the `cancellation` as soon as the signal aborts: for work that cannot be interrupted. */
export async function unlessCancelled<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal === undefined ? work : unlessAborted(work, signal, () => cancellation(signal));
}
