/**
 * The table `requests`: everything that is known of a request is in its row, and every statement on that table is in this file, but for the paid call's
 * look at `cancelled`, and what erases whole rows.
 *
 *            push ──► waiting ──take──► waiting, with a process ──finish──► done ──two days──► (deleted)
 *                      ▲  ▲  ▲                │        │
 *                      │  │  └──── retry ─────┘        ├──► asked   (a question about the cost) ──a day──► done
 *                      │  │   (due_at, strikes)        ├──► parked  (*Try again*)               ──a day──► done
 *                      │  └──── resume, edit ──────────┘
 *                      └─────── retry by an operator ───── dead     (died of it, or can never succeed) ──30 days──► (deleted)
 *
 * Requests of a lane are handled one after another, in the order of their ids: `head` marks the first that waits, and only heads are taken.
 * The parts of an album are rows of one lane with one `album`; the first stands for all. An edit replaces the body of its message's row.
 */
import { EventEmitter } from 'node:events';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { Database } from '../store/database.ts';
import { orDatabaseFailure } from '../store/database-errors.ts';
import type { Schema } from '../store/schema.ts';

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
  /** While a request waits or runs, others with the same `once` are dropped: one tap can arrive as two callback queries. */
  readonly once?: string | undefined;
  readonly body: unknown;
}

/** No wait is longer, in ms: a `due_at` further ahead shows that the clock was set back. */
export const MAX_WAIT_MS = 30 * 60 * 1000;

/** Telegram does not mark the end of an album: a quiet second ends it (design §5). */
export const ALBUM_PAUSE_MS = 1000;

