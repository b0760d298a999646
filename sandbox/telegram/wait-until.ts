/** Waits for a condition that is looked at again whenever something happens. */
import type { WorldEvents } from './events.ts';

/** For what is no event here: a file that is written, a line of a process's output. */
const LOOK_EVERY_MS = 100;

interface Patience {
  timeoutMs: number;
  /** What the rejection says. */
  describe: () => string;
}

/**
 * Resolves with the result of `condition` as soon as it is neither undefined nor false: looks now, at every event, and ten times a second.
 * Rejects with Error after `timeoutMs`.
 */
export function waitUntil<T>(
  events: WorldEvents,
  condition: () => T | undefined | false,
  { timeoutMs, describe }: Patience,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const look = (): void => {
    try {
      const found = condition();
      if (found !== undefined && found !== false) resolve(found);
    } catch (error) {
      reject(error);
    }
  };
  const timer = setTimeout(() => reject(new Error(`After ${timeoutMs} ms: ${describe()}`)), timeoutMs);
  const interval = setInterval(look, LOOK_EVERY_MS);
  events.on('change', look);
  look();
  return promise.finally(() => {
    clearTimeout(timer);
    clearInterval(interval);
    events.off('change', look);
  });
}
