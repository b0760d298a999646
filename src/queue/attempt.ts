/** Attempts at requests: what a handler gets, how long one may take, when the next follows, and what counts against a request. */

import type { Log } from '../log.ts';
import { MAX_WAIT_MS, type Outcome, type RequestRow, type SentMessage } from './request-table.ts';

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

/** Attempts a request. If it throws, `judge` decides between a retry and a dead letter. */
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

/** Strikes for an unforeseen error; the death of its process is one, since it also counts against the others that ran there. */
const ERROR_STRIKES = 2;
/** A request becomes a dead letter at this number of strikes: after its third error. */
export const MAX_STRIKES = 6;
/**
 * A request becomes a suspect at this number of strikes. Suspects run one at a time, and if the process dies, the suspect alone is blamed.
 */
export const SUSPECT_FROM_STRIKES = MAX_STRIKES / 2;

/**
 * Longest attempt, in ms, before it counts as hung: the longest speech takes 15 minutes if the service speaks in real time, and may follow
 * a translation.
 */
export const MAX_WORK_MS = 30 * 60 * 1000;

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 60_000;
/** After about a day of failures in a row, the failure is the request's own and not an outage. */
const MAX_FAILURES = 24 * 60;

type AfterFailure =
  | { readonly kind: 'retry'; readonly strikes: number; readonly failures: number; readonly waitMs: number }
  | { readonly kind: 'dead'; readonly reason: string };

interface Failed {
  readonly error: unknown;
  /** The failure passes by itself: Telegram or the database is unreachable. */
  readonly isOutage: boolean;
  /** How long Telegram asks us to wait, in ms. */
  readonly askedMs: number | undefined;
  /** Before the attempt. */
  readonly strikes: number;
  readonly failures: number;
}

/**
 * Decides what follows a failed attempt. Outages cost no strikes and are retried; any other error makes a dead letter at its third
 * occurrence.
 */
export function judge({ error, isOutage, askedMs = 0, strikes, failures }: Failed): AfterFailure {
  // A request that hung once is given up: its next attempt would block its lane for as long.
  const strike = error instanceof TookTooLong ? MAX_STRIKES : ERROR_STRIKES;
  const now = { strikes: strikes + (isOutage ? 0 : strike), failures: failures + 1 };
  if (now.strikes >= MAX_STRIKES)
    return { kind: 'dead', reason: error instanceof Error ? error.name : 'an unforeseen error' };
  if (now.failures > MAX_FAILURES) return { kind: 'dead', reason: 'an outage of a day' };
  return {
    kind: 'retry',
    ...now,
    waitMs: Math.min(Math.max(askedMs, backoffMs(now.failures)), MAX_WAIT_MS),
  };
}

/** Returns the wait before the next attempt, in ms, after this many failures in a row. */
export function backoffMs(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), MAX_RETRY_MS);
}

/** The attempt was given up after the longest time allowed. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}
