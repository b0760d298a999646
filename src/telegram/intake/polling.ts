/** Long polling: fetches updates, puts them into the queue, and continues after every failure. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TelegramError } from 'telegraf';
import { isFailure } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { sleep } from '../../patience.ts';
import type { Queue } from '../../queue/queue.ts';
import type { BotApi } from '../api/api.ts';
import { isFloodRefusal, isOutage, isTokenRefusal, retryAfterMs } from '../api/api-errors.ts';
import { isUpdate } from '../request/update.ts';
import { ALLOWED_UPDATES, type OnReceived, type Receive } from './receipt.ts';

export interface PollingOptions {
  readonly api: BotApi;
  readonly queue: Pick<Queue, 'push'>;
  readonly receive: Receive;
  readonly log: Log;
  /** See `OnReceived`. */
  readonly onReceived: OnReceived;
  /** Called before each fetch, and before each pause with its length in ms. */
  readonly onMove?: (restMs: number) => void;
  /** Called for every failed fetch, and for every batch that could not be stored. */
  readonly onFailure?: (kind: PollFailureKind) => void;
  /** Records the polls that another program ended. */
  readonly conflict: PollConflict;
}

/** How long Telegram holds a poll without updates open, in seconds. */
const LONG_POLL_S = 30;
/** The minimum time between two polls of a server that does not hold empty ones open, in ms: unnoticed by people, and cheap. */
const EMPTY_EVERY_MS = 50;
/** The most updates in one answer (Bot API, getUpdates). */
const BATCH = 100;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 15_000;
/** The maximum wait that Telegram can ask for, in ms: people write to the bot meanwhile. */
const MAX_ASKED_MS = 60_000;

/**
 * Fetches updates until the signal aborts; resolves when the last fetch has ended. Confirms an update (by the next offset) only after the
 * queue has stored it.
 */
export async function poll(options: PollingOptions, signal: AbortSignal): Promise<void> {
  const { api, queue, receive, log, onReceived, onMove, onFailure, conflict } = options;
  let offset = 0;
  /** False until the backlog at Telegram is fetched; until then no poll waits. */
  let isUpToDate = false;

  const fetchOnce = async (): Promise<void> => {
    const timeout = isUpToDate ? LONG_POLL_S : 0;
    const askedAt = performance.now();
    const given: unknown[] = await api.callApi(
      'getUpdates',
      { timeout, limit: BATCH, offset, allowed_updates: ALLOWED_UPDATES },
      { signal },
    );
    // Telegram delivers updates beyond the limit again.
    const updates = given.slice(0, BATCH);
    const isLate = !isUpToDate;
    isUpToDate ||= updates.length < BATCH;
    if (updates.length === 0) {
      const restMs = EMPTY_EVERY_MS - (performance.now() - askedAt);
      if (timeout > 0 && restMs > 0) await sleep(restMs, signal);
      return;
    }
    const received = updates.map(receive);
    const last = updates.findLast(isUpdate);
    // Without an id to confirm, the same updates would come again at once.
    if (last === undefined) throw new Error('getUpdates returned no valid update');
    if (last.update_id + 1 === offset) throw new Error('getUpdates returned confirmed updates again');
    const queued = received.flatMap((one) => one.queued ?? []);
    await queue.push(queued, (taken) => {
      for (const one of received) onReceived(one, isLate, taken.get(one.queued?.updateId ?? Number.NaN));
    });
    offset = last.update_id + 1;
    // Let handlers run first: people who wait for an answer come before those who write next.
    await nextTurn();
  };

  let failures = 0;
  let failedBy: PollFailureKind | undefined;
  while (!signal.aborted) {
    onMove?.(0);
    try {
      await fetchOnce();
      const ended = conflict.over();
      if (ended !== undefined)
        log.info({ ended }, 'the conflict is over: no other program polls with this token');
      if (failures > 0 && failedBy !== 'conflict') log.info({ failures }, 'polling works again');
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      isUpToDate = false;
      const kind = pollFailureKind(error);
      failedBy = kind;
      onFailure?.(kind);
      const news = kind === 'conflict' ? conflict.met() : undefined;
      // Not at once: the previous process may still be shutting down.
      if (news === 'lasting') log.error(CONFLICT);
      // Log the first failure in a row, then ever fewer; of a conflict, between whose failures polls succeed, only the first.
      const isNews = kind === 'conflict' ? news === 'first' : Number.isInteger(Math.log2(failures));
      log[isNews ? 'warn' : 'debug']({ error, kind, failures }, 'polling failed: retrying');
      // Telegram refuses polls while the webhook of an earlier configuration is set.
      if (kind === 'webhook') await api.deleteWebhook().catch(() => {});
      const asked = Math.min(retryAfterMs(error) ?? 0, MAX_ASKED_MS);
      const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);
      const restMs = Math.max(asked, backoff * (0.75 + Math.random() / 2));
      onMove?.(restMs);
      await sleep(restMs, signal);
    }
  }
}

