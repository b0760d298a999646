/** What other parts of the bot ask of the table of requests. Changes nothing. */
import { type RawBuilder, sql } from 'kysely';
import { RequestTable } from './request-table.ts';

/** Lookups of requests of all processes. All methods throw `database` when it is unreachable. */
export class RequestLookups extends RequestTable {
  /** Whether this process still has a request that it took. */
  async isOwned(id: number): Promise<boolean> {
    return this.#exists(sql`id = ${id} and process = ${this.process}`);
  }

  async isParked(id: number, lane: string, state: 'asked' | 'parked'): Promise<boolean> {
    return this.#exists(sql`id = ${id} and lane = ${lane} and state = ${state}`);
  }

  /** Returns whether the bot sent this message as an answer. */
  async isAnswer(chat: number, message: number): Promise<boolean> {
    return this.#exists(sql`chat = ${chat} and sent like ${`%"id":${message},%`}`);
  }

  /** Returns whether an answer of the bot in this channel says what `said` is the mark of (`SentMessage.said`). */
  async hasSaid(channel: number, said: string): Promise<boolean> {
    return this.#exists(sql`chat = ${channel} and sent like ${`%"said":"${said}"%`}`);
  }

  async isAnswered(chat: number, message: number): Promise<boolean> {
    return this.#exists(sql`chat = ${chat} and message = ${message} and sent <> '[]'`);
  }

  /** Returns whether another request of its lane with the same `once`, in no chat of the bot's, came before. */
  async isRepeated(id: number): Promise<boolean> {
    return this.#exists(sql`
      id = ${id} and exists (
        select 1 from requests as before
        where before.lane = requests.lane and before.once = requests.once and before.id < requests.id
      )`);
  }

  async isUntaken(id: number): Promise<boolean> {
    return this.#exists(sql`id = ${id} and state = 'waiting' and process is null`);
  }

  async #exists(condition: RawBuilder<unknown>): Promise<boolean> {
    const { rows } = await sql`select id from requests where ${condition} limit 1`.execute(this.database.sql);
    return rows.length > 0;
  }

  /** Counts waiting and running requests, with each part of an album. */
  async depth(): Promise<number> {
    const { rows } = await sql<{ depth: number }>`
      select count(*) as depth from requests where state = 'waiting'`.execute(this.database.sql);
    return rows[0]?.depth ?? 0;
  }

  /** Lists the dead letters, oldest first; `at`: when each was given up, in ms since the epoch. */
  async deadLetters(): Promise<{ id: number; lane: string; at: number; reason: string }[]> {
    const { rows } = await sql<{ id: number; lane: string; at: number; reason: string }>`
      select id, lane, at, reason from requests where state = 'dead' order by id`.execute(this.database.sql);
    return rows;
  }
}
