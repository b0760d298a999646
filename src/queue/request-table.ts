/** The table `requests`: its rows, and transactions that keep the lanes' heads and notify the processes. */
import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../store/database.ts';
import { SOON } from '../store/engine.ts';
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
  /**
   * Set for an edit of `message`, which changes that message's request and is no request itself: whether it asks for something else than
   * an earlier body.
   */
  readonly asksElse?: (earlier: unknown) => boolean;
  /** The update is a /cancel: with it, the earlier requests of its lane are cancelled. */
  readonly isCancel?: boolean;
  /** Requests of a lane with the same `album` are handled together, once no part has come for `ALBUM_PAUSE_MS`. */
  readonly album?: string | undefined;
  /** It may be part of a text that the sender's app has cut (`albumOf`). */
  readonly cut?: Cut | undefined;
  /**
   * While a request waits or runs, others with the same `once` are dropped: one tap can arrive as two callback queries. Without a chat it stays
   * when the request is done (`isRepeated`).
   */
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

/** A request becomes a dead letter at this number of strikes: after three errors or six crashes. */
export const MAX_STRIKES = 6;
/** A request becomes a suspect at this number of strikes. Suspects run one at a time; if the process dies, the suspect alone is blamed. */
export const SUSPECT_FROM_STRIKES = MAX_STRIKES / 2;

/** Maximum wait, in ms; a later `due_at` means that the clock was set back. */
export const MAX_WAIT_MS = 30 * 60 * 1000;

/** Telegram does not mark the end of an album: a second without a new part ends it (design §5). */
export const ALBUM_PAUSE_MS = 1000;
/** The next part of a text that an app has cut follows so soon. */
export const PASTE_PAUSE_MS = 1500;

/** Values of `cancelled`. A request that was edited after its /cancel is attempted again: only an attempt that runs already stops. */
export const CANCELLED = 1;
export const CANCELLED_BEFORE_EDIT = 2;

export interface SentMessage {
  /** Telegram's message id, or the inline message id of a guest's placeholder. */
  readonly id: number | string;
  /** `text` can be edited; `media` must be replaced. */
  readonly kind: 'text' | 'media' | 'progress' | 'question' | 'placeholder';
  /** The chat of the message, if it is not the one that asked. */
  readonly chat?: number | undefined;
  /** It answers an earlier version of the request: the next answer replaces it, or it is deleted. */
  readonly isOld?: true | undefined;
  /** What it is among the answers to the request, the same in every attempt; 1.0.0 did not record it. */
  readonly key?: string | undefined;
  /** A hash of what it says (`markOf`): of a result, which a later attempt may correct, and of all in a channel, where other bots may repeat it. */
  readonly said?: string | undefined;
  /** Telegram's receipt was lost, so the message may exist: it is sent once more at most. After that only its person has it sent again. */
  readonly isInDoubt?: true | 'twice' | undefined;
}

const READ = [
  ...(['id', 'lane', 'chat', 'album', 'state', 'process', 'strikes', 'failures'] as const),
  ...(['cancelled', 'consent', 'sent', 'digest', 'body'] as const),
];
export const COLUMNS = sql.raw(READ.join(', '));

export type StoredRow = Pick<Selectable<Schema['requests']>, (typeof READ)[number]>;

/** A row with its JSON parsed. */
export interface RequestRow extends Omit<StoredRow, 'sent' | 'body'> {
  readonly sent: readonly SentMessage[];
  readonly body: unknown;
}

/** The end of an attempt: answered (`done`), a question about the cost (`asked`), *Try again* (`parked`), or to be erased (`gone`). */
export interface Outcome {
  readonly state: 'done' | 'asked' | 'parked' | 'gone';
  readonly sent: readonly SentMessage[];
  readonly digest?: string | null;
  /** The number of paid calls that the person agreed to, or is asked about. */
  readonly consent?: number;
  readonly isStopped?: boolean;
}

export function parseRow(row: StoredRow): RequestRow {
  return { ...row, sent: JSON.parse(row.sent), body: JSON.parse(row.body ?? 'null') };
}

