/**
 * What each table keeps: whom its rows name, and for how long. /forget, a group that the bot left or that becomes a supergroup, and pruning
 * work through this list. Every step is idempotent, so an interrupted run is finished by the next.
 */
import { type RawBuilder, sql } from 'kysely';
import { moveAdmission } from './access/admissions.ts';
import type { Database } from './database.ts';
import type { EngineDatabase } from './engine.ts';
import { forgetSpending, moveSpending, SPENDING_DAYS, utcDay } from './money/spending.ts';
import { keyOf, type Schema } from './schema.ts';

/** A person, or a group; a chat's own id stands for the person of a message that has none. */
type Whose = 'person' | 'group';

interface Change {
  /** Other rows stay as they are. */
  readonly only?: RawBuilder<unknown>;
  /** The rows stay, with these values by column; otherwise they are deleted. */
  readonly set?: Readonly<Record<string, string | null>>;
}

interface Name extends Pick<Change, 'only'> {
  readonly whose: Whose;
  readonly column: string;
  /** The column by which its index orders these rows, if there are many: a planner that expects many would scan the whole table. */
  readonly order?: string;
  /** What happens to the rows when their person is forgotten, one step after another; deleted by default. */
  readonly forget?: readonly Change[];
  /** What happens to them when a group gets a new id; by default the id is replaced. */
  readonly move?: Change;
}

/** Rows that go, or change, when they are old. */
interface Age extends Change {
  /** Holds ms since the epoch, or, named `day`, a day. */
  readonly column: string;
  /** How long they are kept, in ms; `results`: as long as results. */
  readonly keptMs: number | 'results';
}

interface Table {
  readonly names?: readonly Name[];
  readonly ages?: readonly Age[];
  /** How many rows a statement may change, if they are large. */
  readonly atOnce?: number;
  /** Erases what names somebody otherwise than in a column. */
  readonly forget?: (database: Database, whose: Whose, id: string) => Promise<unknown>;
  /** Moves the rows to a group's new id, in place of what `names` says; does nothing where that has been done before. */
  readonly move?: (database: Database, from: string, to: string) => Promise<unknown>;
}

type Entry = readonly [string, Table];

const DAY_MS = 24 * 60 * 60 * 1000;

/** Waiting requests are still owed an answer. */
const IS_OVER = sql`state <> 'waiting'`;
const UNDECIDED: readonly Change[] = [{ set: { decided_by: null, decider: null } }];

const TABLES: Readonly<Record<keyof Schema, Table>> = {
  // First, since its people may already write to the supergroup.
  groups: { names: [{ whose: 'group', column: 'chat' }], move: moveGroupAccount },
  // Moved with its group.
  spending: { ages: [{ column: 'day', keptMs: SPENDING_DAYS * DAY_MS }], forget: forgetSpending },
  ledger: {
    // The sums stay, and are nobody's.
    names: [
      { whose: 'person', column: 'person', order: 'day', forget: [{ set: { person: '' } }] },
      { whose: 'group', column: 'chat_group', order: 'day', forget: [{ set: { chat_group: '' } }] },
    ],
    // A year and a month, for yearly accounts.
    ages: [{ column: 'day', keptMs: 400 * DAY_MS }],
  },
  results: {
    // Each may hold a voice note, which `secure_delete` overwrites.
    atOnce: 10,
    names: [
      {
        whose: 'person',
        column: 'person',
        // The claim of a call under way stays, or others would buy the same; its result will be nobody's.
        forget: [{ only: sql`process is not null`, set: { person: '' } }, {}],
      },
    ],
    // Another process may be buying an old result anew.
    ages: [{ column: 'kept_at', keptMs: 'results', only: sql`process is null` }],
  },
  requests: {
    names: [
      { whose: 'person', column: 'lane', order: 'id', only: IS_OVER },
      // The supergroup numbers its messages anew, so what was answered in the old chat is gone.
      {
        whose: 'group',
        column: 'chat',
        order: 'message',
        only: IS_OVER,
        move: { only: sql`state <> 'dead'` },
      },
    ],
    ages: [
      // As long as their buttons work. Without its body a request only leads an edit to its answers; an album's are needed together.
      {
        column: 'at',
        keptMs: DAY_MS,
        only: sql`state in ('asked', 'parked') and album is null`,
        set: { state: 'done', body: null },
      },
      {
        column: 'at',
        keptMs: DAY_MS,
        only: sql`state in ('asked', 'parked') and album is not null`,
        set: { state: 'done' },
      },
      // Telegram repeats an update for a day, and lets messages be edited and deleted for two.
      { column: 'at', keptMs: 2 * DAY_MS, only: sql`state = 'done'` },
      // They hold people's words, and an operator has yet to decide.
      { column: 'at', keptMs: 30 * DAY_MS, only: sql`state = 'dead'` },
    ],
  },
  access: {
    names: [
      {
        whose: 'person',
        column: 'chat',
        // Of a decision, only the hash stays.
        forget: [
          { only: sql`standing = 'asking'` },
          { set: { chat: null, name: null, language: null, questions: null } },
        ],
      },
      { whose: 'person', column: 'decided_by', forget: UNDECIDED },
    ],
    // After that they may ask again.
    ages: [{ column: 'at', keptMs: 30 * DAY_MS, only: sql`standing = 'asking'` }],
    move: moveAdmission,
  },
  invitations: {
    names: [{ whose: 'person', column: 'decided_by', forget: UNDECIDED }],
    ages: [{ column: 'expires_at', keptMs: 0 }],
  },
  seen_names: {
    names: [{ whose: 'person', column: 'chat' }],
    ages: [{ column: 'seen_at', keptMs: 90 * DAY_MS }],
  },
  'telegraf-sessions': { names: [{ whose: 'person', column: 'key' }], move: moveSession },
  // These name nobody and do not grow.
  tokens: {},
  pauses: {},
};

