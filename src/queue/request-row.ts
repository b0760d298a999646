/** A request as its row holds it (requests.ts), and what is written into it. */
import { sql } from 'kysely';
import { z } from 'zod';

/** An update to take in; `body` is Telegram's JSON, parsed by its handler. */
export interface NewRequest {
  /** Whose requests are handled one after another: a person's, or a chat's. */
  readonly lane: string;
  /** Telegram's `update_id`: one received in the last two days is not taken in again. */
  readonly updateId: number;
  /** Where it was asked; undefined in a chat that is not the bot's. */
  readonly chat?: number | undefined;
  /** The message that asks, by which its edits find the request. */
  readonly message?: number | undefined;
  /** The update is an edit of `message`: it changes that request, and is none of its own. */
  readonly isEdit?: boolean;
  /** Requests of a lane with the same `album` are handled together, once none has come for `ALBUM_PAUSE_MS`. */
  readonly album?: string | undefined;
  /** It may be part of a text that the sender's app has cut (`pastes.ts`). */
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

/** No wait is longer, in ms: a `due_at` further ahead shows that the clock was set back. */
export const MAX_WAIT_MS = 30 * 60 * 1000;

/** Telegram does not mark the end of an album: a quiet second ends it (design §5). */
export const ALBUM_PAUSE_MS = 1000;
/** The next part of a text that an app has cut follows so soon (spec §2). */
export const PASTE_PAUSE_MS = 1500;

const sentMessage = z.object({
  /** Telegram's message id, or the inline message id of a guest's placeholder. */
  id: z.union([z.number(), z.string()]),
  /** `text` can be edited, `media` has to be replaced. */
  kind: z.enum(['text', 'media', 'progress', 'question', 'placeholder']),
  /** Where it stands, if that is not the chat that asked. */
  chat: z.number().optional(),
  /** It belongs to what the request was before: the next answer takes its place, or it is deleted. */
  isOld: z.literal(true).optional(),
  /** Telegram's `reply_markup` that it gets at `due_at` of a parked request, as JSON. */
  laterMarkup: z.string().optional(),
  /** It goes, with the message that it answers, once the wait of its parked request is over. */
  isPassing: z.literal(true).optional(),
  /** Telegram's receipt was lost, so it may be there: one more try, and no third. */
  isInDoubt: z.literal(true).optional(),
});

/** A message sent for a request. */
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
  /** Its person has said /cancel. */
  readonly isCancelled: boolean;
  /** The number of paid calls that its person has agreed to. */
  readonly consent: number;
  readonly sent: readonly SentMessage[];
  /** A hash of what it asked when it was answered last; undefined before. */
  readonly asked: string | undefined;
  readonly body: unknown;
}

/** A parked request whose wait is over: where it was asked, and its messages. */
export interface Ripe {
  readonly chat: number;
  readonly message: number | undefined;
  readonly sent: readonly SentMessage[];
}

/** How an attempt ended: answered (`done`), with a question about the cost, with *Try again*, or to be erased. */
export interface Outcome {
  readonly state: 'done' | 'asked' | 'parked' | 'gone';
  readonly sent: readonly SentMessage[];
  readonly asked?: string | undefined;
  /** The number of paid calls that the person agreed to, or is asked about. */
  readonly consent?: number;
  /** For a parked request: after how long its messages get their `laterMarkup`, or go (`isPassing`), in ms; 0: neither. */
  readonly waitMs?: number;
  /** /cancel stopped it. */
  readonly isStopped?: boolean;
  /** By part of an album, what an edit of another part needs of it; the bodies of other requests are not kept. */
  readonly kept?: readonly unknown[];
}

/** The columns of `toRow`. */
export const COLUMNS = sql.raw('id, lane, album, strikes, failures, cancelled, consent, sent, asked, body');

/** A row as the database gives it. */
export interface StoredRow {
  readonly id: number;
  readonly lane: string;
  readonly album: string | null;
  readonly strikes: number;
  readonly failures: number;
  readonly cancelled: number;
  readonly consent: number;
  readonly sent: string;
  readonly asked: string | null;
  readonly body: string | null;
}

/** Parses a row of the table; throws if it holds anything unexpected. */
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
    asked: row.asked ?? undefined,
    body: row.body === null ? undefined : JSON.parse(row.body),
  };
}

/** Parses what was sent for a request. */
export function parseSent(json: string): SentMessage[] {
  return sentMessages.parse(JSON.parse(json));
}

/** A request that is handled anew: its answers are old, and what only showed that it was under way is no answer. */
export function asOld(sent: readonly SentMessage[]): SentMessage[] {
  return sent.filter(({ isInDoubt }) => !isInDoubt).map((one) => ({ ...one, isOld: true }));
}
