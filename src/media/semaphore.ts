/** A semaphore that shares a limited resource (memory, a slot) fairly among people. */
import { Failure } from '../errors.ts';
import { standAside } from '../patience.ts';

interface SemaphoreOptions {
  /** Units that the work holds while it runs; a number above the total counts as the total. */
  readonly units: number;
  readonly person: string;
  readonly signal?: AbortSignal | undefined;
}

interface Job {
  readonly person: string;
  readonly units: number;
  readonly begin: () => void;
}

/** Work that lasts counts as one more turn for each such time, in ms: a person's slow work costs that person's next turns, and not the others'. */
const TURN_MS = 1000;

/**
 * Round-robin between people, first in first out within a round. Whoever used more than a turn is passed over for as many
 * rounds. Nobody passes a job whose units are not free yet. A wait holds no worker of the queue (`standAside`).
 */
export class Semaphore {
  readonly #total: number;
  #free: number;
  /** Of the job that began last. */
  #round = 0;
  /** The round of a person's next job, if that is later than the present one. */
  readonly #nextRound = new Map<string, number>();
  /** In the order of their arrival. */
  #waiting: readonly Job[] = [];

  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  /** Throws `cancelled` if the signal aborts before the work begins, and `NoRoom`. */
  async spend<T>({ units: wanted, person, signal }: SemaphoreOptions, work: () => Promise<T>): Promise<T> {
    const units = Math.min(wanted, this.#total);
    const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
    let beganAt: number | undefined;
    const begin = (): void => {
      beganAt = performance.now();
      resolve();
    };
    const job = { person, units, begin };
    this.#waiting = [...this.#waiting, job];
    this.#nextRound.set(person, Math.max(this.#round + 1, this.#roundOf(person)));
    const leave = (): void => {
      this.#waiting = this.#waiting.filter((other) => other !== job);
      this.#letIn();
    };
    const giveUp = (): void => {
      // No effect on a job that has begun.
      reject(new Failure('cancelled', 'the request was cancelled'));
      leave();
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted) giveUp();
    else this.#letIn();
    try {
      await (this.#waiting.includes(job) ? standAside(begun) : begun);
      return await work();
    } finally {
      signal?.removeEventListener('abort', giveUp);
      // It may have begun in the moment in which it found no room to wait.
      if (beganAt !== undefined) {
        const turns = Math.floor((performance.now() - beganAt) / TURN_MS);
        this.#nextRound.set(person, this.#roundOf(person) + turns);
        this.#free += units;
      }
      leave();
    }
  }

  #roundOf(person: string): number {
    return Math.max(this.#round, this.#nextRound.get(person) ?? 0);
  }

  #next(): Job | undefined {
    let [next] = this.#waiting;
    for (const job of this.#waiting)
      if (next !== undefined && this.#roundOf(job.person) < this.#roundOf(next.person)) next = job;
    return next;
  }

  #letIn(): void {
    const first = this.#next();
    if (first === undefined || first.units > this.#free) return;
    this.#waiting = this.#waiting.filter((other) => other !== first);
    this.#free -= first.units;
    this.#round = this.#roundOf(first.person);
    this.#nextRound.set(first.person, this.#round + 1);
    for (const [person, round] of this.#nextRound) if (round <= this.#round) this.#nextRound.delete(person);
    first.begin();
    this.#letIn();
  }
}
