/**
 * The life of a request: everything that is known of it is in its row of the table `requests`. What arrives is in arrivals.ts.
 * Rows are deleted by pruning, by erasure (/forget, a group that the bot left) and by the operator.
 *
 *            push ──► waiting ──take──► waiting, with a process ──finish──► done ──two days──► (deleted)
 *                      ▲  ▲  ▲                │        │
 *                      │  │  └──── retry ─────┘        ├──► asked   (a question about the cost) ──a day──► done
 *                      │  │   (due_at, strikes)        ├──► parked  (*Try again*)               ──a day──► done
 *                      │  └──── resume, edit ──────────┘
 *                      └─────── retry by an operator ───── dead     (crashed it too often, or can never succeed) ──30 days──► (deleted)
 *
 * Requests of a lane are handled one after another, in the order of their ids: `head` marks the first that waits, and only heads are taken.
 * The parts of an album are rows of one lane with one `album`; the first stands for all. An edit replaces the body of its message's row.
 */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Schema } from '../store/schema.ts';
import { applyEdit, cancelBefore, insert, pauseOf, putOff, rowOf, waitAgain } from './arrivals.ts';
import { RequestLookups } from './request-lookups.ts';
import {
  asOld,
  CANCELLED,
  COLUMNS,
  MAX_WAIT_MS,
  type NewRequest,
  type Outcome,
  PASTE_PAUSE_MS,
  parseRow,
  type RequestRow,
  type SentMessage,
  type StoredRow,
  SUSPECT_FROM_STRIKES,
} from './request-table.ts';

/** How many rows a statement of `disown` changes. */
const DISOWNED_AT_ONCE = 500;

/** Another process has taken the request over: this one must write and send nothing more for it. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver';
}

export function lost(): TakenOver {
  return new TakenOver('another process has taken this request');
}

/** A request that this process has taken. */
export interface Taken {
  /** Of an album, its first part, which stands for all. */
  readonly request: RequestRow;
  /** Of all parts of the album. */
  readonly ids: number[];
  readonly bodies: unknown[];
}

/** The requests of all processes on one database. All methods throw `database` when it is unreachable. */
export class Requests extends RequestLookups {
  /**
   * Stores updates that are new; an edit is stored as done, and changes the request of its message. Returns the ids of what was stored, by
   * `update_id`. If it throws, none is stored.
   */
  async push(updates: readonly NewRequest[]): Promise<ReadonlyMap<number, Pick<RequestRow, 'id'>>> {
    if (updates.length === 0) return new Map();
    // Sorted: processes cannot deadlock on their locks.
    const lanes = [...new Set(updates.map(({ lane }) => lane))].sort();
    const write = async (transaction: Transaction<Schema>, changed: number[]) => {
      const stored = await insert(transaction, updates, this.database.now(), this.now());
      // The last part says how long its album waits, and a paste may have hundreds.
      const last = new Map(updates.map((update) => [stored.get(update.updateId)?.album, update]));
      for (const update of updates) {
        const row = stored.get(update.updateId);
        if (row === undefined) continue;
        if (update.isCancel === true) changed.push(...(await cancelBefore(transaction, update.lane, row.id)));
        if (update.asksElse !== undefined) changed.push(...(await applyEdit(transaction, update)));
        else if (row.album !== null) {
          if (last.get(row.album) === update) await putOff(transaction, update, row.album, this.now());
          if (pauseOf(update) === 0) changed.push(row.id);
        }
      }
      return stored;
    };
    const stored = await this.transaction(lanes, write, true);
    for (const pause of new Set(updates.map(pauseOf)))
      if (pause > 0) setTimeout(() => this.onNews(''), pause).unref();
    return stored;
  }

