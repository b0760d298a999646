/** Migrates a database of any release, or an empty one, to today's tables. */
import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { UnfitDatabase } from '../database-errors.ts';
import { baseline, type Engine, type Schema } from '../schema.ts';

/** By name, in order. Steps are added; released ones never change. */
export function migrations(engine: Engine): Readonly<Record<string, Migration>> {
  return {
    '001-baseline': {
      async up(database: Kysely<unknown>) {
        for (const statement of baseline(engine)) await sql.raw(statement).execute(database);
      },
    },
  };
}

/** `foreign`: only tables of another program; `newer`: a later release has taken steps that this one does not know. */
export type SchemaState = 'empty' | 'foreign' | 'older' | 'current' | 'newer';

/**
 * Takes all missing steps once, in one transaction, whichever process comes first; the others wait for Kysely's lock. On PostgreSQL a statement
 * of a step has 10 s, as any other: a step changes tables, and rows are changed in batches. Throws `UnfitDatabase`, or the first step's error.
 */
export async function migrate(database: Kysely<Schema>, engine: Engine): Promise<void> {
  const state = await schemaState(database, engine);
  if (state === 'current') return;
  if (state === 'newer' || state === 'foreign') throw new UnfitDatabase(state);
  const provider = { getMigrations: async () => migrations(engine) };
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  if (error !== undefined) throw error;
}

/** Returns the state of the tables; changes nothing. */
export async function schemaState(database: Kysely<Schema>, engine: Engine): Promise<SchemaState> {
  const { rows: found } = await (engine === 'sqlite'
    ? sql`select name from sqlite_schema where name = ${DEFAULT_MIGRATION_TABLE}`
    : sql`select 1 where to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null`
  ).execute(database);
  if (found.length === 0) {
    // A file belongs to one program; a database on a server may serve several.
    if (engine === 'postgres') return 'empty';
    const { rows } = await sql`select name from sqlite_schema limit 1`.execute(database);
    return rows.length > 0 ? 'foreign' : 'empty';
  }
  const migrated = sql.table(DEFAULT_MIGRATION_TABLE);
  const { rows } = await sql<{ name: string }>`select name from ${migrated}`.execute(database);
  const taken = new Set(rows.map(({ name }) => name));
  const known = new Set(Object.keys(migrations(engine)));
  if (!taken.isSubsetOf(known)) return 'newer';
  if (taken.size === 0) return 'empty';
  return known.isSubsetOf(taken) ? 'current' : 'older';
}
