/**
 * The life of a request: everything that is known of it is in its row of the table `requests`. What arrives is in arrivals.ts;
 * besides, only pruning and /forget delete rows.
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
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Schema } from '../store/schema.ts';
import { applyEdit, insert, pauseOf, putOff, rowOf, waitAgain } from './arrivals.ts';
import {
  asAgreed,
  asOld,
  COLUMNS,
  idsOf,
  lanesOf,
  MAX_WAIT_MS,
  type NewRequest,
  type Outcome,
  PASTE_PAUSE_MS,
  parseSent,
  type RequestRow,
  RequestTable,
  type SentMessage,
  type StoredRow,
  SUSPECT_FROM_STRIKES,
  toRow,
} from './request-table.ts';

/** Another process has taken the request over: this one must write and send nothing more for it. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver';
}

/** Gets the ids of requests that were stored, by `update_id`. */
export type OnTaken = (ids: ReadonlyMap<number, number>) => void;

export interface Taken {
  /** The request; of an album, its first part, which stands for all. */
  readonly request: RequestRow;
  /** The request, or all parts of the album. */
  readonly rows: readonly RequestRow[];
}

/** The requests of all processes on one database. All methods throw `database` when it is unreachable. */
export class Requests extends RequestTable {
  /**
   * Stores updates that are new; calls `onTaken` with the ids of their requests by `update_id` before any is handled, and resolves once they
   * are on disk. An edit is stored as done, and changes the request of its message.
   */
  async push(updates: readonly NewRequest[], onTaken: OnTaken = () => {}): Promise<void> {
    if (updates.length === 0) return onTaken(new Map());
    const takeIn = async (
      transaction: Transaction<Schema>,
      changed: number[],
    ): Promise<ReadonlyMap<number, number>> => {
      const taken = await insert(transaction, updates, this.database.now(), this.now);
      for (const update of updates) {
        const row = taken.get(update.updateId);
        if (row === undefined) continue;
        if (update.isEdit === true) changed.push(...(await applyEdit(transaction, update)));
        else if (row.album !== null) {
          await putOff(transaction, update, row.album, this.now);
          if (pauseOf(update) === 0) changed.push(row.id);
        }
      }
      return new Map([...taken].map(([updateId, { id }]) => [updateId, id]));
    };
    await this.transaction(lanesOf(updates), takeIn, onTaken);
  }

  /** Takes up to `limit` due heads for this process. An album is taken whole; a part that comes after its attempt is another request. */
  async take(limit: number, { suspects }: { readonly suspects: boolean }): Promise<Taken[]> {
    const lock = this.database.engine === 'postgres' ? sql`for update skip locked` : sql``;
    const harmless = suspects ? sql`` : sql`and strikes < ${SUSPECT_FROM_STRIKES}`;
    const { rows } = await this.run<StoredRow>(sql`
      with next as materialized (
        select id, lane, album, strikes, failures from requests
        where head = 1 and process is null and (due_at <= ${this.now} or due_at > ${this.now} + ${MAX_WAIT_MS}) ${harmless}
        order by id limit ${limit} ${lock}
      )
      update requests set process = ${this.process}, edited = 0
      where id in (
        select id from next
        union all
        select part.id from next cross join requests as part
        where next.album is not null and part.lane = next.lane and part.id > next.id and part.album = next.album
          and part.state = 'waiting' and part.process is null
          and part.strikes = next.strikes and part.failures = next.failures
      ) returning ${COLUMNS}`);
    const taken = rows.map(toRow).sort((one, other) => one.id - other.id);
    // A lane has one head.
    return [...Map.groupBy(taken, ({ lane }) => lane).values()].flatMap((rows) =>
      rows[0] === undefined ? [] : { request: rows[0], rows },
    );
  }

  /** Reads requests that this process is running, as they are now. */
  async read(ids: readonly number[]): Promise<RequestRow[]> {
    const { rows } = await this.run<StoredRow>(sql`
      select ${COLUMNS} from requests where id in (${sql.join(ids)}) order by id`);
    return rows.map(toRow);
  }

  /** Records the messages sent for a request while it runs here: its end, which may come first, has them, too. */
  async note({ id }: Pick<RequestRow, 'id'>, sent: readonly SentMessage[]): Promise<void> {
    await this.run(sql`
      update requests set sent = ${JSON.stringify(sent)} where id = ${id} and process = ${this.process}`);
  }

