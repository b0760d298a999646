/** Checks the database: reachable, writable, of this release, and private. Creates nothing, and migrates nothing. */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { describeDatabaseError, UnfitDatabase } from '../store/database-errors.ts';
import type { DatabaseConfig } from '../store/engine.ts';
import { type SchemaState, schemaState } from '../store/migrations/migrations.ts';
import { refuseUnfitServer } from '../store/postgres/postgres.ts';
import type { Schema } from '../store/schema.ts';
import { type Finding, isOpenToOthers, open, well, wrong } from './finding.ts';

/** `absent`: there is no file, but one can be created. */
type DatabaseState = SchemaState | 'absent';

/** How long to wait for a lock or a server, in ms. */
const PATIENCE_MS = 5000;

/** Throws `UnfitDatabase`, or the error of the database or the file system. */
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
    const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(kysely);
    if (rows[0]?.quick_check !== 'ok') throw new UnfitDatabase('damaged');
    return await schemaState(kysely, 'sqlite');
  } finally {
    await kysely.destroy();
  }
}

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
    // Creating a table proves that tables can be created, and leaves none.
    await pool.query('begin; create table lotsawa_doctor (); rollback');
    await refuseUnfitServer(pool);
    return await schemaState(kysely, 'postgres');
  } finally {
    await kysely.destroy();
  }
}

const STATES: Readonly<Record<DatabaseState, string>> = {
  absent: 'does not exist yet, and can be created at the first start',
  empty: 'is empty, and gets its tables at the first start',
  older: 'is of an earlier release, and is migrated at the next start',
  current: 'can be written, and its tables are up to date',
};

/** Returns whether the database has all tables of this release, so that further checks can use it. */
export async function* checkDatabase(config: DatabaseConfig): AsyncGenerator<Finding, boolean> {
  const name = config.engine === 'sqlite' ? `SQLite file ${config.path}` : 'PostgreSQL';
  try {
    const state =
      config.engine === 'sqlite' ? await inspectSqlite(config.path) : await inspectPostgres(config.url);
    yield well(`Database: ${name} ${STATES[state]}`);
    // It holds people's last texts.
    if (config.engine === 'sqlite' && state !== 'absent' && isOpenToOthers(config.path))
      yield open('Database: other users of this machine may read the file', `chmod 600 ${config.path}*`);
    return state === 'current';
  } catch (error) {
    const { what, remedy } = describeDatabaseError(error, config);
    yield wrong(`Database: ${name} ${what}`, remedy);
    return false;
  }
}
