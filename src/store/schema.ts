/**
 * The tables' types for Kysely; migrations/ creates the tables. Times are ms since the epoch, days are UTC (`2026-01-31`).
 *
 * Statements that every text runs are written as SQL: Kysely's builder makes each one anew, which takes as long as running it on SQLite.
 */
import type { Generated } from 'kysely';
import type { CallKind, CallOutcome } from '../paid-calls.ts';

export interface Schema {
  tokens: TokensTable;
  parked_updates: ParkedUpdatesTable;
  ledger: LedgerTable;
  spending: SpendingTable;
  results: ResultsTable;
  speech_pieces: SoundPartsTable;
  note_parts: SoundPartsTable;
  pauses: PausesTable;
  groups: GroupsTable;
  received_updates: ReceivedUpdatesTable;
  queued_updates: QueuedUpdatesTable;
  cancellations: CancellationsTable;
  answers: AnswersTable;
  progress_messages: ProgressMessagesTable;
  guest_answers: GuestAnswersTable;
  access: AccessTable;
  access_state: AccessStateTable;
  invitations: InvitationsTable;
  seen_names: SeenNamesTable;
}

/** Access tokens of the service, by the hash of their credentials. */
interface TokensTable {
  credentials: string;
  token: string;
  expires_at: number;
}

/** Requests that their sender may repeat with a button. */
interface ParkedUpdatesTable {
  id: string;
  person: string;
  /** The request with its updates as Telegram sent them, as JSON. */
  body: string;
  parked_at: number;
}

/** Every attempt at a paid call, and every call that a kept result saved. */
interface LedgerTable {
  id: Generated<number>;
  at: number;
  day: string;
  person: string;
  chat_group: string | null;
  kind: CallKind;
  characters: number;
  /**
   * The cost of a call of this kind on that day, in fen. It was paid if the outcome is `charged`, perhaps if it is `in-doubt`, and saved if
   * it is `reused`.
   */
  cost_fen: number;
  /** `begun` until it is settled; after a crash that reads as in doubt, and counts as spent. */
  outcome: 'begun' | CallOutcome | 'reused';
}

/** The sums of the ledger by day (money/spending.ts): against them the limits are checked, and `/stats` and `/usage` read them. */
interface SpendingTable {
  day: string;
  /** `bot` for all together, `kind:` and a kind of call, `group:` or `person:` and a hash that changes daily. */
  scope: string;
  /** Paid calls, and those that may have been; without those that failed. */
  calls: number;
  /** Their cost. */
  cost_fen: number;
  /** Calls that kept results saved, and what they would have cost; not in the sums of `bot`. */
  saved: number;
  saved_fen: number;
}

/** Paid results, kept for re-use. */
interface ResultsTable {
  /** Kind, parameters, and a hash of the input. */
  key: string;
  /** The person who paid: /forget finds the row by this. */
  person: string;
  /** A recognised or translated text. */
  text: string | null;
  /** A voice note (OGG/Opus) that fits into one row. */
  audio: Buffer | null;
  /** The copy in `note_parts` of a longer voice note. */
  copy: string | null;
  duration_ms: number | null;
  /** Telegram's `file_id`, once uploaded. */
  file_id: string | null;
  kept_at: number;
}

/**
 * Sound in parts that are written one by one; the rows of a copy are its parts. `speech_pieces`: pieces of long speeches that are not
 * complete yet, and sound that waits for an encoder. `note_parts`: voice notes too long for one row; a copy counts once a result names it.
 */
interface SoundPartsTable {
  id: Generated<number>;
  /** The key that a result of this sound alone would have. */
  key: string;
  /** Tells apart copies that two have bought at once. */
  copy: string;
  /** The index of this part in the copy, and the number of parts. */
  part: number;
  parts: number;
  /** The person who paid: /forget finds the row by this. */
  person: string;
  kept_at: number;
  /** OGG/Opus, or PCM that waits for an encoder; cut anywhere. */
  audio: Buffer;
}

/**
 * Times until which something is not done again: calls, while the quota is used up or the credentials are refused; notices of the day's
 * budget.
 */
