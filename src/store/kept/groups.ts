/** What is kept of a group: what its admins decided, since when the bot is in it, and what it was before an upgrade. */
import type { Database } from '../database.ts';
import { orDatabaseFailure } from '../database-failure.ts';
import { forgetGroup } from '../forgetting.ts';
import type { Schema } from '../schema.ts';
import { upgradeGroup } from './group-upgrade.ts';

export interface GroupSettings {
  /** Every Tibetan or Chinese text is translated. */
  readonly listens: boolean;
  /** When the bot was added, in ms since the epoch; undefined where nobody told. */
  readonly joinedAt: number | undefined;
  /** It is the supergroup that a basic group became. */
  readonly isUpgraded: boolean;
}

export interface Groups {
  settings(group: string): Promise<GroupSettings>;
  /** Sets how many paid calls the group may cause per UTC day; null: the bot's own limit. */
  setLimit(group: string, dailyCalls: number | null): Promise<void>;
  setListening(group: string, listens: boolean): Promise<void>;
  /** The bot was added, at a time in ms since the epoch. */
  join(group: string, at: number): Promise<void>;
  /** The bot was removed: erases what is kept of the group; what it spent today still counts. */
  leave(group: string): Promise<void>;
  /** A basic group became a supergroup: all that is kept under the old id moves, once, however often this is told. */
  upgrade(from: string, to: string): Promise<void>;
}

/** All methods throw `database` when the database does not answer. */
export function createGroups(database: Database): Groups {
  const { sql } = database;
  const set = (group: string, values: Partial<Omit<Schema['groups'], 'listens'>> & { listens?: 0 | 1 }) =>
    orDatabaseFailure(async () => {
      await sql
        .insertInto('groups')
        .values({ chat: group, daily_calls: null, joined_at: null, upgraded_from: null, ...values })
        .onConflict((conflict) => conflict.column('chat').doUpdateSet(values))
        .execute();
    });

  return {
    settings: (group) =>
      orDatabaseFailure(async () => {
        const row = await sql.selectFrom('groups').selectAll().where('chat', '=', group).executeTakeFirst();
        return {
          listens: row?.listens === 1,
          joinedAt: row?.joined_at ?? undefined,
          isUpgraded: row != null && row.upgraded_from !== null,
        };
      }),
    setLimit: (group, dailyCalls) => set(group, { daily_calls: dailyCalls }),
    setListening: (group, listens) => set(group, { listens: listens ? 1 : 0 }),
    join: (group, at) => set(group, { joined_at: at }),
    leave: (group) => orDatabaseFailure(() => forgetGroup(database, group)),
    upgrade: (from, to) => orDatabaseFailure(() => upgradeGroup(database, from, to)),
  };
}
