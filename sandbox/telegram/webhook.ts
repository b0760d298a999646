/** Delivers updates to the bot's webhook: in order within a chat, side by side across chats, until taken. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Update } from './objects.ts';
import type { UpdateQueue } from './updates.ts';

interface WebhookSettings {
  url: string;
  secretToken: string | undefined;
  maxConnections: number;
}

interface LastError {
  date: number;
  message: string;
}

/** Milliseconds before the first repetition of a delivery that failed; doubled up to the longest. */
const FIRST_WAIT = 100;
const MAX_WAIT = 5000;
/** Milliseconds the bot has to take an update. */
const TIMEOUT = 60_000;

export class WebhookDelivery {
  settings: WebhookSettings | undefined;
  lastError: LastError | undefined;
  readonly #updates: UpdateQueue;
  readonly #now: () => Date;
  readonly #busyLanes = new Set<number>();
  readonly #carryOut: (method: string, fields: Record<string, unknown>) => void;
  #stop = new AbortController();

  /** `carryOut` runs a method that the bot names in the body of its answer. */
  constructor(
    updates: UpdateQueue,
    now: () => Date,
    carryOut: (method: string, fields: Record<string, unknown>) => void,
  ) {
    this.#updates = updates;
    this.#now = now;
    this.#carryOut = carryOut;
    updates.onPush(() => this.#deliver());
  }

  /** Starts delivering there; waiting updates come first. */
  set(settings: WebhookSettings): void {
    this.remove();
    this.settings = settings;
    this.#deliver();
  }

  /** Ends deliveries; what was not taken stays in the queue. */
  remove(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#busyLanes.clear();
    this.settings = undefined;
    this.lastError = undefined;
  }

  #deliver(): void {
    const { settings } = this;
    if (!settings) return;
    for (const update of this.#updates.pending) {
      if (this.#busyLanes.size >= settings.maxConnections) return;
      const lane = this.#updates.lane(update.update_id);
      if (this.#busyLanes.has(lane)) continue;
      this.#busyLanes.add(lane);
      void this.#deliverOne(settings, update, lane, this.#stop.signal);
    }
  }

  async #deliverOne(
    settings: WebhookSettings,
    update: Update,
    lane: number,
    stop: AbortSignal,
  ): Promise<void> {
    for (let wait = FIRST_WAIT; !stop.aborted; wait = Math.min(wait * 2, MAX_WAIT)) {
      const taken = await this.#post(settings, update, stop);
      if (stop.aborted) return;
      if (taken) break;
      await sleep(wait, undefined, { signal: stop, ref: false }).catch(() => undefined);
    }
    if (stop.aborted) return;
    this.#updates.confirm(update.update_id);
    this.#busyLanes.delete(lane);
    this.#deliver();
  }

  /** True when the bot answered 2xx. */
  async #post({ url, secretToken }: WebhookSettings, update: Update, stop: AbortSignal): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(secretToken !== undefined && { 'x-telegram-bot-api-secret-token': secretToken }),
        },
        body: JSON.stringify(update),
        redirect: 'manual',
        signal: AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT)]),
      });
      const body = await response.text();
      if (response.ok) this.#carryOutReply(body);
      else this.#failed(`Wrong response from the webhook: ${response.status} ${response.statusText}`);
      return response.ok;
    } catch {
      this.#failed('Connection failed');
      return false;
    }
  }

  #failed(message: string): void {
    this.lastError = { date: Math.floor(this.#now().getTime() / 1000), message };
  }

  /** The bot may name a method in its answer (Bot API, "Making requests when getting updates"). */
  #carryOutReply(body: string): void {
    let reply: unknown;
    try {
      reply = JSON.parse(body);
    } catch {
      return;
    }
    if (typeof reply !== 'object' || reply === null || !('method' in reply)) return;
    const { method, ...fields } = reply;
    if (typeof method === 'string') this.#carryOut(method, fields);
  }
}
