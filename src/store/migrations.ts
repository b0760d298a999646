/** Brings a database from what it is, be it empty, to today's tables: by steps that are only ever added, never changed. */
import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import { firstMigrations } from './first-migrations.ts';
import { laterMigrations } from './later-migrations.ts';
import type { Engine, Migrations } from './migration-step.ts';
import type { Schema } from './schema.ts';

/**
 * How far a database has come: `empty` (none of our tables), `older` (steps are missing), `current`, or `newer` (a later
 * version of the bot has taken steps that this one does not know).
 */
export type SchemaState = 'empty' | 'older' | 'current' | 'newer';

/** There is no way back: a database that a newer version has changed is left alone. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase';
}

/** Brings the tables up to date, once, whichever process comes first. Throws `NewerDatabase`, or the first step's error. */
export async function migrate(database: Kysely<Schema>, engine: Engine): Promise<void> {
  if ((await schemaState(database, engine)) === 'newer') throw new NewerDatabase();
  const provider = { getMigrations: async () => migrations(engine) };
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  if (error !== undefined) throw error;
}

/** Looks, and changes nothing. */
export async function schemaState(database: Kysely<Schema>, engine: Engine): Promise<SchemaState> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return 'empty';
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(database);
  const taken = new Set(rows.map(({ name }) => name));
  const known = new Set(Object.keys(migrations(engine)));
  if (!taken.isSubsetOf(known)) return 'newer';
  if (taken.size === 0) return 'empty';
  return known.isSubsetOf(taken) ? 'current' : 'older';
}

function migrations(engine: Engine): Migrations {
  return { ...firstMigrations(engine), ...laterMigrations(engine) };
}
