/** Faults planned for the next Bot API calls: errors, resets, silence, delays, and flood limits. */
import type { FloodLimits } from './flood.ts';

export interface Fault {
  /**
   * - `error` (default): answered with `status` and `description`, or `body`; the call has no effect
   * - `reset`: the connection breaks; the call has no effect
   * - `lost`: the call takes effect, then the connection breaks instead of the answer
   * - `hang`: no answer ever; the call has no effect
   * - `delay`: handled after `delayMs`
   */
  mode?: 'error' | 'reset' | 'lost' | 'hang' | 'delay';
  /** HTTP status and `error_code`; default 500. */
  status?: number;
  description?: string;
  /** Sent instead of Telegram's JSON: text as it is (a proxy's HTML), anything else as JSON. */
  body?: unknown;
  /** Seconds; makes the status 429. */
  retryAfter?: number;
  /** How many calls suffer it; default 1. */
  times?: number;
  delayMs?: number;
}

interface Planned {
  method: string;
  fault: Fault;
  left: number;
}

export class TelegramFaults {
  /** Milliseconds before every call is handled. */
  latency = 0;
  /** Flood limits; `true` for Telegram's usual ones, undefined for none. */
  flood: FloodLimits | true | undefined = undefined;
  #planned: Planned[] = [];

  /** Plans a fault for the next calls of a method, `*` for any; file downloads are the method `downloadFile`. */
  next(method: string, fault: Fault): void {
    this.#planned.push({ method, fault, left: fault.times ?? 1 });
  }

  /** Back to a faultless Telegram. */
  clear(): void {
    this.#planned = [];
    this.latency = 0;
    this.flood = undefined;
  }

  /** Takes the fault planned for this call. */
  take(method: string): Fault | undefined {
    const planned = this.#planned.find((one) => one.method === method || one.method === '*');
    if (!planned) return undefined;
    planned.left -= 1;
    if (planned.left <= 0) this.#planned = this.#planned.filter((one) => one !== planned);
    return planned.fault;
  }
}
