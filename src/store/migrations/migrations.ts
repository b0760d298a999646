/** Brings a database, whatever release it is of, and an empty one too, to today's tables: by steps that are added, and never changed. */
import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import type { Engine } from '../engine.ts';
import type { Schema } from '../schema.ts';
import { UnfitDatabase } from '../trouble.ts';
import { type Migrations, migrations } from './steps.ts';

/**
 * How far a database has come: `empty` (no table), `foreign` (only tables of another program's), `older` (steps are missing), `current`,
 * or `newer` (a later version of the bot has taken steps that this one does not know).
 */
export type SchemaState = 'empty' | 'foreign' | 'older' | 'current' | 'newer';

interface MigrationOptions {
  /** Told when the first missing step is begun. */
  readonly onBegin?: () => void;
  /** There were tables before: where none are, they are lost, and no new ones are made. */
  readonly isKnown?: boolean;
  /** Where the tables are, in a database of several schemas. */
  readonly schema?: string | undefined;
}

/**
 * Takes all missing steps, once, whichever process comes first, in one transaction where the dialect lets tables be changed in one.
 * Throws `UnfitDatabase`, or the first step's error.
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
  // A newer process may have been faster: to Kysely its steps are a corruption.
  if ((await schemaState(database, engine).catch(() => undefined)) === 'newer')
    throw new UnfitDatabase('newer');
  throw error;
}

/** Looks, and changes nothing. */
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

/** A file is one program's; in a database on a server there is room for more. */
async function isForeign(database: Kysely<Schema>, engine: Engine): Promise<boolean> {
  if (engine !== 'sqlite') return false;
  const { rows } = await sql`select name from sqlite_schema limit 1`.execute(database);
  return rows.length > 0;
}

/** The same steps; before the first of them `onBegin` is told. */
function telling(steps: Migrations, onBegin: () => void): Migrations {
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
