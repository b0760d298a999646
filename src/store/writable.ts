/** Whether the database can be written, found out by writing. */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Writes a row and takes it out again, in one transaction that nobody sees: a full disk and a lock show as much as a lost connection.
 * Throws the database's error.
 */
export async function writeAndErase(database: Kysely<Schema>): Promise<void> {
  const reason = randomUUID();
  await database.transaction().execute(async (transaction) => {
    await transaction.insertInto('pauses').values({ reason, until: 0 }).execute();
    await transaction.deleteFrom('pauses').where('reason', '=', reason).execute();
  });
}
