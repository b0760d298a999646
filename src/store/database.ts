/** The one database of the bot, opened by its address; every table of ours is reached through Kysely. */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { DatabaseConfig } from './engine.ts';
import type { PostgresDatabase } from './postgres/postgres.ts';
import type { Schema } from './schema.ts';
import { type OpeningOptions, openSqlite, type SqliteDatabase } from './sqlite/sqlite.ts';

export type Database = SqliteDatabase | PostgresDatabase;

/**
 * Opens the database, creating what is missing, and brings its tables up to date.
 * Throws where it cannot be opened or written; a PostgreSQL server that is out of reach is waited for until `signal` aborts: then its
 * reason is thrown. `onDelay` is told of what takes its time.
 */
export async function openDatabase(
  config: DatabaseConfig,
  options: OpeningOptions & { readonly signal?: AbortSignal } = {},
): Promise<Database> {
  if (config.engine === 'sqlite') return openSqlite(config.path, options);
  // What a bot on SQLite never uses costs it neither time at the start nor memory.
  const { openPostgres } = await import('./postgres/postgres.ts');
  return openPostgres(config.url, options.onDelay, options.signal);
}

/**
 * Writes a row and takes it out again, in one transaction that is never visible: a full disk and a lock show as much as a lost connection.
 * Throws the database's error.
 */
export async function writeAndErase(database: Kysely<Schema>): Promise<void> {
  const reason = randomUUID();
  await database.transaction().execute(async (transaction) => {
    await transaction.insertInto('pauses').values({ reason, until: 0 }).execute();
    await transaction.deleteFrom('pauses').where('reason', '=', reason).execute();
  });
}