/** Marks answers as old, and drops what may not have arrived. */
export function asOld(sent: readonly SentMessage[]): SentMessage[] {
  return sent.filter(({ isInDoubt }) => !isInDoubt).map((one) => ({ ...one, isOld: true }));
}

/** Access to the table on either engine. All methods throw `database` when it is unreachable. */
export class RequestTable {
  /** The number of this process; 1 on SQLite. */
  readonly process: number;
  /** Called when requests may be ready to take, by any process; with a request's id after that one was cancelled or edited, else with ''. */
  onNews: (id: string) => void = () => {};
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
    this.process = database.engine === 'postgres' ? database.session.process : 1;
  }

  /** The present time by the clock of `due_at`, in ms: the server's, which all processes share, or a monotonic one. */
  now(): RawBuilder<number> {
    return this.database.engine === 'postgres'
      ? // A query of its own is run once for all rows.
        sql`(select (extract(epoch from statement_timestamp()) * 1000)::bigint)`
      : sql`${Math.round(performance.timeOrigin + performance.now())}`;
  }

  /**
   * Runs a write on these (sorted) lanes, then appoints their heads and notifies the processes. The write lists the requests that it cancels
   * or edits. `isDurable`: it survives a power cut of PostgreSQL's server; others may be undone, and then the work is done again.
   */
  async transaction<T>(
    lanes: readonly string[],
    write: (transaction: Transaction<Schema>, changed: number[]) => Promise<T>,
    isDurable = false,
  ): Promise<T> {
    const { engine } = this.database;
    let news: readonly string[] = [];
    const result = await this.database.sql.transaction().execute(async (transaction) => {
      const changed: number[] = [];
      // Lock first: only a statement that begins after the other's commit sees its rows.
      if (engine === 'postgres') await lockLanes(transaction, lanes, isDurable);
      const written = await write(transaction, changed);
      const heads = await appointHeads(transaction, lanes);
      news = changed.length === 0 && heads > 0 ? [''] : changed.map(String);
      await this.notify(transaction, news);
      return written;
    });
    if (engine === 'sqlite') for (const id of news) this.onNews(id);
    return result;
  }

  /** Notifies the processes on PostgreSQL, this one too, of news (see `onNews`) once the transaction commits. */
  async notify(transaction: Kysely<Schema>, news: readonly string[]): Promise<void> {
    const { database } = this;
    if (database.engine === 'sqlite' || news.length === 0) return;
    const { channel } = database.session;
    await sql`select pg_notify(${channel}, news) from unnest(${news}::text[]) as news`.execute(transaction);
  }
}

/** Locks these (sorted) lanes until the transaction ends: nobody else inserts into them or appoints their heads. */
async function lockLanes(
  transaction: Transaction<Schema>,
  lanes: readonly string[],
  isDurable: boolean,
): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(lane, 1)) ${isDurable ? sql`` : sql`, ${SOON}`}
    from unnest(${lanes}::text[]) as lane`.execute(transaction);
}

/**
 * Makes the first waiting request of each (locked) lane its head, where the lane has none; returns the number of new heads. A request that runs
 * and has left its lane waits for its chat: those of the same chat come after it.
 */
async function appointHeads(transaction: Transaction<Schema>, lanes: readonly string[]): Promise<number> {
  if (lanes.length === 0) return 0;
  const free = sql.join(
    lanes.map((lane) => sql`select cast(${lane} as text) as lane`),
    sql` union all `,
  );
  const { numAffectedRows = 0n } = await sql`
    update requests set head = 1
    where id in (
      select (
        select id from requests as waiting
        where waiting.lane = free.lane and waiting.state = 'waiting' and waiting.process is null
          and not exists (
            select 1 from requests as left_lane
            where left_lane.lane = free.lane and left_lane.state = 'waiting' and left_lane.process is not null
              and left_lane.chat = waiting.chat
          )
        order by waiting.id limit 1
      )
      from (${free}) as free
      where not exists (select 1 from requests as other where other.lane = free.lane and other.head = 1)
    )`.execute(transaction);
  return Number(numAffectedRows);
}
