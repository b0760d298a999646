/** What is kept of a group: what its admins decided, since when the bot is in it, and what it was before an upgrade. */
import type { Transaction } from 'kysely';
import type { Database } from '../database.ts';
import { orDatabaseFailure } from '../database-failure.ts';
import { forgetGroup } from '../forgetting.ts';
import { groupScope } from '../money/scopes.ts';
import { addCalls } from '../money/spending.ts';
import type { Schema } from '../schema.ts';

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
    upgrade: (from, to) =>
      orDatabaseFailure(async () => {
        await sql.transaction().execute(async (transaction) => {
          await moveSettings(transaction, from, to);
          await moveSpending(transaction, from, to);
          await moveNames(transaction, from, to);
        });
        await moveSession(database, from, to);
      }),
  };
}

/** What the admins have decided in the supergroup already holds there. */
async function moveSettings(transaction: Transaction<Schema>, from: string, to: string): Promise<void> {
  const old = await transaction
    .deleteFrom('groups')
    .where('chat', '=', from)
    .returningAll()
    .executeTakeFirst();
  const daily_calls = old?.daily_calls ?? null;
  const listens = old?.listens ?? 0;
  await transaction
    .insertInto('groups')
    .values({ chat: to, daily_calls, listens, joined_at: old?.joined_at ?? null, upgraded_from: from })
    .onConflict((conflict) =>
      conflict.column('chat').doUpdateSet((row) => ({
        daily_calls: row.fn.coalesce('groups.daily_calls', row.val(daily_calls)),
        ...(listens === 1 && { listens }),
        upgraded_from: from,
      })),
    )
    .execute();
}

async function moveSpending(transaction: Transaction<Schema>, from: string, to: string): Promise<void> {
  const spent = await transaction
    .deleteFrom('spending')
    .where('scope', '=', groupScope(from))
    .returning(['day', 'calls'])
    .execute();
  for (const { day, calls } of spent) await addCalls(transaction, [groupScope(to)], day, calls);
}

/** Where the chat stands for a person (an anonymous admin), and in the ledger. Messages have new ids in the supergroup. */
async function moveNames(transaction: Transaction<Schema>, from: string, to: string): Promise<void> {
  const renamed = { person: to };
  await transaction.updateTable('ledger').set(renamed).where('person', '=', from).execute();
  await transaction.updateTable('results').set(renamed).where('person', '=', from).execute();
  await transaction.updateTable('parked_updates').set(renamed).where('person', '=', from).execute();
  await transaction.updateTable('ledger').set({ chat_group: to }).where('chat_group', '=', from).execute();
  await transaction.deleteFrom('answers').where('chat', '=', from).execute();
}

async function moveSession({ sessions }: { sessions: Database['sessions'] }, from: string, to: string) {
  const session = await sessions.get(from);
  if (session === undefined) return;
  if ((await sessions.get(to)) === undefined) await sessions.set(to, session);
  await sessions.delete(from);
}
