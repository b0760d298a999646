/** What a handler gets for an attempt, and what the queue needs from its surroundings. */
import type { Log } from '../log.ts';
import type { Outcome, RequestRow, SentMessage } from './request-row.ts';

export interface Work {
  /** The request; of an album, its first part. */
  readonly request: RequestRow;
  /** The update; of an album, all parts. */
  readonly bodies: readonly unknown[];
  /** Aborts when the process stops, or when another process has taken the request; it is attempted again. */
  readonly signal: AbortSignal;
  /** Records durably what was sent for the request. Throws `TakenOver`, and `database`. */
  note(sent: readonly SentMessage[]): Promise<void>;
  /** Calls `listener` with the request's rows when it is cancelled or edited while it runs. */
  onChange(listener: (rows: readonly RequestRow[]) => void): void;
}

/** Attempts a request. If it throws, `judge` (attempt.ts) decides between a retry and a dead letter. */
export type QueueHandler = (work: Work) => Promise<Outcome>;

export interface QueueOptions {
  /** Maximum of requests that this process handles at once. */
  readonly workers: number;
  /** Returns true for an error that passes (Telegram or the database is unreachable): the request is retried for up to a day. */
  readonly isOutage: (error: unknown) => boolean;
  /** Returns how long Telegram asks us to wait before the next attempt, in ms. */
  readonly retryAfterMs?: (error: unknown) => number | undefined;
  /** The longest attempt, in ms; `MAX_WORK_MS` by default. */
  readonly limitMs?: number;
  /** Called for every failed attempt. */
  readonly onFailure: (error: unknown) => void;
  /** Called for a request that is given up. */
  readonly onDeadLetter: (bodies: readonly unknown[], reason: string, request: RequestRow) => void;
  readonly log: Log;
}
