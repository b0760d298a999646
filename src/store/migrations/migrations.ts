/** Migrates a database of any release, or an empty one, to today's tables. Steps are added, and never changed. */
import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { UnfitDatabase } from '../database-errors.ts';
import type { Engine } from '../engine.ts';
import type { Schema } from '../schema.ts';
import { baseline } from './baseline.ts';

/** The steps from no tables to today's, by the names under which a database remembers them, in order. Released ones never change. */
export function migrations(engine: Engine): Readonly<Record<string, Migration>> {
  return {
    '001-baseline': {
      async up(database: Kysely<unknown>) {
        for (const statement of baseline(engine)) await sql.raw(statement).execute(database);
      },
    },
  };
}

/**
 * The state of a database's tables:
 * - `empty`: no tables
 * - `foreign`: only tables of another program
 * - `older`: steps are missing
 * - `current`: up to date
 * - `newer`: a later release has taken steps that this one does not know
 */
export type SchemaState = 'empty' | 'foreign' | 'older' | 'current' | 'newer';

interface MigrationOptions {
  /** Called when the first missing step begins. */
  readonly onBegin?: () => void;
  /** There were tables before: if none are left they were lost, and no new ones are made. */
  readonly isKnown?: boolean;
  /** The schema of the tables, in a database that has several. */
  readonly schema?: string | undefined;
}

/**
 * Takes all missing steps once, whichever process comes first; in one transaction if the dialect can change tables in one. Throws
 * `UnfitDatabase`, or the first step's error.
 */
export async function migrate(
  database: Kysely<Schema>,
  engine: Engine,
  { onBegin = () => {}, isKnown = false, schema }: MigrationOptions = {},
): Promise<void> {
  const state = await schemaState(database, engine);
  if (state === 'newer' || state === 'foreign') throw new UnfitDatabase(state);
  if (state === 'empty' && isKnown) throw new UnfitDatabase('gone');
  const provider = { getMigrations: async () => telling(migrations(engine), onBegin) };
  const migrator = new Migrator({ db: database, provider, ...(schema && { migrationTableSchema: schema }) });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  // A process of a newer release may have been faster; Kysely takes its steps for corruption.
  if ((await schemaState(database, engine).catch(() => undefined)) === 'newer')
    throw new UnfitDatabase('newer');
  throw error;
}

/** Gives the state of the tables; changes nothing. */
export async function schemaState(database: Kysely<Schema>, engine: Engine): Promise<SchemaState> {
  const { rows: found } = await (engine === 'sqlite'
    ? sql`select name from sqlite_schema where name = ${DEFAULT_MIGRATION_TABLE}`
    : sql`select 1 where to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null`
  ).execute(database);
  if (found.length === 0) return (await isForeign(database, engine)) ? 'foreign' : 'empty';
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(database);
  const taken = new Set(rows.map(({ name }) => name));
  const known = new Set(Object.keys(migrations(engine)));
  if (!taken.isSubsetOf(known)) return 'newer';
  if (taken.size === 0) return 'empty';
  return known.isSubsetOf(taken) ? 'current' : 'older';
}

/** A file belongs to one program; a database on a server may serve several. */
async function isForeign(database: Kysely<Schema>, engine: Engine): Promise<boolean> {
  if (engine !== 'sqlite') return false;
  const { rows } = await sql`select name from sqlite_schema limit 1`.execute(database);
  return rows.length > 0;
}

/** Wraps the steps so that `onBegin` is called before the first. */
function telling(steps: ReturnType<typeof migrations>, onBegin: () => void): Record<string, Migration> {
  let isTold = false;
  const told = Object.entries(steps).map(([name, step]): [string, Migration] => [
    name,
    {
      up: async (database) => {
        if (!isTold) onBegin();
        isTold = true;
        await step.up(database);
      },
    },
  ]);
  return Object.fromEntries(told);
}
