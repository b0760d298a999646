/** An update as it lies on disk, in the table `queued_updates` of either engine, and when one that failed is tried again or given up. */
import { z } from 'zod';

export interface QueueRow {
  readonly id: number;
  readonly lane: string;
  /** Telegram's, while it is taken in; it is not read back. */
  readonly updateId?: number | undefined;
  readonly album: string | undefined;
  readonly once: string | undefined;
  /** Undefined where it is left on disk until its turn has come: memory is not for those who wait in a long line. */
  readonly body: unknown;
  readonly strikes: number;
  /** The strike that its next attempt may cost is on disk already. */
  readonly isStruck?: boolean;
  /** No attempt at it can have been begun before. */
  readonly isNew?: boolean;
  /** Message ids of answers that Telegram confirmed. */
  readonly confirmed: readonly number[];
}

const messageIds = z.array(z.number());

/** A row of the table as it is used here; throws where it holds something else than was written. */
export function toRow(row: {
  id: number;
  lane: string;
  album: string | null;
  once: string | null;
  body: string | undefined;
  strikes: number;
  confirmed: string;
}): QueueRow {
  return {
    id: Number(row.id),
    lane: row.lane,
    album: row.album ?? undefined,
    once: row.once ?? undefined,
    body: row.body === undefined ? undefined : bodyOf(row.body),
    strikes: row.strikes,
    confirmed: messageIds.parse(JSON.parse(row.confirmed)),
  };
}

/** The update in the column `body`. */
export function bodyOf(body: string): unknown {
  return JSON.parse(body);
}

/** The ids of rows, for a query. */
export function idsOf(rows: readonly { readonly id: number }[]): number[] {
  return rows.map(({ id }) => id);
}

/**
 * What counts how much against a piece of work: an error that nobody foresaw, and the end of a process that died without a word (kill -9,
 * a power cut): that counts less, and against all that ran, since nothing tells the culprit from the bystanders.
 */
export const STRIKES = { error: 2, silentDeath: 1 } as const;
/** Work becomes a dead letter at this many: with the third such error. */
export const MAX_STRIKES = 6;
/** From this many on it is a suspect: of those one runs at a time, and what else runs is not blamed should the process end. */
export const ALONE_FROM_STRIKES = MAX_STRIKES / 2;

/** Work that has met an outage alone so often in a row is given up. */
export const MOST_OWN_TROUBLES = 3;

/**
 * Work that takes longer hangs, in ms: the longest speech takes a quarter of an hour where the service speaks as fast as people
 * do, and may come after a translation.
 */
export const LONGEST_WORK_MS = 30 * 60 * 1000;
/** The same for a suspect: all other suspects wait for it. */
export const LONGEST_WORK_ALONE_MS = 3 * 60 * 1000;

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 60_000;

/** How long failed work waits before it is tried again, in ms, by how often it has failed in a row. */
export function retryWaitMs(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS);
}
