/** Settings of groups, and what happens to a group's data when the bot leaves it or its id changes. */
import type { Updateable } from 'kysely';
import type { Database } from '../database.ts';
import { forgetGroup, moveGroup } from '../erasure.ts';
import type { Schema } from '../schema.ts';

interface GroupSettings {
  /** The bot translates every Tibetan or Chinese text. */
  readonly listens: boolean;
  /** When the bot was added, in ms since the epoch, if known. */
  readonly joinedAt: number | undefined;
  /** The group was a basic group before. */
  readonly isUpgraded: boolean;
}

/** All methods throw `database` when the database is unreachable. */
export class Groups {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async settings(group: string): Promise<GroupSettings> {
    const { sql } = this.#database;
    const columns = ['listens', 'joined_at', 'upgraded_from'] as const;
    const row = await sql.selectFrom('groups').select(columns).where('chat', '=', group).executeTakeFirst();
    return {
      listens: row?.listens === 1,
      joinedAt: row?.joined_at ?? undefined,
      isUpgraded: row != null && row.upgraded_from !== null,
    };
  }

  /** Sets the group's paid calls per UTC day; null: the bot's own limit. */
  setLimit(group: string, dailyCalls: number | null): Promise<void> {
    return this.#set(group, { daily_calls: dailyCalls });
  }

  setListening(group: string, listens: boolean): Promise<void> {
    return this.#set(group, { listens: listens ? 1 : 0 });
  }

  /** Records that the bot was added, at a time in ms since the epoch. */
  join(group: string, at: number): Promise<void> {
    return this.#set(group, { joined_at: at });
  }

  /** The bot was removed: erases the group's data, except today's spending. */
  leave(group: string): Promise<void> {
    return forgetGroup(this.#database, group);
  }

  /** A basic group became a supergroup: moves everything to the new id. Repeating it changes nothing. */
  upgrade(from: string, to: string): Promise<void> {
    return moveGroup(this.#database, from, to);
  }

  async #set(group: string, values: Updateable<Schema['groups']>): Promise<void> {
    await this.#database.sql
      .insertInto('groups')
      .values({ ...values, chat: group })
      .onConflict((conflict) => conflict.column('chat').doUpdateSet(values))
      .execute();
  }
}
