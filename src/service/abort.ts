/** Waiting that ends at once when the caller gives up. */
import { setTimeout as delay } from 'node:timers/promises';
import { cancelled } from './failure.ts';

/**
 * `promise`, or a `cancelled` failure as soon as `signal` aborts. The work behind it goes on; whoever needs it stopped
 * passes it the signal as well.
 */
export async function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(cancelled());
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Waits `ms`; throws `cancelled` when `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch {
    throw cancelled();
  }
}
