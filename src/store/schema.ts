/** The tables as Kysely sees them; migrations/ makes them. Times are ms since the epoch, days are UTC (`2026-01-31`). */
import type { Generated } from 'kysely';
import type { CallKind, CallOutcome } from '../paid-calls.ts';

export interface Schema {
  tokens: TokensTable;
  parked_updates: ParkedUpdatesTable;
  ledger: LedgerTable;
  spending: SpendingTable;
  daily_sums: DailySumsTable;
  visits: VisitsTable;
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

/** Access tokens of the service, by the hash of the credentials that they belong to. */
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

/** Every try of a paid call, and every call that a kept result saved. */
interface LedgerTable {
  id: Generated<number>;
  at: number;
  day: string;
  person: string;
  chat_group: string | null;
  kind: CallKind;
  characters: number;
  /**
   * In fen: what a call of its kind cost on that day. It was paid where the outcome is `charged`, perhaps where it is `in-doubt`, and
   * saved where it is `reused`.
   */
  cost_fen: Generated<number>;
  /** `begun` until it is settled: after a crash that reads as in doubt, and counts as spent. */
  outcome: 'begun' | CallOutcome | 'reused';
}

/** Paid calls that count against a limit, by who and day: the ledger's sums, kept where they can be checked and raised in one step. */
interface SpendingTable {
  /**
   * `person:` with a hash that changes every day, `group:ID`, or `bot` for all together. On PostgreSQL `bot` is with what is set aside in
   * `block:0` to `block:7` (money/blocks.ts), which hold what was not spent yet, less the calls that were paid from them.
   */
  scope: string;
  day: string;
  calls: number;
  /** What these calls cost. */
  cost_fen: Generated<number>;
}

/**
 * The ledger summed up by day, so that nobody has to go through it: triggers keep it (`migrations/daily-sums.ts`). Cost in fen. A call that
 * failed is in no sum.
 */
interface DailySumsTable {
  /** A person's id, `group:ID`, or `kind:` with a kind of call for the whole bot. */
  scope: string;
  day: string;
  /** Sums of the whole bot are in several parts on PostgreSQL, to be added up; else 0. */
  part: number;
  charged: Generated<number>;
  charged_fen: Generated<number>;
  /** In doubt, or not settled yet. */
  doubtful: Generated<number>;
  doubtful_fen: Generated<number>;
  saved: Generated<number>;
  saved_fen: Generated<number>;
}

/** How many people and groups have an entry in the ledger on this day and on none after it; kept by the same triggers. */
interface VisitsTable {
  day: string;
  /** To be added up; one alone may be negative. */
  part: number;
  people: Generated<number>;
  groups: Generated<number>;
}

/** What was paid for, kept for re-use. */
interface ResultsTable {
  /** Kind, parameters, and a hash of the input. */
  key: string;
  /** On whose account it was made: /forget finds it by this. */
  person: string;
  /** A recognised or translated text. */
  text: string | null;
  /** A voice note, OGG/Opus, where it is short enough for one row (of any length, as the first releases have kept it). */
  audio: Buffer | null;
  /** Which copy in `note_parts` is the voice note, where it is longer. */
  copy: string | null;
  duration_ms: number | null;
  /** The voice note's id at Telegram, once it was uploaded. */
  file_id: string | null;
  kept_at: number;
}

/**
 * Sound in parts that are written one by one; the rows of a copy are its parts. `speech_pieces`: pieces of long speeches that are
 * not whole yet. `note_parts`: voice notes that are too long for one row; the result whose `copy` names it makes a copy count.
 */
interface SoundPartsTable {
  id: Generated<number>;
  /** As of a result of this sound alone. */
  key: string;
  /** Tells apart what two have bought at once. */
  copy: string;
  /** The place of this part in the copy, from 0, and how many there are. */
  part: number;
  parts: number;
  /** On whose account it was made: /forget finds it by this. */
  person: string;
  kept_at: number;
  /** OGG/Opus, cut anywhere. */
  audio: Buffer;
}

/** Reasons for which no call is tried until a time: the service's quota is used up, or it refuses our credentials. */
interface PausesTable {
  reason: string;
  until: number;
}

/** Which updates of Telegram were taken in, for as long as it may deliver one again. */
interface ReceivedUpdatesTable {
  update_id: number;
  received_at: number;
}

/** Updates that wait, run, or were given up. */
interface QueuedUpdatesTable {
  id: Generated<number>;
  lane: string;
  album: string | null;
  once: string | null;
  /** The update as Telegram sent it, as JSON. */
  body: string;
  strikes: number;
  /** Message ids of answers that Telegram confirmed, as JSON. */
  confirmed: string;
  /** When it became a dead letter (the column is older than the word); null while it waits or runs. */
  set_aside_at: number | null;
  reason: string | null;
  /** Which process has taken it up (`PostgresSession.process`); on PostgreSQL. */
  process: number | null;
  /** By the clock of the database; on PostgreSQL. */
  queued_at: Generated<number>;
  /** The one of its lane whose turn it is, or that a process has; on PostgreSQL. */
  head: Generated<boolean>;
}

/** What the admins of a group have decided for it. */
interface GroupsTable {
  chat: string;
  /** Paid calls per UTC day; null: the bot's own limit. */
  daily_calls: number | null;
  /** 1: every Tibetan or Chinese text is translated. */
  listens: Generated<0 | 1>;
  /** When the bot was added: what was sent earlier is not answered. */
  joined_at: number | null;
  /** The basic group that this supergroup was before. */
  upgraded_from: string | null;
}

/** Requests to stop what runs for a person (/cancel). */
interface CancellationsTable {
  update_id: number;
  person: string;
  requested_at: number;
  /** Pieces of work that it stopped. */
  stopped: number;
  /** 1 from when the person's lane has come to it. */
  finished: 0 | 1;
}

/** Which answers belong to which message, so that an edit of the message can edit them. */
interface AnswersTable {
  chat: string;
  message: number;
  person: string;
  /** A hash of what was asked: an edit that changes nothing is no reason to answer. */
  asked: string;
  /** The answer's messages, as JSON. */
  parts: string;
  /** The pictures of the album that it answers, as JSON: an edit brings one of them alone. */
  album: string | null;
  answered_at: number;
}

/** The messages that answer in chats where the bot is a guest. */
interface GuestAnswersTable {
  /** A hash of the guest query's id. */
  query: string;
  /** Who asked. */
  person: string;
  /** What Telegram calls the message; it can be edited by that alone. */
  inline_message: string;
  answered_at: number;
}

/** Messages that count what is done of a request, to be removed with its end, even after a crash. */
interface ProgressMessagesTable {
  chat: number;
  message: number;
  update_id: number;
  shown_at: number;
}

/** People and groups that were let in or blocked, or ask to be let in (spec §8). */
export interface AccessTable {
  /** A hash of the id, by which they are found also after a /forget. */
  subject: string;
  /** The id; null after a /forget. */
  chat: string | null;
  /** As the admins are to know them; null where nobody told, and after a /forget. */
  name: string | null;
  /** The interface language in which they asked. */
  language: string | null;
  standing: 'asking' | 'member' | 'blocked';
  /** 1: of a request, that the admins have been told of it; of a decision, that who asked has still to be told. */
  told: 0 | 1;
  /** Since when they have this standing. */
  at: number;
  /** Whose decision it was, and their name: an admin, or the member who added the group. Of a request, the update that made it. */
  decided_by: string | null;
  decider: string | null;
}

/** One row: what every process has to know of access at once. */
interface AccessStateTable {
  id: number;
  /** Grows with each change of who is in, and of this row. */
  version: number;
  /** 1: everybody but the admins is only told `pause_text`, or the bot's own words where that is null (/pause). */
  is_paused: 0 | 1;
  pause_text: string | null;
}

/** Links that let in whoever opens them. */
interface InvitationsTable {
  /** Of the token, which only the link holds. */
  hash: string;
  uses_left: number;
  expires_at: number;
  decided_by: string | null;
  decider: string | null;
}

/** Whose an @name was when the bot last saw it. */
interface SeenNamesTable {
  /** In lower case. */
  name: string;
  chat: string;
  seen_at: number;
}
