/** Settings of groups, and the move of everything kept under a basic group's id when the group becomes a supergroup, which has a new id. */
import { type Kysely, sql as statement, type Transaction } from 'kysely';
import { moveAdmission } from '../access/admissions.ts';
import { inBatches } from '../batches.ts';
import type { Database } from '../database.ts';
import { orDatabaseFailure } from '../database-errors.ts';
import { forgetGroup } from '../erasure.ts';
import { moveSpending } from '../money/spending.ts';
import type { Schema } from '../schema.ts';
import { PARTS_AT_ONCE } from './sound-parts.ts';

interface GroupSettings {
  /** The bot translates every Tibetan or Chinese text. */
  readonly listens: boolean;
  /** When the bot was added, in ms since the epoch, if known. */
  readonly joinedAt: number | undefined;
  /** The group was a basic group before. */
  readonly isUpgraded: boolean;
}

export interface Groups {
  settings(group: string): Promise<GroupSettings>;
  /** Sets the group's paid calls per UTC day; null: the bot's own limit. */
  setLimit(group: string, dailyCalls: number | null): Promise<void>;
  setListening(group: string, listens: boolean): Promise<void>;
  /** Notes that the bot was added, at a time in ms since the epoch. */
  join(group: string, at: number): Promise<void>;
  /** The bot was removed: erases the group's data; today's spending still counts. */
  leave(group: string): Promise<void>;
  /** A basic group became a supergroup: moves everything to the new id. Repeating it changes nothing. */
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

interface Upgrade {
  readonly sql: Kysely<Schema>;
  readonly from: string;
  readonly to: string;
  /** In ms since the epoch. */
  readonly now: number;
}

const nothing = async (): Promise<void> => {};

/**
 * One step for each table, so that the type checker finds a forgotten one. A step does nothing where it has been taken before, so a second
 * attempt completes an upgrade that a kill cut off. Where rows may be many, they move in batches.
 */
const STEPS: Readonly<Record<keyof Schema, (upgrade: Upgrade) => Promise<unknown>>> = {
  // In one transaction, so that a limit never holds without what was spent against it.
  groups: ({ sql, ...ids }) =>
    sql.transaction().execute(async (transaction) => {
      await moveSettings(transaction, ids);
      await moveSpending(transaction, ids);
    }),
  spending: nothing,
  // For an anonymous admin the chat stands in for the person.
  ledger: async (upgrade) => {
    await rename(upgrade, 'ledger', 'id', 'person');
    await rename(upgrade, 'ledger', 'id', 'chat_group');
  },
  results: (upgrade) => rename(upgrade, 'results', 'key', 'person'),
  // Changing a row of sound takes as long as writing it.
  speech_pieces: (upgrade) => rename(upgrade, 'speech_pieces', 'id', 'person', PARTS_AT_ONCE),
  note_parts: (upgrade) => rename(upgrade, 'note_parts', 'id', 'person', PARTS_AT_ONCE),
  // What waits or runs stays in its lane. The supergroup numbers its messages anew, so what was answered in the old chat is gone.
  requests: async ({ sql, from, to }) => {
    await sql
      .deleteFrom('requests')
      .where('chat', '=', Number(from))
      .where('state', 'not in', ['waiting', 'dead'])
      .execute();
    await sql
      .updateTable('requests')
      .set({ lane: to })
      .where('lane', '=', from)
      .where('state', '<>', 'waiting')
      .execute();
  },
  access: ({ sql, from, to }) => moveAdmission(sql, from, to),
  seen_names: (upgrade) => rename(upgrade, 'seen_names', 'name', 'chat'),
  // These tables name no group.
  access_state: nothing,
  invitations: nothing,
  tokens: nothing,
  pauses: nothing,
};

async function upgradeGroup(database: Database, from: string, to: string): Promise<void> {
  const upgrade: Upgrade = { sql: database.sql, from, to, now: database.now() };
  for (const step of Object.values(STEPS)) await step(upgrade);
  await moveSession(database, from, to);
}

/** Settings made in the supergroup already win. */
async function moveSettings(transaction: Transaction<Schema>, { from, to }: Omit<Upgrade, 'sql'>) {
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

/** Replaces the old id in a column, in batches; `id` is the table's primary key. */
async function rename(
  { sql, from, to }: Upgrade,
  table: keyof Schema,
  id: string,
  column: 'person' | 'chat_group' | 'chat',
  rowsAtOnce?: number,
): Promise<void> {
  const [rows, key, name] = [statement.table(table), statement.ref(id), statement.ref(column)];
  // Otherwise a planner that expects many such rows scans the whole ledger.
  const order = table === 'ledger' ? statement`order by day` : statement``;
  await inBatches(async (limit) => {
    const { numAffectedRows = 0n } = await statement`
      update ${rows} set ${name} = ${to}
      where ${key} in (select ${key} from ${rows} where ${name} = ${from} ${order} limit ${limit})`.execute(
      sql,
    );
    return { numUpdatedRows: numAffectedRows };
  }, rowsAtOnce);
}

async function moveSession({ sessions }: Pick<Database, 'sessions'>, from: string, to: string) {
  const session = await sessions.get(from);
  if (session === undefined) return;
  if ((await sessions.get(to)) === undefined) await sessions.set(to, session);
  await sessions.delete(from);
}
