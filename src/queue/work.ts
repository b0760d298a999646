/** What a handler gets for one attempt at a request, and what the queue asks of its surroundings. */
import type { Log } from '../log.ts';
import type { Outcome, RequestRow, Ripe, SentMessage } from './request-row.ts';

/** One attempt at a request. */
export interface Work {
  /** The request; the first part of an album. */
  readonly request: RequestRow;
  /** The update, or those of all parts of an album. */
  readonly bodies: readonly unknown[];
  /** Aborts when the process stops for good, or another one has taken the request; it is attempted again. */
  readonly signal: AbortSignal;
  /** Notes durably what was sent for the request. Throws `TakenOver`, and `database`. */
  note(sent: readonly SentMessage[]): Promise<void>;
  /** Calls `listener` when the request was cancelled or edited while it runs, with its rows as they are then. */
  onChange(listener: (rows: readonly RequestRow[]) => void): void;
  /** Runs a task once the attempt is over and written; a crash may prevent it. */
  onceGone(task: () => Promise<void>): void;
}

/** Attempts a request; `judge` (attempt.ts) decides by its error whether it is tried again or becomes a dead letter. */
export type QueueHandler = (work: Work) => Promise<Outcome>;

export interface QueueOptions {
  /** How many requests this process handles at once. */
  readonly workers: number;
  /** True for an error that passes (Telegram or the database out of reach): the request is tried again for as long as it takes. */
  readonly isOutage: (error: unknown) => boolean;
  /** How long the other side asks to wait before the next attempt, in ms. */
  readonly retryAfterMs?: (error: unknown) => number | undefined;
  /** How long an attempt may take, in ms; `LONGEST_WORK_MS` by default. */
  readonly limitMs?: number;
  /** Called for every failed attempt. */
  readonly onFailure: (error: unknown) => void;
  /** Called for a request that is given up. */
  readonly onDeadLetter: (bodies: readonly unknown[], reason: string, request: RequestRow) => void;
  /** Called for a parked request whose wait is over. */
  readonly onRipe?: (ripe: Ripe) => void;
  readonly log: Log;
}
