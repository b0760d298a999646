/** The one database of the bot, opened by its address; every table of ours is reached through Kysely. */
import type { DatabaseConfig } from '../config.ts';
import { openPostgres, type PostgresDatabase } from './postgres.ts';
import { openSqlite, type SqliteDatabase } from './sqlite.ts';

export type Database = SqliteDatabase | PostgresDatabase;

/**
 * Opens the database, creating what is missing, and brings its tables up to date.
 * Throws where it cannot be opened or written; a PostgreSQL server that is out of reach is waited for, and `onWaiting` is told.
 */
export function openDatabase(
  config: DatabaseConfig,
  onWaiting: (error: unknown) => void = () => {},
): Promise<Database> {
  return config.engine === 'sqlite' ? openSqlite(config.path) : openPostgres(config.url, onWaiting);
}
