/** Fills a database like that of a bot that has served many people for long. */
import Sqlite from 'better-sqlite3';
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Pool } from 'pg';
import { CALL_KINDS } from '../../src/paid-calls.ts';
import type { DatabaseConfig } from '../../src/store/engine.ts';
import { migrations } from '../../src/store/migrations/migrations.ts';
import { BOT_SCOPE, kindScope, lastDays, ownKeys, SPENDING_DAYS } from '../../src/store/money/spending.ts';

/** How much is kept. */
export interface Kept {
  readonly people: number;
  readonly groups: number;
  readonly ledger: number;
  readonly results: number;
  /** Of them, in percent, how much has had its time: the first pruning finds it. */
  readonly oldPercent: number;
}

/** Design §6. */
export const MUCH: Kept = {
  people: 1e6,
  groups: 20_000,
  ledger: 1e7,
  results: 5e6,
  oldPercent: 1,
};

const AT_ONCE = 100_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The ledger reaches back so far; what is older has had its time. */
const LEDGER_DAYS = 400;
const RESULTS_DAYS = 90;
/** A person with this number of ledger entries, and a tenth of it in results: for `/forget`. */
export const BUSY_PERSON = { id: 777, entries: 20_000 };
/** The first of the people; the others follow. */
const FIRST_PERSON = 100_000;

/** Makes the tables and fills them. */
export async function fill(config: DatabaseConfig, kept: Kept): Promise<void> {
  const database = new Kysely<unknown>({
    dialect:
      config.engine === 'sqlite'
        ? new SqliteDialect({ database: openedFast(config.path) })
        : new PostgresDialect({ pool: new Pool({ connectionString: config.url, max: 1 }) }),
  });
  try {
    const provider = { getMigrations: async () => migrations(config.engine) };
    const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
    if (error !== undefined) throw error;
    await fillLedger(database, kept);
    await fillSpending(database, kept);
    await fillResults(database, kept);
    await fillSessions(database, kept);
    // As a bot's own would be by now: by autovacuum, and by the hours.
    await sql`analyze`.execute(database);
  } finally {
    await database.destroy();
  }
}

/** What is filled here need not survive anything. */
function openedFast(path: string): Sqlite.Database {
  const database = new Sqlite(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = OFF');
  // The sessions' own table, as their store makes it.
  database.exec(
    'create table if not exists "telegraf-sessions" (key varchar(32) primary key not null, session text)',
  );
  return database;
}

/** Calls `insert` with the numbers from 0 to `count`, as rows `n (i)`. */
async function inSteps(
  count: number,
  insert: (numbers: ReturnType<typeof sql>) => Promise<unknown>,
): Promise<void> {
  for (let first = 0; first < count; first += AT_ONCE) {
    const last = Math.min(first + AT_ONCE, count) - 1;
    await insert(sql`recursive n (i) as (
      select cast(${sql.lit(first)} as bigint) union all select i + 1 from n where i < ${sql.lit(last)}
    )`);
  }
}

/** Ids that follow one another in no order: large primes scatter them. */
const person = (people: number) =>
  sql`cast(${sql.lit(FIRST_PERSON)} + (i * 7919) % ${sql.lit(people)} as text)`;

async function fillLedger(database: Kysely<unknown>, kept: Kept): Promise<void> {
  const now = Date.now();
  const oldDays = Math.ceil((LEDGER_DAYS * kept.oldPercent) / 100);
  const count = LEDGER_DAYS + oldDays;
  const days = lastDays(count, now).map((day, back) => sql`(${sql.lit(back)}, ${sql.lit(day)})`);
  const calendar = sql`days (back, day) as (values ${sql.join(days)})`;
  const columns = sql`ledger (at, day, person, chat_group, kind, characters, outcome, cost_fen)`;
  const entries = (who: ReturnType<typeof sql>) => sql`
    select ${sql.lit(now)} - cast(back as bigint) * ${sql.lit(DAY_MS)}, day, ${who},
      case when i % 3 = 0 then cast(-1000 - (i % ${sql.lit(kept.groups)}) as text) end,
      case i % 10 when 0 then 'recognition' when 1 then 'speech' else 'translation' end,
      60, case i % 50 when 0 then 'in-doubt' when 1 then 'failed' else 'charged' end, 40
    from n join days on back = (i / 3) % ${sql.lit(count)}`;
  await inSteps(kept.ledger - BUSY_PERSON.entries, (numbers) =>
    sql`insert into ${columns} with ${numbers}, ${calendar} ${entries(person(kept.people))}`.execute(
      database,
    ),
  );
  await inSteps(BUSY_PERSON.entries, (numbers) =>
    sql`insert into ${columns} with ${numbers}, ${calendar} ${entries(sql`${sql.lit(String(BUSY_PERSON.id))}`)}`.execute(
      database,
    ),
  );
}

/** Sums of as many people a day as the ledger has calls, and those of the busy person. */
async function fillSpending(database: Kysely<unknown>, kept: Kept): Promise<void> {
  const now = Date.now();
  const columns = sql`spending (day, scope, calls, cost_fen)`;
  const aDay = Math.floor(kept.ledger / LEDGER_DAYS);
  for (const day of lastDays(SPENDING_DAYS, now)) {
    const of = (scope: string, calls: number) => sql`(${day}, ${scope}, ${calls}, ${40 * calls})`;
    const scopes = [BOT_SCOPE, ...CALL_KINDS.map(kindScope)].map((scope) => of(scope, aDay));
    await sql`insert into ${columns} values ${sql.join(scopes)}`.execute(database);
    await inSteps(aDay, (numbers) =>
      // As long as a hash is.
      sql`insert into ${columns} with ${numbers}
        select ${sql.lit(day)}, 'person:0123456789abcdef0123456789abcd' || cast(1000000000 + i as text), 1, 40
        from n`.execute(database),
    );
  }
  const busy = ownKeys('person', String(BUSY_PERSON.id), now).map(
    ({ day, scope }) => sql`(${day}, ${scope}, 50, 2000)`,
  );
  await sql`insert into ${columns} values ${sql.join(busy)}`.execute(database);
}

async function fillResults(database: Kysely<unknown>, kept: Kept): Promise<void> {
  const now = Date.now();
  const spread = Math.round(RESULTS_DAYS * DAY_MS * (1 + kept.oldPercent / 100));
  const busy = Math.ceil(kept.results / (BUSY_PERSON.entries / 10));
  // As long as a translated sentence is.
  const text = 'བཀྲ་ཤིས་བདེ་ལེགས། '.repeat(5);
  await inSteps(kept.results, (numbers) =>
    sql`insert into results (key, person, text, kept_at) with ${numbers}
      select 'translation:auto:' || i, case when i % ${sql.lit(busy)} = 0 then ${sql.lit(String(BUSY_PERSON.id))} else ${person(kept.people)} end,
        ${sql.lit(text)} || i, ${sql.lit(now)} - cast(i * 1.0 / ${sql.lit(kept.results)} * ${sql.lit(spread)} as bigint)
      from n`.execute(database),
  );
}

async function fillSessions(database: Kysely<unknown>, kept: Kept): Promise<void> {
  await inSteps(kept.people, (numbers) =>
    sql`insert into "telegraf-sessions" (key, session) with ${numbers}
      select cast(${sql.lit(FIRST_PERSON)} + i as text), '{"target":"auto","dialect":"amdo"}' from n`.execute(
      database,
    ),
  );
}
