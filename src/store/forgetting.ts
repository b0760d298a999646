/** Erases what is kept about a person (spec §6). */
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
    const nobody = `forgotten-${randomBytes(8).toString('hex')}`;
    await transaction.updateTable('ledger').set({ person: nobody }).where('person', '=', person).execute();
  });
  await sessions.delete(person);
}
