/**
 * Walks the list of tables (tables.ts): erases what is kept about a person or a group, prunes what is too old, and moves a group's data to
 * its new id. Each step may be repeated: if a kill interrupts one, the next call completes it.
 */
import { sql } from 'kysely';
import { changeRows, type Rows } from './batches.ts';
import type { Database } from './database.ts';
import type { EngineDatabase } from './engine.ts';
import { utcDay } from './money/utc-day.ts';
import { type Change, type Name, TABLES, type Table, type Whose } from './tables.ts';

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
    for (const column of namesOf(table, whose)) {
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

function namesOf({ names = [] }: Table, whose: Whose): readonly Name[] {
  return names.filter((name) => name.whose === whose);
}

function rowsOf({ column, order, only }: Name, id: string, change: Change): Rows {
  return {
    where: [sql`${sql.ref(column)} = ${id}`, only, change.only],
    order,
  };
}
