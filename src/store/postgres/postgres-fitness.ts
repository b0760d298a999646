/** Whether a PostgreSQL database can be the bot's at all: found out at the start, before anybody's request fails of it. */
import { type Kysely, sql } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { Schema } from '../schema.ts';
import { UnfitDatabase } from '../unfit-database.ts';

/** The others hold the letters of one language or two; SQL_ASCII takes any bytes for what they are. */
const FIT_ENCODINGS: ReadonlySet<unknown> = new Set(['UTF8', 'SQL_ASCII']);

/** Throws `UnfitDatabase` where not every text can be kept. */
export async function refuseUnfitEncoding(database: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(database);
  if (!FIT_ENCODINGS.has(rows[0]?.server_encoding)) throw new UnfitDatabase('encoding');
}

/**
 * Throws `UnfitDatabase` where two connections are one to the server, as by way of a pooler that gives them out statement by
 * statement: locks would be nobody's, and nothing that is notified would be heard. The pool has to have room for two.
 */
export async function refusePooled(pool: Pool): Promise<void> {
  const held = await pool.connect();
  try {
    // Opens the second connection: with an opening some poolers begin one more of their own to the server.
    await backendOf(pool);
    if ((await backendOf(held)) === (await backendOf(pool))) throw new UnfitDatabase('pooled');
  } finally {
    held.release();
  }
}

/** The number of the server's process behind the connection. */
async function backendOf(connection: Pool | PoolClient): Promise<number | undefined> {
  const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
