/** Migrates a database of any release, or an empty one, to today's tables. */
import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import packageJson from '../../../package.json' with { type: 'json' };
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

/** `empty`: without tables of ours; `older`: the next start migrates it. */
export type SchemaState = 'empty' | 'older' | 'current';

/**
 * Takes all missing steps once, in one transaction, whichever process comes first; the others wait for Kysely's lock. On PostgreSQL a statement
 * of a step has 10 s, as any other: a step changes tables, and rows are changed in batches. Throws `UnfitDatabase`, or the first step's error.
 */
export async function migrate(database: Kysely<Schema>, engine: Engine): Promise<void> {
  if ((await schemaState(database, engine)) === 'current') return;
  const steps = Object.entries(migrations(engine)).map(([name, { up }]) => [name, { up: signed(up) }]);
  const provider = { getMigrations: async () => Object.fromEntries(steps) };
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  if (error !== undefined) throw error;
}

/** Holds the release that has taken the last step, for an older one to name. */
const SIGNATURE = 'migrated_by';

/** The same step, which then writes down that this release has taken it. */
function signed(up: Migration['up']): Migration['up'] {
  return async (database) => {
    await up(database);
    const signature = sql.table(SIGNATURE);
    await sql`create table if not exists ${signature} (release varchar(32) not null)`.execute(database);
    await sql`delete from ${signature}`.execute(database);
    await sql`insert into ${signature} (release) values (${packageJson.version})`.execute(database);
  };
}

/** Steps by which the two releases before 1.0.0 are known: the first of all, and the first of 0.2.0. */
const TRIALS = ['001-first-tables', '008-pieces-of-speech'] as const;

/** Returns the state of the tables; changes nothing. Throws `UnfitDatabase` if this release cannot work on them. */
export async function schemaState(database: Kysely<Schema>, engine: Engine): Promise<SchemaState> {
  if (!(await hasTable(database, engine, DEFAULT_MIGRATION_TABLE))) {
    // A file belongs to one program; a database on a server may serve several.
    if (engine === 'postgres') return 'empty';
    const { rows } = await sql`select name from sqlite_schema limit 1`.execute(database);
    if (rows.length > 0) throw new UnfitDatabase('foreign');
    return 'empty';
  }
  const migrated = sql.table(DEFAULT_MIGRATION_TABLE);
  const { rows } = await sql<{ name: string }>`select name from ${migrated}`.execute(database);
  const taken = new Set(rows.map(({ name }) => name));
  const known = new Set(Object.keys(migrations(engine)));
  if (taken.has(TRIALS[0])) throw new UnfitDatabase('trial', taken.has(TRIALS[1]) ? '0.2.0' : '0.1.0');
  if (!taken.isSubsetOf(known)) throw new UnfitDatabase('newer', await releaseOf(database, engine));
  if (taken.size === 0) return 'empty';
  return known.isSubsetOf(taken) ? 'current' : 'older';
}

async function hasTable(database: Kysely<Schema>, engine: Engine, name: string): Promise<boolean> {
  const { rows } = await (engine === 'sqlite'
    ? sql`select name from sqlite_schema where name = ${name}`
    : sql`select 1 where to_regclass(${name}) is not null`
  ).execute(database);
  return rows.length > 0;
}

async function releaseOf(database: Kysely<Schema>, engine: Engine): Promise<string | undefined> {
  if (!(await hasTable(database, engine, SIGNATURE))) return undefined;
  const { rows } = await sql<{ release: string }>`select release from ${sql.table(SIGNATURE)}`.execute(
    database,
  );
  return rows[0]?.release;
}