  /** Records the placeholder of a guest's request, which is sent outside its lane. */
  async notePlaceholder(id: number, inlineMessage: string): Promise<void> {
    const sent: SentMessage[] = [{ id: inlineMessage, kind: 'placeholder' }];
    await this.run(sql`update requests set sent = ${JSON.stringify(sent)} where id = ${id} and sent = '[]'`);
  }

  /** Ends an attempt, and appoints the lane's next head. A request that was edited meanwhile waits again. Throws `TakenOver`. */
  async finish({ request, rows }: Taken, outcome: Outcome): Promise<void> {
    const ids = idsOf(rows);
    await this.transaction([request.lane], async (transaction) => {
      if (outcome.state === 'gone') {
        await sql`delete from requests where id in (${ids})`.execute(transaction);
        return;
      }
      const { state, sent, digest, consent = 0, isStopped = false, keepsBodies = false } = outcome;
      const sentFor = (messages: readonly SentMessage[]) =>
        sql`case when id = ${request.id} then ${JSON.stringify(messages)} else '[]' end`;
      // The first part of an album stands for all. A /cancel right after an edit cancels the edit, too.
      const { numAffectedRows } = await sql`
        update requests set
          state = case when is_edited = 1 then 'waiting' else ${state} end,
          body = case when is_edited = 1 then body else ${state !== 'done' || keepsBodies ? sql`body` : null} end,
          sent = case when is_edited = 1 then ${sentFor(asOld(sent))} else ${sentFor(sent)} end,
          digest = case when id = ${request.id} then ${digest ?? null} end,
          consent = case when is_edited = 1 then 0 else ${consent} end,
          cancelled = case when is_edited = 1 then cancelled else ${isStopped ? 1 : 0} end,
          head = 0, process = null, once = null, edited = 0, strikes = 0, failures = 0,
          due_at = 0, at = ${this.database.now()}
        from (select max(edited) as is_edited from requests where id in (${ids})) as album
        where id in (${ids}) and process = ${this.process}`.execute(transaction);
      if (numAffectedRows !== BigInt(rows.length))
        throw new TakenOver('another process has taken this request');
    });
    if (outcome.state === 'gone') await this.database.erased();
  }

  /** Puts a request back for another attempt after `waitMs`, ahead of the others in its lane. */
  async retry(
    { rows }: Taken,
    { waitMs, strikes, failures }: { waitMs: number; strikes: number; failures: number },
  ): Promise<void> {
    await this.run(sql`
      update requests set process = null, due_at = ${this.now} + ${waitMs}, strikes = ${strikes}, failures = ${failures}
      where id in (${idsOf(rows)}) and process = ${this.process}`);
  }

  /** Makes a request a dead letter, and appoints its lane's next head. */
  async giveUp({ request, rows }: Taken, reason: string): Promise<void> {
    await this.transaction([request.lane], (transaction) =>
      sql`
        update requests set state = 'dead', reason = ${reason}, process = null, head = 0, once = null, at = ${this.database.now()}
        where id in (${idsOf(rows)}) and process = ${this.process}`.execute(transaction),
    );
  }

  /** Gives back everything that this process has taken except `kept`; it keeps its place in line. */
  async giveBack(kept: readonly RequestRow[] = []): Promise<void> {
    const except = kept.length === 0 ? sql`` : sql`and id not in (${idsOf(kept)})`;
    const { numAffectedRows } = await this.run(
      sql`update requests set process = null where process = ${this.process} ${except}`,
    );
    if (numAffectedRows !== 0n) await this.notify(this.database.sql, ['']);
  }

  /** Gives back what a dead process was running. That counts against it: against a suspect alone, if one was among it. */
  async takeOver(process: number): Promise<void> {
    const suspects = sql`select 1 from requests where process = ${process} and strikes >= ${SUSPECT_FROM_STRIKES}`;
    await this.run(sql`
      update requests set process = null,
        strikes = case when strikes >= ${SUSPECT_FROM_STRIKES} or not exists (${suspects}) then strikes + 1 else strikes end
      where process = ${process}`);
    await this.notify(this.database.sql, ['']);
  }

