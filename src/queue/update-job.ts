/** An update, or all parts of an album, as a job of its lane. */
import type { Job } from './lanes.ts';
import type { QueueRow } from './queue-row.ts';
import { ALONE_FROM_STRIKES } from './retry-policy.ts';

export interface UpdateJob extends Job {
  /** The rows of the update, or of all parts of an album. */
  readonly rows: readonly QueueRow[];
  /** Message ids of answers that Telegram confirmed. */
  readonly confirmed: readonly number[];
  /** True once all is done but the removal. */
  readonly isHandled: boolean;
  /** To be done once the rows are gone. */
  readonly onceGone: readonly (() => Promise<void>)[];
  /** In a row, in this process. */
  readonly failures: number;
  /** Outages in a row, in this process, that this work met alone. */
  readonly ownTroubles: number;
}

/** The job of an update, or of all parts of an album, that is due at `dueAt` (in ms of `performance.now()`). */
export function toJob(rows: readonly QueueRow[], dueAt: number): UpdateJob {
  return {
    lane: rows[0]?.lane ?? '',
    rows,
    dueAt,
    alone: strikesOf(rows) >= ALONE_FROM_STRIKES,
    confirmed: rows[0]?.confirmed ?? [],
    isHandled: false,
    onceGone: [],
    failures: 0,
    ownTroubles: 0,
  };
}

/** How many strikes work has, by the part of it that has most. */
export function strikesOf(rows: readonly QueueRow[]): number {
  return Math.max(0, ...rows.map(({ strikes }) => strikes));
}
