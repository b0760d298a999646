/** The ledger's daily sums, and the triggers that keep them: each change of the ledger is summed up in its own transaction. */
import { type Kysely, sql } from 'kysely';
import type { Engine } from '../engine.ts';

export async function addDailySums(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const { schema } = database;
  await schema
    .createTable('daily_sums')
    .addColumn('scope', 'varchar(48)', (column) => column.notNull())
    .addColumn('day', 'varchar(10)', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('charged', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('charged_fen', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('doubtful', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('doubtful_fen', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('saved', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('saved_fen', 'bigint', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('daily_sums_key', ['scope', 'day', 'part'])
    .execute();
  await schema.createIndex('daily_sums_by_day').on('daily_sums').column('day').execute();
  await schema
    .createTable('visits')
    .addColumn('day', 'varchar(10)', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('people', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('groups', 'bigint', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('visits_key', ['day', 'part'])
    .execute();
  for (const statement of engine === 'sqlite' ? SQLITE_TRIGGERS : POSTGRES_TRIGGERS)
    await sql.raw(statement).execute(database);
}

/** SQL for how a row of the ledger (`row`: new or old) counts in each sum: 1 or 0, or its cost or 0. */
const counts = (row: string): readonly string[] => {
  const of = (outcomes: string): readonly string[] =>
    ['1', `${row}.cost_fen`].map((one) => `case when ${row}.outcome in (${outcomes}) then ${one} else 0 end`);
  return [...of("'charged'"), ...of("'begun', 'in-doubt'"), ...of("'reused'")];
};

const SUMS = ['charged', 'charged_fen', 'doubtful', 'doubtful_fen', 'saved', 'saved_fen'] as const;
const ENTERED = counts('new').join(', ');
const BEFORE = counts('old');
const SETTLED = counts('new')
  .map((now, sum) => `${now} - ${BEFORE[sum]}`)
  .join(', ');

const addTo = (columns: readonly string[], table: string): string =>
  columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');
const TARGET = `daily_sums (scope, day, part, ${SUMS.join(', ')})`;
const ADDED = `on conflict (scope, day, part) do update set ${addTo(SUMS, 'daily_sums')}`;

/** Forgotten people and groups count only in the sums of the whole bot. */
const KNOWN_PERSON = "new.person not like 'forgotten-%'";
const KNOWN_GROUP = "new.chat_group is not null and new.chat_group not like 'forgotten-%'";

/** Adds a row to the sums of its person, its group and its kind, always in this order, so that no two wait in a ring. */
const toPerson = (values: string): string =>
  `insert into ${TARGET} select new.person, new.day, 0, ${values} where ${KNOWN_PERSON} ${ADDED}`;
const toGroup = (values: string): string =>
  `insert into ${TARGET} select 'group:' || new.chat_group, new.day, 0, ${values} where ${KNOWN_GROUP} ${ADDED}`;
const toKind = (values: string, part: string): string =>
  `insert into ${TARGET} select 'kind:' || new.kind, new.day, ${part}, ${values} where true ${ADDED}`;
const sumUp = (values: string, part: string): string =>
  `${toPerson(values)}; ${toGroup(values)}; ${toKind(values, part)};`;

const sqliteVisit = (scope: string, column: 'people' | 'groups', isKnown: string): string => `
  update visits set ${column} = ${column} - 1
    where ${isKnown} and day < new.day and day = (select max(day) from daily_sums where scope = ${scope});
  insert into visits (day, part, ${column})
    select new.day, 0, 1
    where ${isKnown} and not exists (select 1 from daily_sums where scope = ${scope} and day >= new.day)
    on conflict (day, part) do update set ${addTo([column], 'visits')};`;

const SQLITE_TRIGGERS = [
  `create trigger ledger_entered after insert on ledger begin
    ${sqliteVisit('new.person', 'people', KNOWN_PERSON)}
    ${sqliteVisit("'group:' || new.chat_group", 'groups', KNOWN_GROUP)}
    ${sumUp(ENTERED, '0')}
  end`,
  `create trigger ledger_settled after update of outcome on ledger begin ${sumUp(SETTLED, '0')} end`,
];

/** The whole bot's sums have parts, one per connection: otherwise every call would wait for the commit of the one before it. */
const PARTS = 8;

/** A row without `xmax` is new: this call is the first of that person's or group's day, even if two processes try at once. */
const POSTGRES_TRIGGERS = [
  `create function sum_up_ledger() returns trigger language plpgsql as $$
  declare
    own_part constant integer := pg_backend_pid() % ${PARTS};
    is_persons_first boolean;
    is_groups_first boolean;
    person_before text;
    group_before text;
  begin
    if tg_op = 'UPDATE' then
      ${sumUp(SETTLED, 'own_part')}
      return null;
    end if;
    ${toPerson(ENTERED)} returning xmax = 0 into is_persons_first;
    ${toGroup(ENTERED)} returning xmax = 0 into is_groups_first;
    if is_persons_first then
      person_before := (select max(day) from daily_sums where scope = new.person and day <> new.day);
      is_persons_first := coalesce(person_before < new.day, true);
    end if;
    if is_groups_first then
      group_before := (select max(day) from daily_sums where scope = 'group:' || new.chat_group and day <> new.day);
      is_groups_first := coalesce(group_before < new.day, true);
    end if;
    if is_persons_first or is_groups_first then
      insert into visits (day, part, people, groups)
        select day, own_part, coalesce(sum(person), 0), coalesce(sum(chat_group), 0)
        from (values
          (new.day, is_persons_first::integer, is_groups_first::integer),
          (person_before, -is_persons_first::integer, 0),
          (group_before, 0, -is_groups_first::integer)
        ) as seen (day, person, chat_group)
        where day is not null
        group by day order by day desc
        on conflict (day, part) do update set ${addTo(['people', 'groups'], 'visits')};
    end if;
    ${toKind(ENTERED, 'own_part')};
    return null;
  end $$`,
  `create trigger ledger_entered after insert on ledger for each row execute function sum_up_ledger()`,
  `create trigger ledger_settled after update of outcome on ledger for each row execute function sum_up_ledger()`,
];
