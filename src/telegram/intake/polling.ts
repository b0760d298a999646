/** Long polling: fetches updates, puts them into the queue, and continues after every failure. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TelegramError } from 'telegraf';
import type { Update } from 'telegraf/types';
import { isFailure } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { sleep } from '../../patience.ts';
import type { BotApi } from '../api/api.ts';
import { isOutage, isTokenRefusal, retryAfterMs } from '../api/api-errors.ts';
import { ALLOWED_UPDATES, type TakeIn } from './take-in.ts';

export interface PollingOptions {
  readonly api: BotApi;
  readonly takeIn: TakeIn;
  readonly log: Log;
  /** Called before each fetch, and before each pause with its length in ms; with Infinity when another process fetches. */
  readonly onMove?: (restMs: number) => void;
  /** Called for every failed fetch, and for every batch that could not be stored. */
  readonly onFailure?: (kind: PollFailureKind) => void;
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
/** The same while the database takes nothing, in ms: people wait, and it need not be spared as Telegram is. */
const MAX_UNWRITTEN_MS = 2000;
/** The maximum wait that Telegram can ask for, in ms: people write to the bot meanwhile. */
const MAX_ASKED_MS = 60_000;

/** Fetches updates until the signal aborts and the last fetch has ended. Confirms one (by the next offset) only after it is stored. */
export async function poll(options: PollingOptions, signal: AbortSignal): Promise<void> {
  const { api, takeIn, log, onMove, onFailure, conflict } = options;
  let offset = 0;
  /** False until the backlog at Telegram is fetched; until then no poll waits. */
  let isUpToDate = false;
  let failures = 0;
  while (!signal.aborted) {
    onMove?.(0);
    try {
      const timeout = isUpToDate ? LONG_POLL_S : 0;
      const parameters = { timeout, limit: BATCH, offset, allowed_updates: ALLOWED_UPDATES };
      const askedAt = performance.now();
      const updates: Update[] = await api.callApi('getUpdates', parameters, { signal });
      const last = updates.at(-1);
      if (last !== undefined) {
        await takeIn(updates, !isUpToDate);
        offset = last.update_id + 1;
        // Let handlers run first: people who wait for an answer come before those who write next.
        await nextTurn();
      } else if (timeout > 0)
        await sleep(Math.max(0, EMPTY_EVERY_MS - (performance.now() - askedAt)), signal);
      isUpToDate ||= updates.length < BATCH;
      if (failures > 0) log.info({ failures }, 'polling works again');
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      isUpToDate = false;
      const kind = pollFailureKind(error);
      onFailure?.(kind);
      // Of a conflict, between whose failures polls succeed, only the first is news; else the first in a row, then ever fewer.
      const isConflict = kind === 'conflict';
      if (!isConflict) failures += 1;
      const isNews = isConflict ? conflict.met() : Number.isInteger(Math.log2(failures));
      let said = isConflict && isNews ? CONFLICT : 'polling failed: retrying';
      // Telegram refuses polls while the webhook of an earlier configuration is set.
      if (kind === 'webhook') said = 'a webhook is set, which forbids polling: deleting it';
      log[isNews ? 'warn' : 'debug']({ error, kind, failures }, said);
      if (kind === 'webhook')
        await api
          .deleteWebhook()
          .catch((error: unknown) => log.warn({ error }, 'deleting the webhook failed'));
      const asked = Math.min(retryAfterMs(error) ?? 0, MAX_ASKED_MS);
      const most = kind === 'unwritten' ? MAX_UNWRITTEN_MS : MAX_BACKOFF_MS;
      const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** Math.max(failures - 1, 0), most);
      const restMs = Math.max(asked, backoff * (0.75 + Math.random() / 2));
      onMove?.(restMs);
      await sleep(restMs, signal);
    }
  }
}

type PollFailureKind =
  /** Another program polls with the same token. */
  | 'conflict'
  | 'webhook'
  /** Telegram is unreachable or failing (5xx), or asks for a pause (429). */
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
  if (isTokenRefusal(error)) return 'refused';
  if (isOutage(error)) return 'unavailable';
  if (error instanceof TelegramError) return 'refused';
  return isFailure(error, 'database') ? 'unwritten' : 'unforeseen';
}

export const CONFLICT =
  "another program polls with this bot's token (409 Conflict), and each gets only some of the updates: " +
  'end that program, or give it a token of its own from @BotFather';

/** A previous process has shut down by then, in ms. */
const LASTS_FROM_MS = 60_000;
/** Longer than the longest backoff and the longest poll of another bot like this, in ms. */
const QUIET_MS = 60_000;

/** A conflict with another program that polls with the same token. Polls succeed in between: short ones of both do not meet. */
export class PollConflict {
  readonly #now: () => number;
  #firstAt = Number.NEGATIVE_INFINITY;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** `now`: a monotonic clock, in ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Records a poll that another program ended; returns whether the conflict begins with it. */
  met(): boolean {
    const now = this.#now();
    const begins = now - this.#lastAt >= QUIET_MS;
    if (begins) this.#firstAt = now;
    this.#lastAt = now;
    return begins;
  }

  /** `CONFLICT` while it lasts. */
  problem(): string | undefined {
    const lasts = this.#lastAt - this.#firstAt >= LASTS_FROM_MS;
    return lasts && this.#now() - this.#lastAt < QUIET_MS ? CONFLICT : undefined;
  }
}
