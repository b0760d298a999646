/** A semaphore that shares a limited resource (memory, a slot) fairly among people. */
import { Failure } from '../errors.ts';

interface SemaphoreOptions {
  /** Units that the work holds while it runs; a number above the total counts as the total. */
  readonly units: number;
  /** The weight of the work in the queue; by default its units. */
  readonly size?: number;
  /** Whose work it is. */
  readonly person: string;
  readonly signal?: AbortSignal | undefined;
}

interface Job {
  readonly person: string;
  readonly units: number;
  /** The lowest tag goes first. */
  readonly tag: number;
  readonly begin: () => void;
}

/**
 * Start-time fair queueing: the tag of a job is its size plus the larger of two tags, of the same person's last waiting job and of the job
 * begun last. So a person's tenth job waits behind everybody's first, small jobs go before large ones, and none starves, since later jobs
 * have later tags.
 *
 * A job whose units are not free lets smaller ones pass, up to a tag that is later by `total`.
 */
export class Semaphore {
  readonly #total: number;
  #free: number;
  #begunTag = 0;
  /** Sorted by tag. */
  #waiting: readonly Job[] = [];

  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  /** Runs the work once its units are free and it is first in the queue; throws `cancelled` if the signal aborts before that. */
  async spend<T>(
    { units: wanted, size = wanted, person, signal }: SemaphoreOptions,
    work: () => Promise<T>,
  ): Promise<T> {
    const units = Math.min(wanted, this.#total);
    const { promise: begun, resolve: begin, reject } = Promise.withResolvers<void>();
    const last = this.#waiting.findLast((job) => job.person === person);
    const job = { person, units, tag: Math.max(this.#begunTag, last?.tag ?? 0) + size, begin };
    // `toSorted` is stable: with equal tags, first come, first served.
    this.#waiting = [...this.#waiting, job].toSorted((one, other) => one.tag - other.tag);
    const giveUp = (): void => {
      this.#waiting = this.#waiting.filter((other) => other !== job);
      // No effect on a job that has begun.
      reject(new Failure('cancelled', 'the request was cancelled'));
      this.#letIn();
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted) giveUp();
    else this.#letIn();
    await begun.finally(() => signal?.removeEventListener('abort', giveUp));
    try {
      return await work();
    } finally {
      this.#free += units;
      this.#letIn();
    }
  }

  #letIn(): void {
    const [first] = this.#waiting;
    const next = this.#waiting.find(
      ({ units, tag }) => units <= this.#free && tag <= (first?.tag ?? 0) + this.#total,
    );
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((job) => job !== next);
    this.#free -= next.units;
    this.#begunTag = Math.max(this.#begunTag, next.tag);
    next.begin();
    this.#letIn();
  }
}
