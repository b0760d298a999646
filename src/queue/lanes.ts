/** The order of work: jobs of one lane one after another, lanes side by side up to a number of workers. Knows no storage. */
import { ALONE_FROM_STRIKES, type QueueRow } from './queue-rows.ts';

export interface Job {
  readonly lane: string;
  /** The earliest time to start, in ms of `performance.now()`, which no clock that is set moves; its lane waits for it. */
  readonly dueAt: number;
  /** Suspected of ending the process: of such jobs one runs at a time, so that it is clear which it was. */
  readonly alone: boolean;
}

/**
 * Runs jobs as their lanes allow, in the order in which they were added. `run` is called for a job when its turn has come and must
 * not throw; where it gives a job back, that one takes the first place in the lane, else the lane goes on.
 */
export class Lanes<J extends Job> {
  readonly #lanes = new Map<string, J[]>();
  /** Lanes whose first job may start, in the order in which they became so. */
  readonly #ready = new Set<string>();
  readonly #started = new Map<string, J>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #workers: number;
  readonly #run: (job: J) => Promise<J | undefined>;
  #depth = 0;
  #open = true;
  #whenIdle: (() => void)[] = [];

  constructor(workers: number, run: (job: J) => Promise<J | undefined>) {
    this.#workers = workers;
    this.#run = run;
  }

  /** Jobs waiting or running. */
  get depth(): number {
    return this.#depth;
  }

  /** Whether a job of this lane would start as soon as it was added. */
  isIdle(lane: string): boolean {
    return this.#open && this.#started.size < this.#workers && !this.#lanes.has(lane);
  }

  add(job: J): void {
    this.#depth += 1;
    const waiting = this.#lanes.get(job.lane);
    if (waiting !== undefined) {
      waiting.push(job);
      return;
    }
    this.#lanes.set(job.lane, [job]);
    this.#arm(job);
    this.#next();
  }

  /** The last job of a lane that satisfies `matches` and has not started. */
  findWaiting(lane: string, matches: (job: J) => boolean): J | undefined {
    return this.#lanes.get(lane)?.findLast((job) => job !== this.#started.get(lane) && matches(job));
  }

  /** Puts another in the place of a waiting job (an album that grew and is due later). */
  replace(old: J, job: J): void {
    const jobs = this.#lanes.get(old.lane);
    const index = jobs?.indexOf(old) ?? -1;
    if (jobs === undefined || index < 0) return;
    jobs[index] = job;
    if (index === 0) this.#arm(job);
  }

  /** Starts nothing more; resolves when nothing runs. */
  close(): Promise<void> {
    this.#open = false;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    return this.#started.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  /** Lets a lane whose first job is `job` start now, or when the job is due. */
  #arm(job: J): void {
    clearTimeout(this.#timers.get(job.lane));
    this.#timers.delete(job.lane);
    this.#ready.delete(job.lane);
    const wait = Math.ceil(job.dueAt - performance.now());
    if (wait <= 0) {
      this.#ready.add(job.lane);
      return;
    }
    if (!this.#open) return;
    const timer = setTimeout(() => {
      this.#timers.delete(job.lane);
      this.#ready.add(job.lane);
      this.#next();
    }, wait);
    this.#timers.set(job.lane, timer);
  }

  #next(): void {
    while (this.#open && this.#started.size < this.#workers) {
      const job = this.#ready
        .values()
        .flatMap((lane) => this.#lanes.get(lane)?.slice(0, 1) ?? [])
        .find((first) => this.#fits(first));
      if (job === undefined) return;
      const { lane } = job;
      this.#ready.delete(lane);
      this.#started.set(lane, job);
      void this.#run(job).then((again) => this.#finish(lane, again));
    }
  }

  #fits(job: J): boolean {
    return !job.alone || !this.#started.values().some((running) => running.alone);
  }

  #finish(lane: string, again: J | undefined): void {
    this.#started.delete(lane);
    const jobs = this.#lanes.get(lane) ?? [];
    jobs.shift();
    if (again === undefined) this.#depth -= 1;
    else jobs.unshift(again);
    const following = jobs[0];
    if (following === undefined) this.#lanes.delete(lane);
    else this.#arm(following);
    this.#next();
    if (this.#started.size === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}

export interface UpdateJob extends Job {
  /** The rows of the update, or of all parts of an album. */
  readonly rows: readonly QueueRow[];
  /** Message ids of answers that Telegram confirmed. */
  readonly confirmed: readonly number[];
  /** True once all is done but the removal. */
  readonly isHandled: boolean;
  /** To be done once the rows are gone. */
  readonly onceGone: readonly (() => Promise<void>)[];
  /** In a row, in this process. */
  readonly failures: number;
  /** Outages in a row, in this process, that this work met alone. */
  readonly ownTroubles: number;
}

/** The job of an update, or of all parts of an album, that is due at `dueAt` (in ms of `performance.now()`). */
export function toJob(rows: readonly QueueRow[], dueAt: number): UpdateJob {
  return {
    lane: rows[0]?.lane ?? '',
    rows,
    dueAt,
    alone: strikesOf(rows) >= ALONE_FROM_STRIKES,
    confirmed: rows[0]?.confirmed ?? [],
    isHandled: false,
    onceGone: [],
    failures: 0,
    ownTroubles: 0,
  };
}

/** How many strikes work has, by the part of it that has most. */
export function strikesOf(rows: readonly QueueRow[]): number {
  return Math.max(0, ...rows.map(({ strikes }) => strikes));
}
