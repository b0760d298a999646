/** A semaphore that is fair to people: it shares a limited resource (memory, a slot) in turns. */
import { Failure } from '../errors.ts';

export interface Turn {
  /** Units that the work holds while it runs; more than exist count as all of them. */
  readonly units: number;
  /** How much the work counts when turns are given; by default its units. */
  readonly size?: number;
  /** Whose work it is. */
  readonly person: string;
  readonly signal?: AbortSignal | undefined;
}

export interface Semaphore {
  /** Does the work once its units are free and its turn has come; throws `cancelled` if the signal aborts before that. */
  spend<T>(turn: Turn, work: () => Promise<T>): Promise<T>;
}

interface Job {
  readonly person: string;
  readonly units: number;
  readonly size: number;
  /** The lowest tag goes first. */
  readonly tag: number;
  readonly begin: () => void;
}

/**
 * Gives turns by start-time fair queueing: the tag of a job is its size plus the tag of the same person's last job, or of the job begun
 * last, whichever is more. So a person's tenth job waits behind everybody's first, small jobs go before large ones, and none waits for
 * ever, since later jobs have later tags.
 *
 * A job whose units are not free lets smaller ones pass, up to a tag that is later by `total`.
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
    // `sort` is stable: with equal tags, first come, first served.
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
