/** A request as its row holds it, and what is written into the row. */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../store/schema.ts';

/** An update to store; `body` is Telegram's JSON, which the handler parses. */
export interface NewRequest {
  /** The person or chat whose requests are handled one after another. */
  readonly lane: string;
  /** Telegram's `update_id`; stored once within two days. */
  readonly updateId: number;
  /** The chat that asks; undefined in a chat that is not the bot's. */
  readonly chat?: number | undefined;
  /** The message that asks; its edits find the request by it. */
  readonly message?: number | undefined;
  /** The update is an edit of `message`: it changes that message's request, and is no request itself. */
  readonly isEdit?: boolean;
  /** Requests of a lane with the same `album` are handled together, once no part has come for `ALBUM_PAUSE_MS`. */
  readonly album?: string | undefined;
  /** It may be part of a text that the sender's app has cut (`albumsOf`). */
  readonly cut?: Cut | undefined;
  /** While a request waits or runs, others with the same `once` are dropped: one tap can arrive as two callback queries. */
  readonly once?: string | undefined;
  readonly body: unknown;
}

/** A text as a part of a longer one: apps cut what a message does not hold. */
export interface Cut {
  /** The same for all parts: where they stand. */
  readonly place: string;
  /** Long enough that more may follow. */
  readonly isLong: boolean;
  /** Apps reply with the first part only. */
  readonly isReply: boolean;
  /** Seconds since the epoch (Bot API, Message). */
  readonly sentAt: number;
}

/** Maximum wait, in ms; a later `due_at` means that the clock was set back. */
export const MAX_WAIT_MS = 30 * 60 * 1000;

/** Telegram does not mark the end of an album: a second without a new part ends it (design §5). */
export const ALBUM_PAUSE_MS = 1000;
/** The next part of a text that an app has cut follows so soon (spec §2). */
export const PASTE_PAUSE_MS = 1500;

const sentMessage = z.object({
  /** Telegram's message id, or the inline message id of a guest's placeholder. */
  id: z.union([z.number(), z.string()]),
  /** `text` can be edited; `media` must be replaced. */
  kind: z.enum(['text', 'media', 'progress', 'question', 'placeholder']),
  /** The chat of the message, if it is not the one that asked. */
  chat: z.number().optional(),
  /** It answers an earlier version of the request: the next answer replaces it, or it is deleted. */
  isOld: z.literal(true).optional(),
  /** Telegram's receipt was lost, so the message may exist: it is sent once more at most. */
  isInDoubt: z.literal(true).optional(),
});

export type SentMessage = Readonly<z.infer<typeof sentMessage>>;
const sentMessages = z.array(sentMessage);

/** A request that a process has taken. */
export interface RequestRow {
  readonly id: number;
  readonly lane: string;
  readonly album: string | undefined;
  /** Before this attempt. */
  readonly strikes: number;
  /** Attempts in a row that failed. */
  readonly failures: number;
  /** The person has cancelled it (/cancel). */
  readonly isCancelled: boolean;
  /** The number of paid calls that the person has agreed to. */
  readonly consent: number;
  readonly sent: readonly SentMessage[];
  /** A hash of the request at its last answer; undefined before. */
  readonly digest: string | undefined;
  readonly body: unknown;
}

/** The end of an attempt: answered (`done`), a question about the cost (`asked`), *Try again* (`parked`), or to be erased (`gone`). */
export interface Outcome {
  readonly state: 'done' | 'asked' | 'parked' | 'gone';
  readonly sent: readonly SentMessage[];
  readonly digest?: string | undefined;
  /** The number of paid calls that the person agreed to, or is asked about. */
  readonly consent?: number;
  /** /cancel stopped it. */
  readonly isStopped?: boolean;
  /** What an edit of another part of an album needs, by part; other bodies are not kept. */
  readonly kept?: readonly unknown[];
}

const READ = [
  ...(['id', 'lane', 'album', 'state', 'process', 'strikes', 'failures', 'cancelled', 'consent'] as const),
  ...(['sent', 'digest', 'body'] as const),
];
export const COLUMNS = sql.raw(READ.join(', '));

export type StoredRow = Pick<Selectable<Schema['requests']>, (typeof READ)[number]>;

/** Parses a row; throws on unexpected content. */
export function toRow(row: StoredRow): RequestRow {
  return {
    id: Number(row.id),
    lane: row.lane,
    album: row.album ?? undefined,
    strikes: row.strikes,
    failures: row.failures,
    isCancelled: row.cancelled === 1,
    consent: row.consent,
    sent: parseSent(row.sent),
    digest: row.digest ?? undefined,
    body: row.body === null ? undefined : JSON.parse(row.body),
  };
}

export function parseSent(json: string): SentMessage[] {
  return sentMessages.parse(JSON.parse(json));
}

/** Marks answers as old, and drops messages that only showed progress. */
export function asOld(sent: readonly SentMessage[]): SentMessage[] {
  return sent.filter(({ isInDoubt }) => !isInDoubt).map((one) => ({ ...one, isOld: true }));
}

/**
 * Returns what stays of the bodies, by row: everything while the request waits for its person, later what an edit of another part of an
 * album needs.
 */
export function keptBody(rows: readonly RequestRow[], { state, kept = [] }: Outcome): RawBuilder<unknown> {
  if (state !== 'done') return sql`body`;
  const parts = rows.flatMap(({ id }, index) =>
    kept[index] === undefined ? [] : [sql`when ${id} then ${JSON.stringify(kept[index])}`],
  );
  return parts.length === 0 ? sql`null` : sql`case id ${sql.join(parts, sql` `)} end`;
}

/** After a yes the question becomes the message that counts the paid calls, and goes with it. */
export function asAgreed(message: SentMessage): SentMessage {
  return message.kind === 'question' ? { ...message, kind: 'progress' } : message;
}