const sentMessage = z.object({
  /** Telegram's message id, or the inline message id of a guest's placeholder. */
  id: z.union([z.number(), z.string()]),
  /** `text` can be edited, `media` has to be replaced. */
  kind: z.enum(['text', 'media', 'progress', 'question', 'placeholder']),
  /** Where it stands, if that is not the chat that asked. */
  chat: z.number().optional(),
  /** It belongs to what the request was before: the next answer takes its place, or it is deleted. */
  isOld: z.literal(true).optional(),
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

/** How an attempt ended: answered (`done`), with a question about the cost, with *Try again*, or to be erased. */
export interface Outcome {
  readonly state: 'done' | 'asked' | 'parked' | 'gone';
  readonly sent: readonly SentMessage[];
  readonly asked?: string | undefined;
  /** The number of paid calls that the person agreed to, or is asked about. */
  readonly consent?: number;
  /** /cancel stopped it. */
  readonly isStopped?: boolean;
  /** By part of an album, what an edit of another part needs of it; the bodies of other requests are not kept. */
  readonly kept?: readonly unknown[];
}

/** Another process has the request by now: this one writes and sends nothing more about it. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver';
}

interface DeadLetter {
  readonly id: string;
  /** ms since the epoch */
  readonly givenUpAt: number;
  readonly reason: string;
  readonly lane: string;
}

/** `due`: there may be requests to take. `changed`: a request was cancelled or edited, maybe while it runs. */
interface Events {
  due: [];
  changed: [id: number];
}

/** The channel that tells the other processes; its payload is empty (`due`), or the id of a request that was changed. */
export const CHANNEL = 'lotsawa_requests';

const COLUMNS = sql.raw('id, lane, album, strikes, failures, cancelled, consent, sent, asked, body');

interface Stored {
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

function toRow(row: Stored): RequestRow {
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

function parseSent(json: string): SentMessage[] {
  return sentMessages.parse(JSON.parse(json));
}

function monotonic(): number {
  return Math.round(performance.timeOrigin + performance.now());
}

/** A request that is handled anew: its answers are old, and what only showed that it was under way is no answer. */
function asOld(sent: readonly SentMessage[]): SentMessage[] {
  return sent.filter(({ isInDoubt }) => !isInDoubt).map((one) => ({ ...one, isOld: true }));
}

/** The requests of all processes on one database. All methods throw `database` when it does not answer. */
export class Requests extends EventEmitter<Events> {
  readonly #database: Database;
  /** The number of this process; on SQLite there is one. */
  readonly process: number;
  /** The clock of `due_at`, in ms: the server's, which all processes share, or one that nobody sets. */
  readonly clock: () => number;

  constructor(database: Database) {
    super();
    this.#database = database;
    this.process = database.engine === 'postgres' ? database.session.process : 1;
    this.clock = database.engine === 'postgres' ? database.session.now : monotonic;
  }

  /**
   * Takes updates in that were not received before; gives the ids of their requests by `update_id`. Resolves once they are on disk. An edit
   * is entered as done, and changes its message's request.
   */
  async push(updates: readonly NewRequest[]): Promise<ReadonlyMap<number, number>> {
    if (updates.length === 0) return new Map();
    const changed: number[] = [];
    const taken = await this.#transaction(lanesOf(updates), async (transaction) => {
      const taken = await insert(transaction, updates, this.#database.now(), this.clock());
      const fresh = updates.filter(({ updateId }) => taken.has(updateId));
      for (const update of fresh) {
        if (update.isEdit === true) changed.push(...(await applyEdit(transaction, update)));
        else if (update.album !== undefined) await putOff(transaction, update, this.clock());
      }
      for (const id of changed) await this.#notify(transaction, String(id));
      return taken;
    });
    for (const id of changed) this.emit('changed', id);
    if (this.#database.engine === 'sqlite') await orDatabaseFailure(this.#database.flushed);
    return taken;
  }

  /**
   * Takes up to `limit` heads that are due for this process, and adds `strike` to their strikes, in case the process dies of them; with
   * `suspects` false none that may have killed a process.
   */
  async take(
    limit: number,
    { strike, suspectsFrom }: { readonly strike: number; readonly suspectsFrom: number | undefined },
  ): Promise<RequestRow[]> {
    const lock = this.#database.engine === 'postgres' ? sql`for update skip locked` : sql``;
    const now = this.clock();
    const harmless = suspectsFrom === undefined ? sql`` : sql`and strikes < ${suspectsFrom}`;
    const { rows } = await this.#run<Stored>(sql`
      with next as materialized (
        select id from requests
        where head = 1 and process is null and (due_at <= ${now} or due_at > ${now + MAX_WAIT_MS}) ${harmless}
        order by id limit ${limit} ${lock}
      )
      update requests set process = ${this.process}, strikes = strikes + ${strike}, edited = 0
      where id in (select id from next) returning ${COLUMNS}`);
    return rows
      .map(toRow)
      .map((row) => ({ ...row, strikes: row.strikes - strike }))
      .sort((one, other) => one.id - other.id);
  }

  /** Takes the other parts of an album; a part that came after its first attempt is a request of its own. */
  async takeRest(first: RequestRow, strike: number): Promise<RequestRow[]> {
    const { rows } = await this.#run<Stored>(sql`
      update requests set process = ${this.process}, strikes = strikes + ${strike}, edited = 0
      where lane = ${first.lane} and album = ${first.album ?? ''} and state = 'waiting' and process is null
        and strikes = ${first.strikes} and failures = ${first.failures}
      returning ${COLUMNS}`);
    return rows
      .map(toRow)
      .map((row) => ({ ...row, strikes: row.strikes - strike }))
      .sort((one, other) => one.id - other.id);
  }

  /** Reads requests that this process runs, as they are now. */
  async read(ids: readonly number[]): Promise<RequestRow[]> {
    const { rows } = await this.#run<Stored>(sql`
      select ${COLUMNS} from requests where id in (${sql.join(ids)}) order by id`);
    return rows.map(toRow);
  }

  /** Notes the messages sent for a running request. Throws `TakenOver`. */
  async note({ id }: Pick<RequestRow, 'id'>, sent: readonly SentMessage[]): Promise<void> {
    const { numAffectedRows } = await this.#run(sql`
      update requests set sent = ${JSON.stringify(sent)} where id = ${id} and process = ${this.process}`);
    if (numAffectedRows !== 1n) throw new TakenOver('another process has taken this request');
  }

  /** Notes the placeholder of a guest's request, which is sent beside its lane. */
  async notePlaceholder(id: number, inlineMessage: string): Promise<void> {
    const sent: SentMessage[] = [{ id: inlineMessage, kind: 'placeholder' }];
    await this.#run(sql`update requests set sent = ${JSON.stringify(sent)} where id = ${id} and sent = '[]'`);
  }

  /** Ends an attempt, and moves its lane on. A request that was edited meanwhile waits again, with its edit. Throws `TakenOver`. */
  async finish(rows: readonly RequestRow[], outcome: Outcome): Promise<void> {
    const ids = sql.join(rows.map(({ id }) => id));
    const isOwn = await this.#transaction(lanesOf(rows), async (transaction) => {
      if (outcome.state === 'gone') {
        await sql`delete from requests where id in (${ids})`.execute(transaction);
        return true;
      }
      const states: (string | undefined)[] = [];
      for (const [index, { id }] of rows.entries()) {
        states.push(await this.#end(transaction, id, outcome, index));
      }
      if (states.includes('waiting')) {
        await sql`update requests set state = 'waiting', consent = 0 where id in (${ids})`.execute(
          transaction,
        );
        const sent = JSON.stringify(asOld(outcome.sent));
        await sql`update requests set sent = ${sent} where id = ${rows[0]?.id ?? 0}`.execute(transaction);
      }
      return !states.includes(undefined);
    });
    if (!isOwn) throw new TakenOver('another process has taken this request');
  }

  /** Ends one row; gives its new state, undefined if another process has it. The first of an album stands for all. */
  async #end(
    transaction: Transaction<Schema>,
    id: number,
    { state, sent, asked, consent = 0, isStopped = false, kept }: Outcome,
    index: number,
  ): Promise<string | undefined> {
    const own = kept?.[index];
    // A request that waits for its person keeps its body.
    const body = state === 'done' ? sql`${own === undefined ? null : JSON.stringify(own)}` : sql`body`;
    const { rows } = await sql<{ state: string }>`
      update requests set
        state = case when edited = 1 then 'waiting' else ${state} end,
        body = case when edited = 1 then body else ${body} end,
        sent = ${index === 0 ? JSON.stringify(sent) : '[]'}, asked = ${(index === 0 ? asked : undefined) ?? null},
        consent = ${consent}, cancelled = ${isStopped ? 1 : 0},
        head = 0, process = null, once = null, edited = 0, strikes = 0, failures = 0, due_at = 0,
        at = ${this.#database.now()}
      where id = ${id} and process = ${this.process}
      returning state`.execute(transaction);
    return rows[0]?.state;
  }

  /** Puts requests back to be tried again at `dueAt` (ms since the epoch), ahead of the others in their lane. */
  async retry(
    rows: readonly RequestRow[],
    { dueAt, strikes, failures }: { dueAt: number; strikes: number; failures: number },
  ): Promise<void> {
    await this.#run(sql`
      update requests set process = null, due_at = ${dueAt}, strikes = ${strikes}, failures = ${failures}
      where id in (${sql.join(rows.map(({ id }) => id))}) and process = ${this.process}`);
    await this.#announce();
  }

  /** Makes requests dead letters, and moves their lane on. */
  async giveUp(rows: readonly RequestRow[], reason: string): Promise<void> {
    await this.#transaction(lanesOf(rows), async (transaction) => {
      await sql`
        update requests set state = 'dead', reason = ${reason}, process = null, head = 0, once = null, at = ${this.#database.now()}
        where id in (${sql.join(rows.map(({ id }) => id))}) and process = ${this.process}`.execute(
        transaction,
      );
    });
  }

  /** Takes a strike back from requests that run: if the process dies, it is not of them. */
  async acquit(rows: readonly RequestRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#run(sql`
      update requests set strikes = strikes - 1
      where id in (${sql.join(rows.map(({ id }) => id))}) and process = ${this.process}`);
  }

  /** Gives back all requests of these processes, except `kept`; they keep their order. */
  async giveBack(processes: readonly number[], kept: readonly number[] = []): Promise<void> {
    const except = kept.length === 0 ? sql`` : sql`and id not in (${sql.join(kept)})`;
    const { numAffectedRows = 0n } = await this.#run(sql`
      update requests set process = null where process in (${sql.join(processes)}) ${except}`);
    if (numAffectedRows > 0n) await this.#announce();
  }

  /** Marks what waits or runs in a lane, up to the request `before`, as no longer wanted (/cancel). */
  async cancel(lane: string, before: number): Promise<void> {
    const ids = await this.#transaction([lane], async (transaction) => {
      // Nothing is left to wait for.
      const { rows } = await sql<{ id: number }>`
        update requests set cancelled = 1, due_at = 0
        where lane = ${lane} and state = 'waiting' and id < ${before} returning id`.execute(transaction);
      for (const { id } of rows) await this.#notify(transaction, String(id));
      if (rows.length > 0) await this.#notify(transaction, '');
      return rows.map(({ id }) => Number(id));
    });
    for (const id of ids) this.emit('changed', id);
  }

  /** Counts the requests of a lane that /cancel has stopped, each once. */
  async countStopped(lane: string): Promise<number> {
    const { numAffectedRows = 0n } = await this.#run(sql`
      update requests set cancelled = 0 where lane = ${lane} and cancelled = 1 and state <> 'waiting'`);
    return Number(numAffectedRows);
  }

  /** Ends the requests of a lane that wait for a yes; gives where their questions stand. */
  async takeQuestionsBack(lane: string): Promise<{ chat: number | undefined; message: SentMessage }[]> {
    const { rows } = await this.#run<{ chat: number | null; sent: string }>(sql`
      update requests set state = 'done', body = null where lane = ${lane} and state = 'asked' returning chat, sent`);
    return rows.flatMap(({ chat, sent }) =>
      parseSent(sent).flatMap((message) =>
        message.kind === 'question'
          ? [{ chat: message.chat ?? (chat === null ? undefined : Number(chat)), message }]
          : [],
      ),
    );
  }

  /** Whether this request of a lane waits for its person in this state. */
  async isParked(id: number, lane: string, state: 'asked' | 'parked'): Promise<boolean> {
    const { rows } = await this.#run(sql`
      select id from requests where id = ${id} and lane = ${lane} and state = ${state}`);
    return rows.length > 0;
  }

  /**
   * Handles a request again that waits for its person (*Try again*, *Go on*), ahead of the others in its lane; false if it is gone, or if
   * the request `by`, which asks for that, was cancelled meanwhile.
   */
  async resume(id: number, lane: string, state: 'asked' | 'parked', by: number): Promise<boolean> {
    return this.#transaction([lane], async (transaction) => {
      const row = await rowOf(
        transaction,
        sql`id = ${id} and lane = ${lane} and state = ${state}
          and not exists (select 1 from requests as press where press.id = ${by} and press.cancelled = 1)`,
      );
      if (row === undefined) return false;
      // What came before a question is given; what came before a failure is replaced.
      const sent = state === 'parked' ? asOld(row.sent) : row.sent.map(asReplaceable);
      await reopen(transaction, row, { sent, consent: row.consent });
      // Its present text was not answered yet, also if that is an edit.
      await sql`update requests set asked = null where id = ${id}`.execute(transaction);
      return true;
    });
  }

  /** Ends a request that waits for a yes, as its person has said no. */
  async decline(id: number, lane: string): Promise<void> {
    await this.#run(sql`
      update requests set state = 'done', body = null where id = ${id} and lane = ${lane} and state = 'asked'`);
  }

  /** Whether this message of a chat is one that the bot has sent for a request. */
  async isAnswer(chat: number, message: number): Promise<boolean> {
    const { rows } = await this.#run(sql`
      select id from requests where chat = ${chat} and sent like ${`%"id":${message},%`} limit 1`);
    return rows.length > 0;
  }

  /** Whether the request of this message has been answered. */
  async isAnswered(chat: number, message: number): Promise<boolean> {
    const { rows } = await this.#run(sql`
      select id from requests where chat = ${chat} and message = ${message} and sent <> '[]' limit 1`);
    return rows.length > 0;
  }

  /** Whether nothing was answered in this lane after this request. */
  async isLatest({ id, lane }: Pick<RequestRow, 'id' | 'lane'>): Promise<boolean> {
    const { rows } = await this.#run(sql`
      select id from requests where lane = ${lane} and id > ${id} and state <> 'waiting' and sent <> '[]' limit 1`);
    return rows.length === 0;
  }

  /** Whether a request waits, and no process has begun it. */
  async isUntaken(id: number): Promise<boolean> {
    const { rows } = await this.#run(sql`
      select id from requests where id = ${id} and state = 'waiting' and process is null`);
    return rows.length > 0;
  }

  /** The number of requests that wait or run, with each part of an album. */
  async depth(): Promise<number> {
    const { rows } = await this.#run<{ depth: number }>(sql`
      select count(*) as depth from requests where state = 'waiting'`);
    return Number(rows[0]?.depth ?? 0);
  }

  /** The dead letters, oldest first. */
  async listDeadLetters(): Promise<DeadLetter[]> {
    const { rows } = await this.#run<{ id: number; lane: string; at: number; reason: string | null }>(sql`
      select id, lane, at, reason from requests where state = 'dead' order by id`);
    return rows.map(({ id, lane, at, reason }) => ({
      id: String(id),
      lane,
      givenUpAt: Number(at),
      reason: reason ?? '',
    }));
  }

  /** Queues a dead letter again; false for an unknown id. */
  async retryDeadLetter(id: string): Promise<boolean> {
    const dead = await rowOf(this.#database.soon, sql`id = ${Number(id)} and state = 'dead'`);
    if (dead === undefined) return false;
    return this.#transaction([dead.lane], async (transaction) => {
      const { numAffectedRows } = await sql`
        update requests set state = 'waiting', reason = null, strikes = 0, failures = 0, due_at = 0
        where id = ${dead.id} and state = 'dead'`.execute(transaction);
      return numAffectedRows === 1n;
    });
  }

  /** Deletes a dead letter; false for an unknown id. */
  async dropDeadLetter(id: string): Promise<boolean> {
    const { numAffectedRows } = await this.#run(sql`
      delete from requests where id = ${Number(id)} and state = 'dead'`);
    return numAffectedRows === 1n;
  }

  /** At the start of the only process: what an earlier one ran waits again, and whatever the clock did meanwhile, nothing waits for it. */
  async recover(): Promise<void> {
    await this.#run(sql`update requests set process = null where process is not null`);
    await this.#run(sql`update requests set due_at = 0 where state = 'waiting' and due_at > 0`);
  }

  /** Runs a write of these lanes, which appoints their heads at the end, and tells who takes requests. */
  async #transaction<T>(
    lanes: readonly string[],
    write: (transaction: Transaction<Schema>) => Promise<T>,
  ): Promise<T> {
    const result = await orDatabaseFailure(() =>
      this.#database.soon.transaction().execute(async (transaction) => {
        // The lock comes first: only a statement that begins after the others' commit sees what they took in.
        if (this.#database.engine === 'postgres') await lockLanes(transaction, lanes);
        const result = await write(transaction);
        if ((await appointHeads(transaction, lanes)) > 0) await this.#notify(transaction, '');
        return result;
      }),
    );
    if (this.#database.engine === 'sqlite') this.emit('due');
    return result;
  }

  #run<R>(statement: RawBuilder<R>) {
    return orDatabaseFailure(() => statement.execute(this.#database.soon));
  }

  async #announce(): Promise<void> {
    if (this.#database.engine === 'sqlite') this.emit('due');
    else await this.#run(sql`select pg_notify(${CHANNEL}, '')`);
  }

  async #notify(transaction: Transaction<Schema>, payload: string): Promise<void> {
    if (this.#database.engine === 'postgres')
      await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(transaction);
  }
}

/** A question is replaced by what it asked about; answers before it stay. */
function asReplaceable(message: SentMessage): SentMessage {
  return message.kind === 'question' ? { ...message, isOld: true } : message;
}

function lanesOf(rows: readonly { readonly lane: string }[]): string[] {
  return [...new Set(rows.map(({ lane }) => lane))].sort();
}

/** Enters updates that are new, and whose `once` no other has that waits or runs; gives the ids of their rows by `update_id`. */
async function insert(
  transaction: Transaction<Schema>,
  updates: readonly NewRequest[],
  at: number,
  now: number,
): Promise<Map<number, number>> {
  const values = updates.map(
    ({ updateId, lane, isEdit, chat = null, message = null, album = null, once = null, body }) => {
      if (isEdit === true) return sql`(${updateId}, ${lane}, null, null, null, null, 'done', null, 0, ${at})`;
      const dueAt = album === null ? 0 : now + ALBUM_PAUSE_MS;
      return sql`(${updateId}, ${lane}, ${chat}, ${message}, ${album}, ${once}, 'waiting', ${JSON.stringify(body)}, ${dueAt}, ${at})`;
    },
  );
  const { rows } = await sql<{ id: number; update_id: number }>`
    insert into requests (update_id, lane, chat, message, album, once, state, body, due_at, at)
    values ${sql.join(values)}
    on conflict do nothing
    returning id, update_id`.execute(transaction);
  return new Map(rows.map(({ id, update_id }) => [Number(update_id), Number(id)]));
}

/** Each part of an album puts the whole off, unless it was begun. */
async function putOff(
  transaction: Transaction<Schema>,
  { lane, album }: NewRequest,
  now: number,
): Promise<void> {
  await sql`
    update requests set due_at = ${now + ALBUM_PAUSE_MS}
    where lane = ${lane} and album = ${album ?? ''} and state = 'waiting' and process is null and failures = 0
  `.execute(transaction);
}

/**
 * Gives an edit to its message's request, which is handled with it; gives the ids of requests that run. A dead letter stays dead, and
 * nothing is known any more of what was answered more than two days ago.
 */
async function applyEdit(
  transaction: Transaction<Schema>,
  { chat, message, body }: NewRequest,
): Promise<number[]> {
  if (chat === undefined || message === undefined) return [];
  const row = await rowOf(transaction, sql`chat = ${chat} and message = ${message} and state <> 'dead'`);
  if (row === undefined) return [];
  const first = row.state === 'waiting' ? undefined : await firstOfAlbum(transaction, row);
  // It was never answered.
  if (first !== undefined && first.asked === undefined) return [];
  await sql`update requests set body = ${JSON.stringify(body)}, edited = 1, due_at = 0 where id = ${row.id}`.execute(
    transaction,
  );
  if (first !== undefined) await reopen(transaction, first, { sent: asOld(first.sent), consent: 0 });
  return row.process === null ? [] : [row.id];
}

interface KnownRow extends RequestRow {
  readonly state: string;
  readonly process: number | null;
}

/** The latest row that satisfies a condition. */
async function rowOf(
  database: Database['soon'] | Transaction<Schema>,
  condition: RawBuilder<unknown>,
): Promise<KnownRow | undefined> {
  const { rows } = await sql<Stored & { state: string; process: number | null }>`
    select ${COLUMNS}, state, process from requests where ${condition} order by id desc limit 1`.execute(
    database,
  );
  const [row] = rows;
  return row && { ...toRow(row), state: row.state, process: row.process };
}

/** The row that stands for the album of an answered row, or the row itself. */
async function firstOfAlbum(transaction: Transaction<Schema>, row: KnownRow): Promise<KnownRow> {
  if (row.album === undefined) return row;
  const { rows } = await sql<{ id: number }>`
    select min(id) as id from requests
    where lane = ${row.lane} and album = ${row.album} and state = ${row.state} and sent <> '[]'`.execute(
    transaction,
  );
  const first = await rowOf(transaction, sql`id = ${rows[0]?.id ?? row.id}`);
  return first ?? row;
}

/** Lets a request, with all parts of its album, wait again. */
async function reopen(
  transaction: Transaction<Schema>,
  { id, lane, album, state }: KnownRow,
  { sent, consent }: Pick<RequestRow, 'sent' | 'consent'>,
): Promise<void> {
  const parts =
    album === undefined ? sql`` : sql`or (lane = ${lane} and album = ${album} and state = ${state})`;
  await sql`
    update requests set state = 'waiting', consent = ${consent}, cancelled = 0, strikes = 0, failures = 0, due_at = 0
    where id = ${id} ${parts}`.execute(transaction);
  await sql`update requests set sent = ${JSON.stringify(sent)} where id = ${id}`.execute(transaction);
}

/**
 * Until its end, only this transaction takes updates in for these lanes, or decides who is next in them. The lanes are sorted, so that
 * processes cannot deadlock.
 */
async function lockLanes(transaction: Transaction<Schema>, lanes: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(lane, 1)) from unnest(${lanes}::text[]) as lane
  `.execute(transaction);
}

/** Makes the first request that waits in each of these (locked) lanes its head, where there is none; gives the number of new heads. */
async function appointHeads(transaction: Transaction<Schema>, lanes: readonly string[]): Promise<number> {
  const free = sql.join(
    lanes.map((lane) => sql`select cast(${lane} as text) as lane`),
    sql` union all `,
  );
  const { numAffectedRows = 0n } = await sql`
    update requests set head = 1
    where id in (
      select (
        select id from requests as waiting
        where waiting.lane = free.lane and waiting.state = 'waiting' order by waiting.id limit 1
      )
      from (${free}) as free
      where not exists (select 1 from requests as other where other.lane = free.lane and other.head = 1)
    )`.execute(transaction);
  return Number(numAffectedRows);
}
