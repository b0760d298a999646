/**
 * What each table keeps: whom its rows name, and for how long. /forget, a group that the bot left or that becomes a supergroup, and pruning
 * walk this list (erasure.ts). A new table is one entry here, which the type checker demands.
 */
import { type RawBuilder, sql } from 'kysely';
import { moveAdmission } from './access/admissions.ts';
import type { Database } from './database.ts';
import { forgetSpending, moveSpending, SPENDING_DAYS } from './money/spending.ts';
import type { Schema } from './schema.ts';

/** A person, or a group; a chat's own id stands for the person of a message that has none. */
export type Whose = 'person' | 'group';

export interface Name {
  readonly whose: Whose;
  readonly column: string;
  /** The column by which an index orders the rows: a planner that expects many of them would scan the whole table. */
  readonly order: string;
  /** Other rows stay as they are. */
  readonly only?: RawBuilder<unknown>;
  /** What happens to the rows when their person is forgotten, one step after another; deleted by default. */
  readonly forget?: readonly Change[];
  /** What happens to them when a group gets a new id; by default the id is replaced. `itself`: the table's `move` does it. */
  readonly move?: Change | 'itself';
}

/** New values, by column. */
export type Values = Readonly<Record<string, string | null>>;

/** A change of some rows of a table. */
export interface Change {
  readonly only?: RawBuilder<unknown>;
  /** The rows stay, with these values; otherwise they are deleted. */
  readonly set?: Values;
}

/** Rows that go, or change, when they are old. */
export interface Age extends Change {
  /** Holds ms since the epoch, or, named `day`, a day. */
  readonly column: string;
  /** How long they are kept, in ms; `ttlMs` is that of results. */
  readonly keptMs: number | ((ttlMs: number) => number);
}

export interface Table {
  /** The primary key. */
  readonly key: readonly string[];
  readonly names?: readonly Name[];
  readonly ages?: readonly Age[];
  /** How many rows a statement may change, if they are large. */
  readonly atOnce?: number;
  /** Erases what names somebody otherwise than in a column. */
  readonly forget?: (database: Database, whose: Whose, id: string) => Promise<unknown>;
  /** Moves it to a group's new id; does nothing where that has been done before. */
  readonly move?: (database: Database, from: string, to: string) => Promise<unknown>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Waiting requests are still owed an answer. */
const IS_OVER = sql`state <> 'waiting'`;
/** Without its body it only leads an edit to its answers. */
const ENDED: Values = { state: 'done', body: null };
const UNDECIDED: readonly Change[] = [{ set: { decided_by: null, decider: null } }];

const ledgerName = (whose: Whose, column: string): Name => ({
  whose,
  column,
  order: 'day',
  // The sums stay, and are nobody's.
  forget: [{ set: { [column]: '' } }],
});

export const TABLES: Readonly<Record<keyof Schema | 'telegraf-sessions', Table>> = {
  // First, since its people may already write to the supergroup.
  groups: {
    key: ['chat'],
    names: [{ whose: 'group', column: 'chat', order: 'chat', move: 'itself' }],
    move: moveGroupAccount,
  },
  spending: {
    key: ['day', 'scope'],
    ages: [{ column: 'day', keptMs: SPENDING_DAYS * DAY_MS }],
    forget: forgetSpending,
    // Moved with its group.
  },
  ledger: {
    key: ['id'],
    names: [ledgerName('person', 'person'), ledgerName('group', 'chat_group')],
    // A year and a month, for yearly accounts.
    ages: [{ column: 'day', keptMs: 400 * DAY_MS }],
  },
  results: {
    key: ['key'],
    // Each may hold a voice note, which `secure_delete` overwrites.
    atOnce: 10,
    names: [
      {
        whose: 'person',
        column: 'person',
        order: 'person',
        // The claim of a call under way stays, or others would buy the same; its result will be nobody's.
        forget: [{ only: sql`process is not null`, set: { person: '' } }, {}],
      },
    ],
    // Another process may be buying an old result anew.
    ages: [{ column: 'kept_at', keptMs: (ttlMs) => ttlMs, only: sql`process is null` }],
  },
  requests: {
    key: ['id'],
    names: [
      { whose: 'person', column: 'lane', order: 'id', only: IS_OVER },
      {
        whose: 'group',
        column: 'chat',
        order: 'message',
        only: IS_OVER,
        // The supergroup numbers its messages anew, so what was answered in the old chat is gone.
        move: { only: sql`state <> 'dead'` },
      },
    ],
    ages: [
      // As long as their buttons work.
      { column: 'at', keptMs: DAY_MS, only: sql`state = 'asked'`, set: ENDED },
      { column: 'at', keptMs: DAY_MS, only: sql`state = 'parked'`, set: ENDED },
      // Telegram repeats an update for a day, and lets messages be edited and deleted for two.
      { column: 'at', keptMs: 2 * DAY_MS, only: sql`state = 'done'` },
      // They hold people's words, and an operator has yet to decide.
      { column: 'at', keptMs: 30 * DAY_MS, only: sql`state = 'dead'` },
    ],
  },
  access: {
    key: ['subject'],
    names: [
      {
        whose: 'person',
        column: 'chat',
        order: 'chat',
        // Of a decision, only the hash stays.
        forget: [
          { only: sql`standing = 'asking'` },
          { set: { chat: null, name: null, language: null, questions: null } },
        ],
        move: 'itself',
      },
      { whose: 'person', column: 'decided_by', order: 'decided_by', forget: UNDECIDED },
    ],
    // After that they may ask again.
    ages: [{ column: 'at', keptMs: 30 * DAY_MS, only: sql`standing = 'asking'` }],
    move: moveAdmission,
  },
  invitations: {
    key: ['hash'],
    names: [{ whose: 'person', column: 'decided_by', order: 'decided_by', forget: UNDECIDED }],
    ages: [{ column: 'expires_at', keptMs: 0 }],
  },
  seen_names: {
    key: ['name'],
    names: [{ whose: 'person', column: 'chat', order: 'chat' }],
    ages: [{ column: 'seen_at', keptMs: 90 * DAY_MS }],
  },
  'telegraf-sessions': {
    key: ['key'],
    forget: async ({ sessions }, _, id) => sessions.delete(id),
    move: async ({ sessions }, from, to) => {
      const session = await sessions.get(from);
      if (session === undefined) return;
      // Settings made in the supergroup already win.
      if ((await sessions.get(to)) === undefined) await sessions.set(to, session);
      await sessions.delete(from);
    },
  },
  // These name nobody and do not grow.
  tokens: { key: ['credentials'] },
  pauses: { key: ['reason'] },
};

/** Moves a group's settings and sums at once, so that a limit never holds without what was spent against it. Settings made in the supergroup already win. */
async function moveGroupAccount({ sql: database, now }: Database, from: string, to: string): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`
      insert into groups (chat, daily_calls, listens, joined_at, upgraded_from)
      select ${to}, max(daily_calls), coalesce(max(listens), 0), max(joined_at), ${from} from groups where chat = ${from}
      on conflict (chat) do update set
        daily_calls = coalesce(groups.daily_calls, excluded.daily_calls),
        listens = case when excluded.listens = 1 then 1 else groups.listens end,
        upgraded_from = excluded.upgraded_from`.execute(transaction);
    await transaction.deleteFrom('groups').where('chat', '=', from).execute();
    await moveSpending(transaction, { from, to, now: now() });
  });
}
