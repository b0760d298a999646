/** Deletes or changes many rows in small steps. */
import { type RawBuilder, sql } from 'kysely';
import type { EngineDatabase } from './engine.ts';

interface BatchTable {
  readonly name: string;
  /** The primary key. */
  readonly key: readonly string[];
  /** How many rows a statement may change, if they are large. */
  readonly atOnce?: number;
}

export interface Rows {
  /** Conditions on the rows; undefined ones are left out. */
  readonly where: readonly (RawBuilder<unknown> | undefined)[];
  /** The column by which an index orders the rows: a planner that expects many of them would scan the whole table. */
  readonly order: string;
}

/** The new values, by column. */
export type Values = Readonly<Record<string, string | null>>;

/**
 * Sets these values in the rows, or deletes them if there are none, until all are changed or `signal` aborts. A SQLite statement blocks the
 * whole process while it runs, and between two others get their turn; a server serves others meanwhile, but skips the deleted rows at each
 * step. Does not wait for the disk: what a power cut brings back goes with the next call.
 */
export async function changeRows(
  { sql: database, keptUp }: EngineDatabase,
  { name, key, atOnce = 100 }: BatchTable,
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
  const change =
    values === undefined ? sql`delete from ${table}` : sql`update ${table} set ${assign(values)}`;
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

function assign(values: Values): RawBuilder<unknown> {
  return sql.join(Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
}
