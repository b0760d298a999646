/** An update as it lies on disk, in the table `queued_updates` of either engine. */
import { z } from 'zod';

export interface QueueRow {
  readonly id: number;
  readonly lane: string;
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