  /** Takes up to `limit` due heads for this process. An album is taken whole; a part that comes after its attempt is another request. */
  async take(limit: number, { suspects }: { readonly suspects: boolean }): Promise<Taken[]> {
    const lock = this.database.engine === 'postgres' ? sql`for update skip locked` : sql``;
    const harmless = suspects ? sql`` : sql`and strikes < ${SUSPECT_FROM_STRIKES}`;
    // By `id` alone PostgreSQL may read the primary key, and so all that was done before, instead of the index of the heads.
    const { rows } = await sql<StoredRow>`
      with next as materialized (
        select id, lane, album, strikes, failures from requests
        where head = 1 and process is null and (due_at <= ${this.now()} or due_at > ${this.now()} + ${MAX_WAIT_MS}) ${harmless}
        order by id, due_at limit ${limit} ${lock}
      )
      update requests set process = ${this.process}, edited = 0, cancelled = cancelled % 2
      where id in (
        select id from next
        union all
        select part.id from next cross join requests as part
        where next.album is not null and part.lane = next.lane and part.id > next.id and part.album = next.album
          and part.state = 'waiting' and part.process is null
          and part.strikes = next.strikes and part.failures = next.failures
      ) returning ${COLUMNS}`.execute(this.database.sql);
    const taken = new Map<string, Taken>();
    for (const request of rows.map(parseRow).sort((one, other) => one.id - other.id)) {
      const { id, lane, body } = request;
      // A lane has one head.
      const album = taken.get(lane);
      if (album === undefined) taken.set(lane, { request, ids: [id], bodies: [body] });
      else {
        album.ids.push(id);
        album.bodies.push(body);
      }
    }
    return [...taken.values()];
  }

  /** Reads requests that this process is running, as they are now. */
  async read(ids: readonly number[]): Promise<RequestRow[]> {
    const { rows } = await sql<StoredRow>`
      select ${COLUMNS} from requests where id in (${sql.join(ids)}) order by id`.execute(this.database.sql);
    return rows.map(parseRow);
  }

  /** Records the messages sent for a request while it runs here. Throws `TakenOver`. */
  async note(id: number, sent: readonly SentMessage[]): Promise<void> {
    const { numAffectedRows } = await sql`
      update requests set sent = ${JSON.stringify(sent)} where id = ${id} and process = ${this.process}
    `.execute(this.database.sql);
    if (numAffectedRows === 0n) throw lost();
  }

  /** Records the placeholder of a guest's request, which is sent outside its lane. */
  async notePlaceholder(id: number, inlineMessage: string): Promise<void> {
    const sent: SentMessage[] = [{ id: inlineMessage, kind: 'placeholder' }];
    await sql`
      update requests set sent = ${JSON.stringify(sent)} where id = ${id} and sent = '[]'`.execute(
      this.database.sql,
    );
  }

  /** Ends an attempt, and appoints the lane's next head. A request that was edited meanwhile waits again. Throws `TakenOver`. */
  async finish({ request, ids }: Taken, outcome: Outcome): Promise<void> {
    const parts = sql`id in (${sql.join(ids)})`;
    await this.transaction([request.lane], async (transaction) => {
      if (outcome.state === 'gone') {
        await sql`delete from requests where ${parts}`.execute(transaction);
        return;
      }
      const { state, sent, digest = null, consent = 0, isStopped = false } = outcome;
      // An edit of one part of an album needs the others.
      const keepsBodies = state !== 'done' || (digest !== null && ids.length > 1);
      // The first part of an album stands for all. A /cancel right after an edit cancels the edit, too.
      const { rows } = await sql<{ edited: number }>`
        update requests set
          state = ${state}, consent = ${consent}, at = ${this.database.now()},
          sent = case when id = ${request.id} then ${JSON.stringify(sent)} else '[]' end,
          digest = case when id = ${request.id} then ${digest} end,
          body = ${keepsBodies ? sql`body` : sql`case when is_edited = 1 then body end`},
          cancelled = case when is_edited = 1 then cancelled % 2 else ${isStopped ? CANCELLED : 0} end,
          head = 0, process = null, once = case when chat is null then once end, strikes = 0, failures = 0, due_at = 0
        from (select max(edited) as is_edited from requests where ${parts}) as album
        where ${parts} and process = ${this.process} returning edited`.execute(transaction);
      if (rows.length < ids.length) throw lost();
      if (rows.every(({ edited }) => edited === 0)) return;
      await sql`
        update requests set state = 'waiting', consent = 0,
          sent = case when id = ${request.id} then ${JSON.stringify(asOld(sent))} else '[]' end
        where ${parts}`.execute(transaction);
    });
    if (outcome.state === 'gone') await this.database.erased();
  }

