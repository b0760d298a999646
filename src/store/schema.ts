/**
 * The tables' types for Kysely; migrations/ creates the tables. Times are ms since the epoch, days are UTC (`2026-01-31`).
 *
 * Statements that every text runs are written as SQL: Kysely's builder makes each one anew, which takes as long as running it on SQLite.
 */
import type { Generated } from 'kysely';
import type { CallKind, CallOutcome } from '../paid-calls.ts';

export interface Schema {
  tokens: TokensTable;
  ledger: LedgerTable;
  spending: SpendingTable;
  results: ResultsTable;
  pauses: PausesTable;
  groups: GroupsTable;
  requests: RequestsTable;
  access: AccessTable;
  invitations: InvitationsTable;
  seen_names: SeenNamesTable;
}

/** Access tokens of the service, by the hash of their credentials. */
interface TokensTable {
  credentials: string;
  token: string;
  expires_at: number;
}

/** Every attempt at a paid call. */
interface LedgerTable {
  id: Generated<number>;
  at: number;
  day: string;
  person: string;
  chat_group: string | null;
  kind: CallKind;
  characters: number;
  /** The cost of a call of this kind on that day, in fen. It was paid if the outcome is `charged`, perhaps if it is `in-doubt`. */
  cost_fen: number;
  /** `begun` until it is settled; after a crash that reads as in doubt, and counts as spent. */
  outcome: 'begun' | CallOutcome;
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

/** Paid results, kept for re-use. A row without any content is a claim on one that a process is buying (money/claims.ts). */
interface ResultsTable {
  /** Kind, parameters, and a hash of the input. */
  key: string;
  /** The person who paid: /forget finds the row by this. Empty if they were forgotten while the result was bought. */
  person: string;
  /** A recognised or translated text. */
  text: string | null;
  /** A voice note (OGG/Opus), or PCM that waits for an encoder. */
  audio: Buffer | null;
  duration_ms: number | null;
  /** Telegram's `file_id`, once uploaded. */
  file_id: string | null;
  /** The process that is buying this result (`PostgresSession.process`); on PostgreSQL. */
  process: number | null;
  kept_at: number;
}

/**
 * Times until which something is suspended: calls, while the quota is used up or the credentials are refused; notices of the day's budget.
 * The admins' pause of the whole bot (access/access.ts) has no time.
 */
interface PausesTable {
  reason: string;
  until: number;
  /** What everybody is told; null: the bot's own words. */
  text: string | null;
}

/** Everything that is known of a request; `queue/requests.ts` has all of its statements, and draws its states. Flags are 0 or 1. */
interface RequestsTable {
  id: Generated<number>;
  /** Telegram's: an update is taken in once, and an edit has a row of its own only for that. */
  update_id: number;
  lane: string;
  /** The message that asks; null for a callback query, and in a chat that is not the bot's. */
  chat: number | null;
  message: number | null;
  album: string | null;
  once: string | null;
  state: 'waiting' | 'asked' | 'parked' | 'done' | 'dead';
  /** First in its lane: may be taken. */
  head: Generated<number>;
  /** The process that is working on it. */
  process: number | null;
  /** Not taken before this time (0: at once): an album pauses, a failure backs off. */
  due_at: Generated<number>;
  strikes: Generated<number>;
  /** Attempts in a row that failed. */
  failures: Generated<number>;
  /** Cancelled by its person (/cancel). */
  cancelled: Generated<number>;
  /** Its message was edited after it was taken. */
  edited: Generated<number>;
  /** The number of paid calls that its person has agreed to, or is asked about. */
  consent: Generated<number>;
  /** Every message sent for it, as JSON (`SentMessage`). */
  sent: Generated<string>;
  /** A hash of the request at its last answer: an edit that changes nothing gets no answer. */
  digest: string | null;
  /** The update as Telegram sent it, as JSON; null once it is done. Of an album, what an edit of another part needs. */
  body: string | null;
  /** When it got its present state. */
  at: number;
  reason: string | null;
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
  /** Of a request, 1: the admins have been told. Of a decision, 1: the asker has not been told yet. */
  told: 0 | 1;
  /** The beginning of this standing. */
  at: number;
  /** The id and name of the decider: an admin, or the member who added the group. For a request, the update that made it. */
  decided_by: string | null;
  decider: string | null;
  /** JSON of the messages that asked the admins (`SentQuestion` in access/admissions.ts); null if there are none. */
  questions: string | null;
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
