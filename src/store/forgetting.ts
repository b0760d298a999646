/** Erases what is kept about a person (spec §6), or a group. */
import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

/**
 * Erases the session, the results made on the person's account, and requests that wait under a button; the ledger keeps its
 * sums, in a name that leads to nobody. What was spent today still counts (see `personScope`).
 */
export async function forgetPerson({ sql, sessions }: Database, person: string): Promise<void> {
  await sql.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('results').where('person', '=', person).execute();
    await transaction.deleteFrom('parked_updates').where('person', '=', person).execute();
    await transaction.deleteFrom('cancellations').where('person', '=', person).execute();
    await transaction.deleteFrom('answers').where('person', '=', person).execute();
    await transaction.deleteFrom('progress_messages').where('chat', '=', Number(person)).execute();
    await transaction.updateTable('ledger').set({ person: nobody() }).where('person', '=', person).execute();
  });
  await sessions.delete(person);
}

/** Erases the settings of a group, and what stands in its own name (an anonymous admin's). What it spent today still counts. */
export async function forgetGroup(database: Database, group: string): Promise<void> {
  await database.sql.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('groups').where('chat', '=', group).execute();
    await transaction.deleteFrom('answers').where('chat', '=', group).execute();
    await transaction
      .updateTable('ledger')
      .set({ chat_group: nobody() })
      .where('chat_group', '=', group)
      .execute();
  });
  await forgetPerson(database, group);
}

function nobody(): string {
  return `forgotten-${randomBytes(8).toString('hex')}`;
}
