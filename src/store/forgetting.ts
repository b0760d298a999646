/** Erases what is kept about a person (spec §6), or a group. */
import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';
import { eraseResults } from './kept/results.ts';
import { createSoundParts, SOUND_TABLES } from './kept/sound-parts.ts';

/**
 * Erases the session, the results made on the person's account, and requests that were given up or wait under a button; the
 * ledger keeps its sums, in a name that leads to nobody. What was spent today still counts (see `personScope`).
 */
export async function forgetPerson(database: Database, person: string): Promise<void> {
  const { sql, soon, sessions } = database;
  // Row by row, since sound is overwritten as it is erased; the transaction after it brings all of it to the disk.
  await eraseResults(soon, (row) => row('person', '=', person));
  for (const table of SOUND_TABLES) {
    await createSoundParts(soon, table).erase((row) => row('person', '=', person));
  }
  await sql.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('parked_updates').where('person', '=', person).execute();
    await transaction
      .deleteFrom('queued_updates')
      .where('lane', '=', person)
      .where('set_aside_at', 'is not', null)
      .execute();
    await transaction.deleteFrom('cancellations').where('person', '=', person).execute();
    await transaction.deleteFrom('answers').where('person', '=', person).execute();
    await transaction.deleteFrom('progress_messages').where('chat', '=', Number(person)).execute();
    await transaction.updateTable('ledger').set({ person: nobody() }).where('person', '=', person).execute();
  });
  await sessions.delete(person);
  await database.erased();
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
