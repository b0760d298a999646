/** Waits for a condition that is looked at again whenever something happens. */
import type { WorldEvents } from './events.ts';

interface Patience {
  timeoutMs: number;
  /** What the rejection says. */
  describe: () => string;
}

/** Resolves, at once or after a later event, with what `condition` gives; rejects with Error after `timeoutMs`. */
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
  events.on('change', look);
  look();
  return promise.finally(() => {
    clearTimeout(timer);
    events.off('change', look);
  });
}
