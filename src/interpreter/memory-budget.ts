/** Keeps what is held in memory at once within a bound: who would go beyond it waits, first come, first served. */
import { Failure } from '../errors.ts';

export interface MemoryBudget {
  /** Does the work once `bytes` are free for it; throws `cancelled` when `signal` aborts before that. */
  spend<T>(bytes: number, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** What is larger than the whole budget counts as all of it, so that it has its turn as well. */
export function createMemoryBudget(total: number): MemoryBudget {
  let free = total;
  let waiting: { readonly bytes: number; readonly begin: () => void }[] = [];

  const letIn = (): void => {
    for (let first = waiting[0]; first !== undefined && first.bytes <= free; first = waiting[0]) {
      waiting.shift();
      free -= first.bytes;
      first.begin();
    }
  };

  const turn = async (bytes: number, signal: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const place = { bytes, begin: resolve };
    const giveUp = (): void => {
      if (!waiting.includes(place)) return;
      waiting = waiting.filter((other) => other !== place);
      reject(new Failure('cancelled', 'the request was cancelled'));
      letIn();
    };
    waiting.push(place);
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    letIn();
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
  };

  return {
    spend: async (wanted, signal, work) => {
      const bytes = Math.min(wanted, total);
      await turn(bytes, signal);
      try {
        return await work();
      } finally {
        free += bytes;
        letIn();
      }
    },
  };
}