/** Erases a person (/forget) from the disk; the ledger keeps nameless sums, and today's spending still counts (`ownScope`). */
export async function forgetPerson(database: Database, person: string): Promise<void> {
  await forget(database, 'person', person);
  await database.erased();
}

/** Erases everything about a group, and what an anonymous admin did in its name; today's spending still counts. */
export async function forgetGroup(database: Database, group: string): Promise<void> {
  await forget(database, 'group', group);
  await forgetPerson(database, group);
}

export async function forgetResults(database: Database, person: string): Promise<void> {
  await forget(database, 'person', person, [['results', TABLES.results]]);
}

async function forget(
  database: Database,
  whose: Whose,
  id: string,
  entries: readonly Entry[] = Object.entries(TABLES),
): Promise<void> {
  for (const entry of entries) {
    const [, table] = entry;
    for (const name of table.names ?? []) {
      if (name.whose !== whose) continue;
      for (const change of name.forget ?? [{}]) await changeNamed(database, entry, name, id, change);
    }
    await table.forget?.(database, whose, id);
  }
}

/** A basic group became a supergroup: moves everything under its id to the new one. */
export async function moveGroup(database: Database, from: string, to: string): Promise<void> {
  for (const entry of Object.entries(TABLES)) {
    const [, { move, names = [] }] = entry;
    if (move !== undefined) await move(database, from, to);
    else
      for (const name of names)
        await changeNamed(database, entry, name, from, name.move ?? { set: { [name.column]: to } });
  }
}

/** Erases everything that is too old, results after `resultsTtlMs`; stops early when `signal` aborts. */
export async function prune(
  database: EngineDatabase,
  resultsTtlMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const now = database.now();
  for (const entry of Object.entries(TABLES)) {
    for (const { column, keptMs, ...change } of entry[1].ages ?? []) {
      const last = now - (keptMs === 'results' ? resultsTtlMs : keptMs);
      const isOld = sql`${sql.ref(column)} <= ${column === 'day' ? utcDay(last) : last}`;
      await changeRows(database, entry, isOld, { order: column, ...change }, signal);
    }
  }
  // Also erases what a backup was still reading when /forget ran.
  if (!signal?.aborted) await database.erased();
}

function changeNamed(
  database: Database,
  entry: Entry,
  { column, order = column, only = sql`1 = 1` }: Name,
  id: string,
  change: Change,
): Promise<void> {
  return changeRows(database, entry, sql`${sql.ref(column)} = ${id} and ${only}`, { order, ...change });
}

/**
 * Makes a change of the rows that match `where`, until all are changed or `signal` aborts. A SQLite statement blocks the whole process while it
 * runs, and between two others get their turn; a server serves others meanwhile, but skips the deleted rows at each step. Does not wait for
 * the disk: what a power cut brings back goes with the next call.
 */
async function changeRows(
  { sql: database, keptUp }: EngineDatabase,
  [name, { atOnce = 100 }]: Entry,
  where: RawBuilder<unknown>,
  { order, only = sql`1 = 1`, set }: Change & { readonly order: string },
  signal?: AbortSignal,
): Promise<void> {
  const table = sql.table(name);
  const key = sql.raw(keyOf(name));
  const sets = Object.entries(set ?? {}).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const change = set === undefined ? sql`delete from ${table}` : sql`update ${table} set ${sql.join(sets)}`;
  const step = sql`
    ${change} where (${key}) in (
      select ${key} from ${table} where ${where} and ${only} order by ${sql.ref(order)} limit ${atOnce}
    )`;
  while (!signal?.aborted) {
    const { numAffectedRows = 0n } = await step.execute(database);
    await keptUp(Number(numAffectedRows));
    if (numAffectedRows < atOnce) return;
  }
}

/**
 * Moves a group's settings and sums at once, so that a limit never holds without what was spent against it. Settings made in the supergroup
 * already win.
 */
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

/** Settings made in the supergroup already win. */
async function moveSession({ sql: database }: Database, from: string, to: string): Promise<void> {
  await sql`
    insert into "telegraf-sessions" (key, session) select ${to}, session from "telegraf-sessions" where key = ${from}
    on conflict (key) do nothing`.execute(database);
  await database.deleteFrom('telegraf-sessions').where('key', '=', from).execute();
}
