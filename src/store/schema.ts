/**
 * The tables of the first release: the SQL that creates them, which both engines understand, and their types for Kysely. Times are ms since
 * the epoch, days are UTC (`2026-01-31`), flags are 0 or 1.
 *
 * Statements that every text runs are written as SQL: Kysely's builder makes each one anew, which takes as long as running it on SQLite.
 */
import type { Generated } from 'kysely';
import type { CallKind, CallOutcome } from '../paid-calls.ts';

export type Engine = 'sqlite' | 'postgres';

/** `ddl` creates the column; unset for one that a later migration adds. */
interface Column<T> {
  readonly ddl?: string | Readonly<Record<Engine, string>> | undefined;
  /** Only for the type checker. */
  readonly type?: T;
}

interface Table {
  readonly columns: Readonly<Record<string, Column<unknown>>>;
  /** The primary key, if it is not the first column. */
  readonly key?: string;
  /** What creates its indexes, after its own statement. */
  readonly indexes?: readonly string[];
}

function column<T>(ddl?: Column<T>['ddl']): Column<T> {
  return { ddl };
}

const serial = column<Generated<number>>({
  sqlite: 'integer primary key',
  postgres: 'bigserial primary key',
});
const time = column<number>('bigint not null');
const day = column<string>('varchar(10) not null');
const count = column<number>('integer not null');
const flag = column<Generated<number>>('smallint not null default 0');
const person = column<string>('varchar(32) not null');
/** A person, a group, or nobody. */
const anybody = column<string | null>('varchar(32)');
const maybeText = column<string | null>('text');
const maybeId = column<number | null>('bigint');

