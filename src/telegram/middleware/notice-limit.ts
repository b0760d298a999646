/** Bounds notices that many requests would repeat: a flood of them would make Telegram refuse the bot. */

const MINUTE_MS = 60_000;

/** The notices of this process. */
export class NoticeLimit {
  readonly #now: () => number;
  /** By key, in the order of `since`: when its minute began, and how often it was asked for. */
  readonly #asked = new Map<string, { readonly since: number; times: number }>();

  /** `now`: a monotonic clock, in ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether the notice with this key may be sent now, for at most `max` times a minute; counts it as sent. */
  may(key: string, max: number): boolean {
    const now = this.#now();
    for (const [one, { since }] of this.#asked) {
      if (now - since < MINUTE_MS) break;
      this.#asked.delete(one);
    }
    const asked = this.#asked.get(key) ?? { since: now, times: 0 };
    asked.times += 1;
    this.#asked.set(key, asked);
    return asked.times <= max;
  }
}
