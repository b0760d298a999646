/** Waiting that ends at once when the caller gives up. */
import { setTimeout as delay } from 'node:timers/promises';
import { unlessAborted } from '../unless-aborted.ts';
import { cancelled } from './failure.ts';

/** What `work` gives, or a `cancelled` failure as soon as `signal` aborts (see `unlessAborted`). */
export function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return unlessAborted(work, signal, cancelled);
}

/** Waits `ms`; throws `cancelled` when `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch {
    throw cancelled();
  }
}
