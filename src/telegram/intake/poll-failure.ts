/** Why a request for updates failed, and whether another program asks for the same updates for good. */
import { TelegramError } from 'telegraf';
import { isFailure } from '../../errors.ts';
import { QueueIsFull } from '../../queue/queue.ts';
import { isFloodRefusal, isOutage, isTokenRefusal } from '../api/api-errors.ts';

export type PollFailureKind =
  /** Another program polls with the same token. */
  | 'conflict'
  /** A webhook is set. */
  | 'webhook'
  | 'flood'
  /** Telegram is out of reach, or has trouble of its own. */
  | 'unavailable'
  /** Any other refusal, as of a token that was revoked. */
  | 'refused'
  /** The updates came, and could not be written down. */
  | 'unwritten'
  | 'unforeseen';

/** What kind of failure this is; branch on it, not on the error. */
export function pollFailureKind(error: unknown): PollFailureKind {
  if (error instanceof TelegramError && error.code === 409) {
    return /webhook is active/i.test(error.description) ? 'webhook' : 'conflict';
  }
  if (isFloodRefusal(error)) return 'flood';
  if (isTokenRefusal(error)) return 'refused';
  if (isOutage(error)) return 'unavailable';
  if (error instanceof TelegramError) return 'refused';
  const isUnwritten = isFailure(error, 'database') || error instanceof QueueIsFull;
  return isUnwritten ? 'unwritten' : 'unforeseen';
}

/** What to do about it, for whoever runs the bot. */
export const CONFLICT =
  "another program polls with this bot's token, and each gets only some of the updates: " +
  'end that program, or give it a token of its own from @BotFather';

export interface PollConflict {
  /** A poll was ended by another one; true the first time that this counts as lasting. */
  met(): boolean;
  /** `CONFLICT` while it lasts. */
  problem(): string | undefined;
}

export interface PollConflictOptions {
  /** How many make it lasting, and over what time at least, in ms: the process before this one ends by itself. */
  readonly times?: number;
  readonly overMs?: number;
  /** Without one for so long it is over, in ms; longer than the longest pause and the longest poll of such a program as this. */
  readonly quietMs?: number;
}

/** Not only failures in a row count: between two of them short polls of both programs succeed. */
export function createPollConflict(
  { times = 5, overMs = 60_000, quietMs = 60_000 }: PollConflictOptions = {},
  now: () => number = () => performance.now(),
): PollConflict {
  let count = 0;
  let firstAt = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  let isTold = false;

  const isLasting = (): boolean => count >= times && lastAt - firstAt >= overMs && now() - lastAt < quietMs;

  return {
    met: () => {
      const time = now();
      if (time - lastAt >= quietMs) {
        count = 0;
        firstAt = time;
        isTold = false;
      }
      count += 1;
      lastAt = time;
      const isNews = isLasting() && !isTold;
      isTold ||= isNews;
      return isNews;
    },
    problem: () => (isLasting() ? CONFLICT : undefined),
  };
}