const TABLES = {
  /** Every attempt at a paid call. */
  ledger: {
    columns: {
      id: serial,
      at: time,
      day,
      person,
      chat_group: anybody,
      kind: column<CallKind>('varchar(16) not null'),
      characters: count,
      /** `begun` until it is settled; after a crash that reads as in doubt, and counts as spent. */
      outcome: column<'begun' | CallOutcome>('varchar(16) not null'),
      /** The cost of a call of this kind on that day, in fen. It was paid if the outcome is `charged`, perhaps if it is `in-doubt`. */
      cost_fen: count,
    },
    indexes: [
      'index ledger_by_day on ledger (day)',
      'index ledger_by_person on ledger (person, day)',
      'index ledger_by_group on ledger (chat_group, day)',
    ],
  },
  /** The sums of the ledger by day (money/spending.ts): against them the limits are checked, and `/stats` and `/usage` read them. */
  spending: {
    columns: {
      day,
      /** `bot` for all together, `kind:` and a kind of call, `group:` or `person:` and a hash that changes daily. */
      scope: column<string>('varchar(48) not null'),
      /** Paid calls, and those that may have been; without those that failed. */
      calls: count,
      cost_fen: count,
    },
    key: 'day, scope',
  },
  /** See money/pauses.ts. The admins' pause of the whole bot (access/access.ts) has no time. */
  pauses: {
    columns: {
      reason: column<string>('varchar(48) primary key'),
      until: time,
      /** What everybody is told; null: the bot's own words. */
      text: maybeText,
    },
  },
  /** Access tokens of the service, by the hash of their credentials. */
  tokens: {
    columns: {
      credentials: column<string>('varchar(64) primary key'),
      token: column<string>('text not null'),
      expires_at: time,
    },
  },
  /** Everything that is known of a request; `queue/requests.ts` has all of its statements, and draws its states. */
  requests: {
    columns: {
      id: serial,
      /** Telegram's: an update is taken in once, and an edit has a row of its own only for that. */
      update_id: column<number>('bigint not null unique'),
      lane: person,
      /** The message that asks; null for a callback query, and in a chat that is not the bot's. */
      chat: maybeId,
      message: maybeId,
      album: maybeText,
      once: maybeText,
      state: column<'waiting' | 'asked' | 'parked' | 'done' | 'dead'>('varchar(8) not null'),
      /** First in its lane: may be taken. */
      head: flag,
      /** The process that is working on it. */
      process: maybeId,
      /** Not taken before this time (0: at once): an album pauses, a failure backs off. */
      due_at: column<Generated<number>>('bigint not null default 0'),
      strikes: flag,
      /** Attempts in a row that failed. */
      failures: flag,
      /** Cancelled by its person (/cancel): 0, or a value of `queue/request-table.ts`. */
      cancelled: flag,
      /** Its message was edited after it was taken. */
      edited: flag,
      /** The number of paid calls that its person has agreed to, or is asked about. */
      consent: column<Generated<number>>('integer not null default 0'),
      /** Every message sent for it, as JSON (`SentMessage`). */
      sent: column<Generated<string>>("text not null default '[]'"),
      /** A hash of the request at its last answer, or as it was cancelled: an edit that changes nothing gets no answer. */
      digest: column<string | null>('varchar(64)'),
      /** The update as Telegram sent it, as JSON; null once it is done. Of an album, what an edit of another part needs. */
      body: maybeText,
      /** When it got its present state. */
      at: time,
      reason: maybeText,
    },
    indexes: [
      "unique index requests_once on requests (once) where state = 'waiting'",
      'unique index requests_head on requests (lane) where head = 1',
      'index requests_next on requests (id, due_at) where head = 1 and process is null',
      "index requests_waiting on requests (lane, id) where state = 'waiting'",
      'index requests_by_lane on requests (lane, id)',
      'index requests_by_message on requests (chat, message) where chat is not null',
      'index requests_by_process on requests (process) where process is not null',
      'index requests_by_age on requests (state, at)',
    ],
  },
  /** Paid results, kept for re-use. A row without any content is a claim on one that a process is buying (kept/results.ts). */
  results: {
    columns: {
      /** Kind, parameters, and a hash of the input. */
      key: column<string>('varchar(128) primary key'),
      /** The person who paid: /forget finds the row by this. Empty if they were forgotten while the result was bought. */
      person,
      text: maybeText,
      /** A voice note (OGG/Opus), or PCM that waits for an encoder. */
      audio: column<Buffer | null>({ sqlite: 'blob', postgres: 'bytea' }),
      duration_ms: column<number | null>('integer'),
      /** Telegram's `file_id`, once uploaded. */
      file_id: maybeText,
      /** The process that is buying this result (`PostgresSession.process`); on PostgreSQL. */
      process: maybeId,
      kept_at: time,
    },
    indexes: [
      'index results_by_person on results (person)',
      'index results_by_age on results (kept_at)',
      'index results_by_process on results (process) where process is not null',
    ],
  },
  groups: {
    columns: {
      chat: column<string>('varchar(32) primary key'),
      /** The group's paid calls per UTC day; null: the bot's own limit. */
      daily_calls: column<number | null>('integer'),
      listens: column<Generated<0 | 1>>('integer not null default 0'),
      /** When the bot was added: earlier messages get no answer. */
      joined_at: maybeId,
      /** The basic group that became this supergroup. */
      upgraded_from: anybody,
    },
  },
  /** People and groups that were let in or blocked, or that ask to be let in. */
  access: {
    columns: {
      /** A hash of the id, by which they are still found after /forget. */
      subject: column<string>('varchar(32) primary key'),
      /** The id; null after /forget. */
      chat: anybody,
      /** The name that admins see; null if unknown, and after /forget. */
      name: maybeText,
      language: column<string | null>('varchar(16)'),
      standing: column<'asking' | 'member' | 'blocked'>('varchar(16) not null'),
      /** The beginning of this standing. */
      at: time,
      /** The id and name of the decider: an admin, or the member who added the group. For a request, the update that made it. */
      decided_by: anybody,
      decider: maybeText,
      /** JSON: `SentQuestion`s of access/admissions.ts. */
      questions: maybeText,
    },
    indexes: [
      'index access_by_age on access (at, subject)',
      'index access_by_standing on access (standing, at)',
      'index access_by_chat on access (chat)',
      'index access_by_decider on access (decided_by)',
    ],
  },
  /** Links that let in anybody who opens them. */
  invitations: {
    columns: {
      /** A hash of the token, which only the link holds. */
      hash: column<string>('varchar(64) primary key'),
      uses_left: count,
      expires_at: time,
      decided_by: anybody,
      decider: maybeText,
    },
    indexes: [
      'index invitations_by_expires_at on invitations (expires_at)',
      'index invitations_by_decided_by on invitations (decided_by)',
    ],
  },
  /** The owner of each @name when the bot last saw it. */
  seen_names: {
    columns: {
      /** In lower case. */
      name: column<string>('varchar(64) primary key'),
      chat: person,
      seen_at: time,
    },
    indexes: [
      'index seen_names_by_chat on seen_names (chat)',
      'index seen_names_by_age on seen_names (seen_at)',
    ],
  },
  /** Settings and last texts (kept/sessions.ts). @telegraf/session creates this table, too, but without regard to other processes that start with it. */
  'telegraf-sessions': {
    columns: { key: column<string>('varchar(32) primary key'), session: maybeText },
  },
} as const satisfies Readonly<Record<string, Table>>;

type Columns<T extends Table> = {
  -readonly [Name in keyof T['columns']]: T['columns'][Name] extends Column<infer Type> ? Type : never;
};

export type Schema = { -readonly [Name in keyof typeof TABLES]: Columns<(typeof TABLES)[Name]> };

/** The columns of a table's primary key, with commas. */
export function keyOf(name: string): string {
  const tables: Readonly<Record<string, Table>> = TABLES;
  const { key, columns = {} } = tables[name] ?? {};
  return key ?? Object.keys(columns)[0] ?? '';
}

export function baseline(engine: Engine): readonly string[] {
  return Object.entries<Table>(TABLES).flatMap(([name, { columns, key, indexes = [] }]) => {
    const parts = Object.entries(columns).flatMap(([name, { ddl }]) => {
      const type = typeof ddl === 'object' ? ddl[engine] : ddl;
      return type === undefined ? [] : [`${name} ${type}`];
    });
    if (key !== undefined) parts.push(`primary key (${key})`);
    return [`create table "${name}" (${parts.join(', ')})`, ...indexes.map((index) => `create ${index}`)];
  });
}
