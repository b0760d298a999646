/** Opens the bot's database. All tables of our own are accessed through Kysely. */
import { randomUUID } from 'node:crypto';
import type { DatabaseConfig } from './engine.ts';
import type { PostgresDatabase } from './postgres/postgres.ts';
import { openSqlite, type SqliteDatabase } from './sqlite/sqlite.ts';

export type Database = SqliteDatabase | PostgresDatabase;

/**
 * Opens the database, creates what is missing, and migrates its tables. Throws if it cannot be opened or written. Waits for an unreachable
 * PostgreSQL server until `signal` aborts; `onUnreachable` is called for each failed attempt.
 */
export async function openDatabase(
  config: DatabaseConfig,
  onUnreachable: (error: unknown) => void = () => {},
  signal?: AbortSignal,
): Promise<Database> {
  if (config.engine === 'sqlite') return openSqlite(config.path);
  // Loaded on demand: a bot on SQLite saves its start time and memory.
  const { openPostgres } = await import('./postgres/postgres.ts');
  return openPostgres(config.url, onUnreachable, signal);
}

/** Inserts and deletes a row that nobody else sees: detects a full disk, a lock, and a lost connection. Throws `database`. */
export async function writeAndErase({ sql, synced }: Database): Promise<void> {
  const reason = randomUUID();
  await sql.transaction().execute(async (transaction) => {
    await transaction.insertInto('pauses').values({ reason, until: 0 }).execute();
    await transaction.deleteFrom('pauses').where('reason', '=', reason).execute();
  });
  await synced();
}
