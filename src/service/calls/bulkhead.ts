/** The bulkhead before the service: at most so many tries in flight; the others wait in line, first come, first served. */
import PQueue from 'p-queue';
import { cancelled } from '../failure.ts';

export interface Bulkhead {
  /** Waits for a place and gives the function that frees it; throws `cancelled` at once when `signal` aborts meanwhile. */
  enter(signal: AbortSignal): Promise<() => void>;
}

/** A bulkhead with `concurrency` places. */
export function createBulkhead(concurrency: number): Bulkhead {
  const queue = new PQueue({ concurrency });
  return {
    async enter(signal) {
      if (signal.aborted) throw cancelled();
      // p-queue would free the place of a running task on abort; a place is free only when its try is over.
      const waiting = new AbortController();
      const stopWaiting = () => waiting.abort();
      signal.addEventListener('abort', stopWaiting, { once: true });
      const entered = Promise.withResolvers<() => void>();
      queue
        .add(() => new Promise<void>((freePlace) => entered.resolve(freePlace)), { signal: waiting.signal })
        .catch(() => entered.reject(cancelled()));
      try {
        return await entered.promise;
      } finally {
        signal.removeEventListener('abort', stopWaiting);
      }
    },
  };
}
