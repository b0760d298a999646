/**
 * Walks the list of tables (tables.ts): erases what is kept about a person or a group, prunes what is too old, and moves a group's data to
 * its new id. Each step may be repeated: if a kill interrupts one, the next call completes it.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import type { EngineDatabase } from './engine.ts';
import { utcDay } from './money/spending.ts';
import { type Change, type Name, TABLES, type Table, type Values, type Whose } from './tables.ts';

/**
 * Erases everything about a person (/forget, spec §6); the ledger keeps its sums under nobody's name, and today's spending still counts (see
 * `ownScope`). Resolves when nothing of it is on the disk.
 */
export async function forgetPerson(database: Database, person: string): Promise<void> {
  await forget(database, 'person', person);
  await database.erased();
}

/** Erases everything about a group, and what an anonymous admin did in its name; today's spending still counts. */
export async function forgetGroup(database: Database, group: string): Promise<void> {
  await forget(database, 'group', group);
  await forgetPerson(database, group);
}

/** Erases the results on the person's account. */
export async function forgetResults(database: Database, person: string): Promise<void> {
  await forget(database, 'person', person, { results: TABLES.results });
}

async function forget(
  database: Database,
  whose: Whose,
  id: string,
  tables: Readonly<Record<string, Table>> = TABLES,
): Promise<void> {
  for (const [name, table] of Object.entries(tables)) {
    for (const column of table.names ?? []) {
      if (column.whose !== whose) continue;
      for (const change of column.forget ?? [{}])
        await changeRows(database, { name, ...table }, rowsOf(column, id, change), change.set);
    }
    await table.forget?.(database, whose, id);
  }
}

/** A basic group became a supergroup: moves everything under its id to the new one. */
export async function moveGroup(database: Database, from: string, to: string): Promise<void> {
  for (const [name, table] of Object.entries(TABLES)) {
    for (const column of table.names ?? []) {
      const { move = { set: { [column.column]: to } } } = column;
      if (move !== 'itself')
        await changeRows(database, { name, ...table }, rowsOf(column, from, move), move.set);
    }
    await table.move?.(database, from, to);
  }
}

/** Erases everything that is too old, results after `resultsTtlMs`; stops early when `signal` aborts. */
export async function prune(
  database: EngineDatabase,
  resultsTtlMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const now = database.now();
  for (const [name, table] of Object.entries(TABLES)) {
    for (const { column, keptMs, only, set } of table.ages ?? []) {
      const last = now - (typeof keptMs === 'number' ? keptMs : keptMs(resultsTtlMs));
      const isOld = sql`${sql.ref(column)} <= ${column === 'day' ? utcDay(last) : last}`;
      await changeRows(database, { name, ...table }, { where: [isOld, only], order: column }, set, signal);
    }
  }
  // Also erases what a backup was still reading when /forget ran.
  if (!signal?.aborted) await database.erased();
}

function rowsOf({ column, order, only }: Name, id: string, change: Change): Rows {
  return {
    where: [sql`${sql.ref(column)} = ${id}`, only, change.only],
    order,
  };
}

interface Rows {
  /** Conditions on the rows; undefined ones are left out. */
  readonly where: readonly (RawBuilder<unknown> | undefined)[];
  readonly order: string;
}

/**
 * Sets these values in the rows, or deletes them if there are none, until all are changed or `signal` aborts. A SQLite statement blocks the
 * whole process while it runs, and between two others get their turn; a server serves others meanwhile, but skips the deleted rows at each
 * step. Does not wait for the disk: what a power cut brings back goes with the next call.
 */
async function changeRows(
  { sql: database, keptUp }: EngineDatabase,
  { name, key, atOnce = 100 }: Pick<Table, 'key' | 'atOnce'> & { readonly name: string },
  { where, order }: Rows,
  values?: Values,
  signal?: AbortSignal,
): Promise<void> {
  const table = sql.table(name);
  const keys = sql.join(key.map((column) => sql.ref(column)));
  const conditions = sql.join(
    where.filter((one) => one !== undefined),
    sql` and `,
  );
  const sets = Object.entries(values ?? {}).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const change =
    values === undefined ? sql`delete from ${table}` : sql`update ${table} set ${sql.join(sets)}`;
  const step = sql`
    ${change} where (${keys}) in (
      select ${keys} from ${table} where ${conditions} order by ${sql.ref(order)} limit ${atOnce}
    )`;
  while (!signal?.aborted) {
    const { numAffectedRows = 0n } = await step.execute(database);
    await keptUp(Number(numAffectedRows));
    if (numAffectedRows < atOnce) return;
  }
}
