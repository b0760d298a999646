/** Waiting for a while. */
import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after so many ms, or as soon as `signal` aborts; never rejects: whoever calls looks at the signal next. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}