type PollFailureKind =
  /** Another program polls with the same token. */
  | 'conflict'
  /** A webhook is set. */
  | 'webhook'
  | 'flood'
  /** Telegram is unreachable or failing (5xx). */
  | 'unavailable'
  /** Any other refusal, for example of a revoked token. */
  | 'refused'
  /** The updates arrived, but could not be stored. */
  | 'unwritten'
  | 'unforeseen';

function pollFailureKind(error: unknown): PollFailureKind {
  if (error instanceof TelegramError && error.code === 409) {
    return /webhook is active/i.test(error.description) ? 'webhook' : 'conflict';
  }
  if (isFloodRefusal(error)) return 'flood';
  if (isTokenRefusal(error)) return 'refused';
  if (isOutage(error)) return 'unavailable';
  if (error instanceof TelegramError) return 'refused';
  return isFailure(error, 'database') ? 'unwritten' : 'unforeseen';
}

/** Tells the operator what to do about a conflict. */
export const CONFLICT =
  "another program polls with this bot's token (409 Conflict), and each gets only some of the updates: " +
  'end that program, or give it a token of its own from @BotFather';

interface PollConflictOptions {
  /** The conflict lasts from this many ended polls on, over at least this time, in ms: a previous process has shut down by then. */
  readonly times?: number;
  readonly overMs?: number;
  /**
   * The conflict is over after this time without an ended poll, in ms; longer than the longest backoff and the longest poll of another bot
   * like this.
   */
  readonly quietMs?: number;
}

/**
 * Follows a conflict with another program that polls with the same token. Ended polls need not be consecutive: short polls of both succeed
 * in between.
 */
export class PollConflict {
  readonly #options: Required<PollConflictOptions>;
  readonly #now: () => number;
  #count = 0;
  #firstAt = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  #isTold = false;

  constructor(
    { times = 5, overMs = 60_000, quietMs = 60_000 }: PollConflictOptions = {},
    now: () => number = () => performance.now(),
  ) {
    this.#options = { times, overMs, quietMs };
    this.#now = now;
  }

  /**
   * Records a poll that another program ended. Returns `first` for the first one, `lasting` once when the conflict begins to last, else
   * undefined.
   */
  met(): 'first' | 'lasting' | undefined {
    const time = this.#now();
    if (this.#isQuiet()) this.#count = 0;
    if (this.#count === 0) this.#firstAt = time;
    this.#count += 1;
    this.#lastAt = time;
    if (this.#count === 1) {
      this.#isTold = false;
      return 'first';
    }
    const isNews = this.#isLasting() && !this.#isTold;
    this.#isTold ||= isNews;
    return isNews ? 'lasting' : undefined;
  }

  /** `CONFLICT` while it lasts. */
  problem(): string | undefined {
    return this.#isLasting() ? CONFLICT : undefined;
  }

  /** The number of ended polls, once after the conflict is over; else undefined. */
  over(): number | undefined {
    const count = this.#isQuiet() ? this.#count : 0;
    if (count > 0) this.#count = 0;
    return count > 0 ? count : undefined;
  }

  #isQuiet(): boolean {
    return this.#now() - this.#lastAt >= this.#options.quietMs;
  }

  #isLasting(): boolean {
    const { times, overMs } = this.#options;
    return this.#count >= times && this.#lastAt - this.#firstAt >= overMs && !this.#isQuiet();
  }
}
