/** Shares what there is only so much of (memory, a place to work) among people, in turns that are fair to each of them. */
import { Failure } from '../errors.ts';

export interface Turn {
  /** Units that the work holds while it runs; more than there are counts as all of them. */
  readonly units: number;
  /** How much the work counts when turns are given, where that is not what it holds. */
  readonly size?: number;
  /** Whose work it is. */
  readonly person: string;
  readonly signal?: AbortSignal | undefined;
}

export interface Semaphore {
  /** Does the work once its units are free and it has its turn; throws `cancelled` when the signal aborts before that. */
  spend<T>(turn: Turn, work: () => Promise<T>): Promise<T>;
}

interface Job {
  readonly person: string;
  readonly units: number;
  readonly size: number;
  /** Who has less before them goes first. */
  readonly tag: number;
  readonly begin: () => void;
}

/**
 * Turns are given by start-time fair queueing: a work's tag is its size added to the tag of the same person's last work, or to that
 * of the work begun last, where that is more. So a person's tenth work waits behind everybody's first, a small one goes before
 * large ones, and nothing waits for ever, since later work has later tags.
 *
 * Work whose units are not free lets pass what they are enough for, until that has a tag later by all units.
 */
export function createSemaphore(total: number): Semaphore {
  let free = total;
  let begunTag = 0;
  let waiting: readonly Job[] = [];
  const running = new Set<Job>();

  const letIn = (): void => {
    const [first] = waiting;
    const next = waiting.find(({ units, tag }) => units <= free && tag <= (first?.tag ?? 0) + total);
    if (next === undefined) return;
    waiting = waiting.filter((job) => job !== next);
    running.add(next);
    free -= next.units;
    begunTag = Math.max(begunTag, next.tag);
    next.begin();
    letIn();
  };

  const queue = (job: Omit<Job, 'tag'>): Job => {
    const own = [...waiting, ...running].filter(({ person }) => person === job.person);
    const tag = Math.max(begunTag, ...own.map((other) => other.tag)) + job.size;
    const tagged = { ...job, tag };
    // `sort` keeps the order of those with one tag: first come, first served.
    waiting = [...waiting, tagged].sort((one, other) => one.tag - other.tag);
    return tagged;
  };

  return {
    async spend({ units: wanted, size = wanted, person, signal }, work) {
      const units = Math.min(wanted, total);
      const { promise: begun, resolve: begin, reject } = Promise.withResolvers<void>();
      const job = queue({ person, units, size, begin });
      const giveUp = (): void => {
        waiting = waiting.filter((other) => other !== job);
        if (!running.has(job)) reject(new Failure('cancelled', 'the request was cancelled'));
        letIn();
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      if (signal?.aborted) giveUp();
      else letIn();
      await begun.finally(() => signal?.removeEventListener('abort', giveUp));
      try {
        return await work();
      } finally {
        running.delete(job);
        free += units;
        letIn();
      }
    },
  };
}
