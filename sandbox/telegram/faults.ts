/** Faults planned for the next Bot API calls: errors, resets, silence, held calls, and flood limits. */
import type { FloodLimits } from './flood.ts';

export interface Fault {
  /**
   * - `error` (default): answered with `status` and `description`, or `body`; the call has no effect
   * - `reset`: the connection breaks; the call has no effect
   * - `lost`: the call takes effect, then the connection breaks instead of the answer
   * - `hang`: no answer ever; the call has no effect
   * - `hold`: handled once `until` is fulfilled
   */
  mode?: 'error' | 'reset' | 'lost' | 'hang' | 'hold';
  /** HTTP status and `error_code`; default 500. */
  status?: number;
  description?: string;
  /** Sent instead of Telegram's JSON: text as it is (a proxy's HTML), anything else as JSON. */
  body?: unknown;
  /** Seconds; makes the status 429. */
  retryAfter?: number;
  /** How many calls suffer it; default 1. */
  times?: number;
  until?: Promise<unknown>;
}

export class TelegramFaults {
  /** Milliseconds before every call is handled. */
  latency = 0;
  /** Flood limits; `true` for Telegram's usual ones, undefined for none. */
  flood: FloodLimits | true | undefined = undefined;
  #planned: { method: string; fault: Fault; left: number }[] = [];
  readonly #releases: (() => void)[] = [];

  /** Plans a fault for the next calls of a method, `*` for any; file downloads are the method `downloadFile`. */
  next(method: string, fault: Fault): void {
    this.#planned.push({ method, fault, left: fault.times ?? 1 });
  }

  /** The next `times` calls of a method wait until what this gives is called, or all is cleared. */
  hold(method: string, times = 1): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#releases.push(resolve);
    this.next(method, { mode: 'hold', until: promise, times });
    return resolve;
  }

  /** Back to a faultless Telegram. */
  clear(): void {
    this.#planned = [];
    for (const release of this.#releases.splice(0)) release();
    this.latency = 0;
    this.flood = undefined;
  }

  /** Takes the fault planned for this call. */
  take(method: string): Fault | undefined {
    const planned = this.#planned.find((one) => one.left > 0 && [method, '*'].includes(one.method));
    if (planned) planned.left -= 1;
    return planned?.fault;
  }
}