  /** Lets the lane's requests of other chats run beside one that this process has taken. */
  async leaveLane({ request, ids }: Taken): Promise<void> {
    await this.transaction([request.lane], (transaction) =>
      sql`update requests set head = 0 where id in (${sql.join(ids)}) and process = ${this.process}`.execute(
        transaction,
      ),
    );
  }

  /** Puts a request back for another attempt after `waitMs`, ahead of the others in its lane. */
  async retry(
    { request, ids }: Taken,
    { waitMs, strikes, failures }: { waitMs: number; strikes: number; failures: number },
  ): Promise<void> {
    await this.transaction([request.lane], (transaction) =>
      sql`
        update requests set process = null, due_at = ${this.now()} + ${waitMs}, strikes = ${strikes}, failures = ${failures}
        where id in (${sql.join(ids)}) and process = ${this.process}`.execute(transaction),
    );
  }

  /** Takes back the strikes of a request that this process runs. */
  async absolve(ids: readonly number[]): Promise<void> {
    await sql`
      update requests set strikes = 0 where id in (${sql.join(ids)}) and process = ${this.process}`.execute(
      this.database.sql,
    );
  }

  /** Makes a request a dead letter, and appoints its lane's next head. Throws `TakenOver`. */
  async giveUp({ request, ids }: Taken, reason: string): Promise<void> {
    await this.transaction([request.lane], async (transaction) => {
      const { numAffectedRows } = await sql`
        update requests set state = 'dead', reason = ${reason}, process = null, head = 0, once = null, at = ${this.database.now()}
        where id in (${sql.join(ids)}) and process = ${this.process}`.execute(transaction);
      if (numAffectedRows === 0n) throw lost();
    });
  }

  /** Gives back everything that this process has taken except `kept`; it keeps its place in line. */
  async giveBack(kept: readonly number[] = []): Promise<void> {
    const except = kept.length === 0 ? sql`` : sql`and id not in (${sql.join(kept)})`;
    await this.#release(sql`process = ${this.process} ${except}`, sql`strikes`);
  }

