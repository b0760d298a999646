/** One attempt at a request: what stops it, what changes under it, and what it gives up while it waits for others. */
import type { Waiter } from '../patience.ts';
import type { RequestRow } from './request-table.ts';
import type { Taken } from './requests.ts';

/** What the queue does for an attempt that waits. */
export interface Waiting {
  /** Returns false if there is no room. */
  stepAside(): boolean;
  leaveLane(taken: Taken): Promise<void>;
  readonly stopping: AbortSignal;
}

/** One attempt at a request: what its handler gets. */
export class Attempt implements Taken, Waiter {
  readonly request: RequestRow;
  readonly ids: number[];
  readonly bodies: unknown[];
  strikes: number;
  readonly #aborter = new AbortController();
  /** Aborts when the process stops, when another process has taken the request, or after `limitMs`; only then it is not attempted again. */
  readonly signal = this.#aborter.signal;
  #onChange: (() => void) | undefined;
  /** The request was cancelled or edited after it was taken. */
  #isChanged = false;
  readonly #waiting: Waiting;
  /** Others of its lane may run beside it: it has waited for its chat. */
  hasLeftLane = false;
  /** It has waited for others, and holds no worker any more. */
  isAside = false;
  /** Its waits at present: several parts of it may wait at once. */
  waits = 0;

  constructor({ request, ids, bodies }: Taken, waiting: Waiting) {
    this.request = request;
    this.strikes = request.strikes;
    this.ids = ids;
    this.bodies = bodies;
    this.#waiting = waiting;
  }

  beginWait(): boolean {
    this.waits += 1;
    this.isAside ||= this.#waiting.stepAside();
    return this.isAside;
  }

  endWait(): void {
    this.waits -= 1;
  }

  async leaveLane(): Promise<AbortSignal> {
    if (!this.hasLeftLane) await this.#waiting.leaveLane(this);
    this.hasLeftLane = true;
    return this.#waiting.stopping;
  }

  abort(reason: Error): void {
    this.#aborter.abort(reason);
  }

  /** Calls `listener` each time the request is cancelled or edited, and now if it was since it was taken. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
    if (this.#isChanged) listener();
  }

  /** Call when the request was cancelled or edited. */
  change(): void {
    this.#isChanged = true;
    this.#onChange?.();
  }
}
