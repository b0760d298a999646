/** A semaphore that shares a limited resource (memory, a slot) fairly among people. */
import { Failure } from '../errors.ts';

interface SemaphoreOptions {
  /** Units that the work holds while it runs; a number above the total counts as the total. */
  readonly units: number;
  readonly person: string;
  readonly signal?: AbortSignal | undefined;
}

interface Job {
  readonly person: string;
  readonly units: number;
  readonly round: number;
  readonly begin: () => void;
}

/** People take turns: one job each a round, first come, first served within it. Nobody passes a job whose units are not free yet. */
export class Semaphore {
  readonly #total: number;
  #free: number;
  /** Of the job that began last. */
  #round = 0;
  /** Sorted by round. */
  #waiting: readonly Job[] = [];

  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  /** Throws `cancelled` if the signal aborts before the work begins. */
  async spend<T>({ units: wanted, person, signal }: SemaphoreOptions, work: () => Promise<T>): Promise<T> {
    const units = Math.min(wanted, this.#total);
    const { promise: begun, resolve: begin, reject } = Promise.withResolvers<void>();
    const last = this.#waiting.findLast((job) => job.person === person);
    const job = { person, units, round: (last?.round ?? this.#round) + 1, begin };
    this.#waiting = [...this.#waiting, job].toSorted((one, other) => one.round - other.round);
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
    const [first, ...others] = this.#waiting;
    if (first === undefined || first.units > this.#free) return;
    this.#waiting = others;
    this.#free -= first.units;
    this.#round = first.round;
    first.begin();
    this.#letIn();
  }
}