  /** Cancels the waiting and running requests of a lane that came before the request `before` (/cancel). */
  async cancel(lane: string, before: number): Promise<void> {
    await this.transaction([lane], async (transaction, changed) => {
      // A cancelled request need not wait for its time.
      const { rows } = await sql<{ id: number }>`
        update requests set cancelled = 1, due_at = 0
        where lane = ${lane} and state = 'waiting' and id < ${before} returning id`.execute(transaction);
      for (const { id } of rows) changed.push(id);
    });
  }

  /** Counts the requests of a lane that /cancel has stopped, each once. */
  async countStopped(lane: string): Promise<number> {
    const { numAffectedRows = 0n } = await this.run(sql`
      update requests set cancelled = 0 where lane = ${lane} and cancelled = 1 and state <> 'waiting'`);
    return Number(numAffectedRows);
  }

  async isParked(id: number, lane: string, state: 'asked' | 'parked'): Promise<boolean> {
    return this.#exists(sql`id = ${id} and lane = ${lane} and state = ${state}`);
  }

  /** Handles a parked or asked request again, ahead of its lane. False if it is gone, or `by`, the request of that press, was cancelled. */
  async resume(id: number, lane: string, state: 'asked' | 'parked', by: number): Promise<boolean> {
    return this.transaction([lane], async (transaction) => {
      const row = await rowOf(
        transaction,
        sql`id = ${id} and lane = ${lane} and state = ${state}
          and not exists (select 1 from requests as press where press.id = ${by} and press.cancelled = 1)`,
      );
      if (row === undefined) return false;
      // Answers before a question stay; those before a failure are replaced.
      const sent = state === 'parked' ? asOld(row.sent) : row.sent.map(asAgreed);
      // The request may have been edited; its present text is not answered yet.
      await waitAgain(transaction, { ...row, sent, digest: undefined });
      return true;
    });
  }

  /** Ends the asked requests of a lane, or the one with this id; returns the messages that asked. */
  async withdrawQuestions(
    lane: string,
    id?: number,
  ): Promise<{ chat: number | undefined; message: SentMessage }[]> {
    const only = id === undefined ? sql`` : sql`and id = ${id}`;
    const { rows } = await this.run<{ chat: number | null; sent: string }>(sql`
      update requests set state = 'done', body = null
      where lane = ${lane} and state = 'asked' ${only} returning chat, sent`);
    return rows.flatMap(({ chat, sent }) =>
      parseSent(sent)
        .filter(({ kind }) => kind === 'question')
        .map((message) => ({ chat: message.chat ?? chat ?? undefined, message })),
    );
  }

  /** Lists the dead letters, oldest first; `at`: when each was given up, in ms since the epoch. */
  async deadLetters(): Promise<{ id: number; lane: string; at: number; reason: string }[]> {
    const { rows } = await this.run<{ id: number; lane: string; at: number; reason: string }>(sql`
      select id, lane, at, reason from requests where state = 'dead' order by id`);
    return rows;
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
    const { numAffectedRows } = await this.run(sql`
      delete from requests where id = ${id} and state = 'dead'`);
    return numAffectedRows === 1n;
  }

  /** Returns whether the bot sent this message as an answer. */
  async isAnswer(chat: number, message: number): Promise<boolean> {
    return this.#exists(sql`chat = ${chat} and sent like ${`%"id":${message},%`}`);
  }

  async isAnswered(chat: number, message: number): Promise<boolean> {
    return this.#exists(sql`chat = ${chat} and message = ${message} and sent <> '[]'`);
  }

  async isUntaken(id: number): Promise<boolean> {
    return this.#exists(sql`id = ${id} and state = 'waiting' and process is null`);
  }

  async #exists(condition: RawBuilder<unknown>): Promise<boolean> {
    const { rows } = await this.run(sql`select id from requests where ${condition} limit 1`);
    return rows.length > 0;
  }

  /** Counts waiting and running requests, with each part of an album. */
  async depth(): Promise<number> {
    const { rows } = await this.run<{ depth: number }>(sql`
      select count(*) as depth from requests where state = 'waiting'`);
    return Number(rows[0]?.depth ?? 0);
  }

  /**
   * Run at the start of the only process: requests left running wait again, and nothing waits for its time, since the clock is another;
   * except albums whose other parts are still at Telegram.
   */
  async recover(): Promise<void> {
    await this.takeOver(this.process);
    await this.run(sql`
      update requests set due_at = case when album is null or failures > 0 then 0 else ${this.now} + ${PASTE_PAUSE_MS} end
      where state = 'waiting' and due_at > 0`);
  }
}
