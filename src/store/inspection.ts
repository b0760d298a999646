/** Inspects the configured database. Creates nothing, migrates nothing, and waits at most 5 s for a lock or a server. */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { z } from 'zod';
import { UnfitDatabase } from './database-errors.ts';
import type { DatabaseConfig } from './engine.ts';
import { type SchemaState, schemaState } from './migrations/migrations.ts';
import { refuseUnfitServer } from './postgres/postgres.ts';
import type { Schema } from './schema.ts';

/** `absent`: there is no file, but one can be created. */
export type DatabaseState = SchemaState | 'absent';

/** The database can be read, but not written. */
export class ReadOnlyDatabase extends Error {
  override readonly name = 'ReadOnlyDatabase';
}

/** How long to wait for a lock or a server, in ms. */
const PATIENCE_MS = 5000;

/** Returns the state of the schema. Throws `ReadOnlyDatabase`, `UnfitDatabase`, or the error of the database or the file system. */
export function inspectDatabase(config: DatabaseConfig): Promise<DatabaseState> {
  return config.engine === 'sqlite' ? inspectSqlite(config.path) : inspectPostgres(config.url);
}

async function inspectSqlite(path: string): Promise<DatabaseState> {
  if (!existsSync(path)) {
    accessSync(nearestFolder(resolve(path)), constants.W_OK | constants.X_OK);
    return 'absent';
  }
  const database = new Sqlite(path);
  const kysely = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  try {
    database.pragma(`busy_timeout = ${PATIENCE_MS}`);
    // Taking the write lock proves that writing works, and writes nothing.
    database.exec('begin immediate');
    database.exec('rollback');
    const [found] = z
      .array(z.object({ quick_check: z.string() }))
      .parse(database.prepare('pragma quick_check(1)').all());
    if (found?.quick_check !== 'ok') throw new UnfitDatabase('damaged');
    return await schemaState(kysely, 'sqlite');
  } finally {
    await kysely.destroy();
  }
}

/** Returns the nearest existing parent folder, in which missing folders would be created. */
function nearestFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? folder : nearestFolder(folder);
}

async function inspectPostgres(url: string): Promise<DatabaseState> {
  const limits = { connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS };
  const pool = new Pool({ connectionString: url, max: 2, application_name: 'lotsawa doctor', ...limits });
  pool.on('error', () => {});
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  try {
    const { rows } = await sql<{ writable: boolean }>`
      select not pg_is_in_recovery() and has_schema_privilege(current_schema(), 'create') as writable
    `.execute(kysely);
    if (rows[0]?.writable !== true) throw new ReadOnlyDatabase();
    await refuseUnfitServer(pool);
    return await schemaState(kysely, 'postgres');
  } finally {
    await kysely.destroy();
  }
}