interface PausesTable {
  reason: string;
  until: number;
}

/** Updates that were taken in, kept for as long as Telegram may deliver them again. */
interface ReceivedUpdatesTable {
  update_id: number;
  received_at: number;
}

/** Updates that wait, run, or are dead letters. */
interface QueuedUpdatesTable {
  id: Generated<number>;
  lane: string;
  album: string | null;
  once: string | null;
  /** The update as Telegram sent it, as JSON. */
  body: string;
  strikes: number;
  /** Message ids of confirmed answers, as JSON. */
  confirmed: string;
  /** When it became a dead letter; null while it waits or runs. */
  set_aside_at: number | null;
  reason: string | null;
  /** The process that has taken it (`PostgresSession.process`); on PostgreSQL. */
  process: number | null;
  /** By the database's clock; on PostgreSQL. */
  queued_at: Generated<number>;
  /** Whether it is the head of its lane: next in turn, or taken by a process; on PostgreSQL. */
  head: Generated<boolean>;
}

/** A group's settings. */
interface GroupsTable {
  chat: string;
  /** The group's paid calls per UTC day; null: the bot's own limit. */
  daily_calls: number | null;
  /** 1: the bot translates every Tibetan or Chinese text. */
  listens: Generated<0 | 1>;
  /** When the bot was added: earlier messages get no answer. */
  joined_at: number | null;
  /** The basic group that became this supergroup. */
  upgraded_from: string | null;
}

/** Requests to stop a person's work (/cancel). */
interface CancellationsTable {
  update_id: number;
  person: string;
  requested_at: number;
  /** The number of pieces of work that it stopped. */
  stopped: number;
  /** 1 once the person's lane has reached it. */
  finished: 0 | 1;
}

/** The answers to each message, so that an edit of the message can edit them. */
interface AnswersTable {
  chat: string;
  message: number;
  person: string;
  /** A hash of the request: an edit that does not change it needs no new answer. */
  asked: string;
  /** The answer's messages, as JSON. */
  parts: string;
  /** The pictures of the answered album, as JSON: an edit brings only one of them. */
  album: string | null;
  answered_at: number;
}

/** Answers in chats where the bot is a guest. */
interface GuestAnswersTable {
  /** A hash of the guest query's id. */
  query: string;
  /** The asker. */
  person: string;
  /** Telegram's id of the message, the only way to edit it. */
  inline_message: string;
  answered_at: number;
}

/** Messages that show a request's progress, to be removed at its end, even after a crash. */
interface ProgressMessagesTable {
  chat: number;
  message: number;
  update_id: number;
  shown_at: number;
}

/** People and groups that were let in or blocked, or that ask to be let in (spec §8). */
export interface AccessTable {
  /** A hash of the id, by which they are still found after /forget. */
  subject: string;
  /** The id; null after /forget. */
  chat: string | null;
  /** The name that admins see; null if unknown, and after /forget. */
  name: string | null;
  /** The interface language of their request. */
  language: string | null;
  standing: 'asking' | 'member' | 'blocked';
  /** 1 means, of a request, that the admins have been told; of a decision, that the asker has still to be told. */
  told: 0 | 1;
  /** The beginning of this standing. */
  at: number;
  /** The id and name of the decider: an admin, or the member who added the group. For a request, the update that made it. */
  decided_by: string | null;
  decider: string | null;
}

/** One row of state that every process has to know at once. */
interface AccessStateTable {
  id: number;
  /** Grows with each change of admissions and of this row. */
  version: number;
  /** 1: everybody but the admins gets only `pause_text`, or the bot's own words if that is null (/pause). */
  is_paused: 0 | 1;
  pause_text: string | null;
}

/** Links that let in anybody who opens them. */
interface InvitationsTable {
  /** A hash of the token, which only the link holds. */
  hash: string;
  uses_left: number;
  expires_at: number;
  decided_by: string | null;
  decider: string | null;
}

/** The owner of each @name when the bot last saw it. */
interface SeenNamesTable {
  /** In lower case. */
  name: string;
  chat: string;
  seen_at: number;
}