  /** Gives requests back to the queue; false if there are none. Those that have left their lanes may be the heads there again. */
  async #release(which: RawBuilder<unknown>, strikes: RawBuilder<unknown>): Promise<boolean> {
    const { rows } = await sql<{ lane: string }>`
      select distinct lane from requests where ${which} and head = 0 order by lane`.execute(
      this.database.sql,
    );
    const lanes = rows.map(({ lane }) => lane);
    return this.transaction(lanes, async (transaction) => {
      const { numAffectedRows = 0n } = await sql`
        update requests set process = null, strikes = ${strikes} where ${which}`.execute(transaction);
      if (numAffectedRows > 0n) await this.notify(transaction, ['']);
      return numAffectedRows > 0n;
    });
  }

  /**
   * Gives back what a dead process was running; returns whether that was anything. That counts against it: against a suspect alone, if one
   * was among it.
   */
  async takeOver(process: number): Promise<boolean> {
    const suspects = sql`select 1 from requests where process = ${process} and strikes >= ${SUSPECT_FROM_STRIKES}`;
    const strikes = sql`
      case when strikes >= ${SUSPECT_FROM_STRIKES} or not exists (${suspects}) then strikes + 1 else strikes end`;
    return this.#release(sql`process = ${process}`, strikes);
  }

  /** Cancels the waiting and running requests of a lane that came before the request `before` (a press of *Cancel*). */
  async cancel(lane: string, before: number): Promise<void> {
    await this.transaction([lane], async (transaction, changed) => {
      changed.push(...(await cancelBefore(transaction, lane, before)));
    });
  }

  /** Marks the requests of a lane that /cancel has stopped as counted; returns their number. */
  async countStopped(lane: string): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      update requests set cancelled = 0 where lane = ${lane} and cancelled = ${CANCELLED} and state <> 'waiting'
    `.execute(this.database.sql);
    return Number(numAffectedRows);
  }

  /** Handles a parked or asked request again, ahead of its lane, unless it is gone, or `by`, the request of that press, was cancelled. */
  async resume(id: number, lane: string, state: 'asked' | 'parked', by: number): Promise<void> {
    await this.transaction([lane], async (transaction) => {
      const row = await rowOf(
        transaction,
        sql`id = ${id} and lane = ${lane} and state = ${state}
          and not exists (select 1 from requests as press where press.id = ${by} and press.cancelled = ${CANCELLED})`,
      );
      if (row === undefined) return;
      // Answers before a failure are replaced; those before a question stay, and the question becomes the message that counts the paid calls.
      const sent =
        state === 'parked'
          ? asOld(row.sent)
          : row.sent.map((one) => (one.kind === 'question' ? { ...one, kind: 'progress' as const } : one));
      // The request may have been edited; its present text is not answered yet.
      await waitAgain(transaction, { ...row, sent, digest: null });
    });
  }

  /** Ends the asked requests of a lane, or the one with this id; returns the messages that asked. An edit of an album needs its bodies. */
  async withdrawQuestions(
    lane: string,
    id?: number,
  ): Promise<{ chat: number | undefined; message: SentMessage }[]> {
    const only = id === undefined ? sql`` : sql`and id = ${id}`;
    const { rows } = await sql<StoredRow>`
      update requests set state = 'done', body = case when album is not null then body end
      where lane = ${lane} and state = 'asked' ${only} returning ${COLUMNS}`.execute(this.database.sql);
    return rows
      .map(parseRow)
      .flatMap(({ chat, sent }) =>
        sent
          .filter(({ kind }) => kind === 'question')
          .map((message) => ({ chat: message.chat ?? chat ?? undefined, message })),
      );
  }

  /** Queues a dead letter again; false for an unknown id. */
  async revive(id: number): Promise<boolean> {
    const row = await rowOf(this.database.sql, sql`id = ${id} and state = 'dead'`);
    if (row === undefined) return false;
    return this.transaction([row.lane], async (transaction) => {
      const { numAffectedRows } = await sql`
        update requests set state = 'waiting', reason = null, strikes = 0, failures = 0, due_at = 0
        where id = ${row.id} and state = 'dead'`.execute(transaction);
      return numAffectedRows === 1n;
    });
  }

  /** Deletes a dead letter; false for an unknown id. */
  async drop(id: number): Promise<boolean> {
    const { numAffectedRows } = await sql`
      delete from requests where id = ${id} and state = 'dead'`.execute(this.database.sql);
    return numAffectedRows === 1n;
  }

  /** Unties all requests from the numbers of their updates and messages: another bot has others, and some are the same by chance. */
  async disown(): Promise<void> {
    for (let changed = DISOWNED_AT_ONCE; changed === DISOWNED_AT_ONCE; ) {
      const { numAffectedRows = 0n } = await sql`
        update requests set update_id = -id, message = null, sent = '[]', digest = null
        where id in (select id from requests where update_id > 0 order by update_id limit ${DISOWNED_AT_ONCE})`.execute(
        this.database.sql,
      );
      changed = Number(numAffectedRows);
    }
  }

  /**
   * Run at the start of the only process: requests left running wait again, and nothing waits for its time, since the clock is another;
   * except albums whose other parts are still at Telegram.
   */
  async recover(): Promise<void> {
    await this.takeOver(this.process);
    await sql`
      update requests set due_at = case when album is null or failures > 0 then 0 else ${this.now()} + ${PASTE_PAUSE_MS} end
      where state = 'waiting' and due_at > 0`.execute(this.database.sql);
  }
}
