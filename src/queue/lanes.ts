/** Orders work: jobs of one lane run one after another, lanes side by side up to a number of workers. Knows no storage. */

export interface Job {
  readonly lane: string;
  /** The earliest time to start, in ms of `performance.now()`, which no clock change moves; its lane waits for it. */
  readonly dueAt: number;
  /** Suspected of killing the process: one such job runs at a time, so that the culprit is clear. */
  readonly isSuspect: boolean;
}

/**
 * Runs jobs in the order of their lanes. `run` is called when a job's turn has come, and must not throw; a job that it gives back goes
 * first in its lane, otherwise the lane goes on.
 */
export class Lanes<J extends Job> {
  readonly #lanes = new Map<string, J[]>();
  /** Lanes whose first job may start, in the order in which they became ready. */
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

  /** The number of jobs that wait or run. */
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

  /** The last waiting job of a lane that satisfies `matches`. */
  findWaiting(lane: string, matches: (job: J) => boolean): J | undefined {
    return this.#lanes.get(lane)?.findLast((job) => job !== this.#started.get(lane) && matches(job));
  }

  /** Replaces a waiting job (an album that grew and is due later). */
  replace(old: J, job: J): void {
    const jobs = this.#lanes.get(old.lane);
    const index = jobs?.indexOf(old) ?? -1;
    if (jobs === undefined || index < 0) return;
    jobs[index] = job;
    if (index === 0) this.#arm(job);
  }

  /** Starts nothing more; resolves when no job runs. */
  close(): Promise<void> {
    this.#open = false;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    return this.#started.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  /** Lets the lane start with its first job `job`, now or when that is due. */
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
    return !job.isSuspect || !this.#started.values().some((running) => running.isSuspect);
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
