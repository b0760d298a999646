/** Erases everything about a person (/forget) or a group (spec §6). */
import { randomBytes } from 'node:crypto';
import { forgetAdmission } from './access/admissions.ts';
import { inBatches, smallRowsAtOnce } from './batches.ts';
import type { Database } from './database.ts';
import { eraseResults } from './kept/results.ts';
import { createSoundParts, SOUND_TABLES } from './kept/sound-parts.ts';
import { forgetSpending } from './money/spending.ts';

/**
 * Erases the session, the results on the person's account, parked requests and dead letters; the ledger keeps its sums under a random name.
 * Today's spending still counts (see `ownScope`). If a kill cuts it off, the next /forget completes it.
 */
export async function forgetPerson(database: Database, person: string): Promise<void> {
  const { sql, sessions } = database;
  // In batches: sound is overwritten, and one person may have 100,000 ledger rows. The transaction below brings all to disk.
  await forgetResults(database, person);
  await leaveLedger(database, 'person', person);
  await eraseRequests(database, 'lane', person);
  await forgetSpending(database, 'person', person);
  await forgetAdmission(sql, person);
  await sessions.delete(person);
  await database.erased();
}

/** Erases the results on the person's account. */
export async function forgetResults({ soon }: Pick<Database, 'soon'>, person: string): Promise<void> {
  // The claim of a call under way stays, or others would buy the same; its result will be nobody's.
  await soon
    .updateTable('results')
    .set({ person: '' })
    .where('person', '=', person)
    .where('process', 'is not', null)
    .execute();
  await eraseResults(soon, (row) => row('person', '=', person), 'person');
  for (const table of SOUND_TABLES) {
    await createSoundParts(soon, table).erase((row) => row('person', '=', person));
  }
}

/**
 * Erases a group's settings, and what an anonymous admin did in its name. Today's spending still counts. If a kill cuts it off, the next
 * call completes it.
 */
export async function forgetGroup(database: Database, group: string): Promise<void> {
  const { sql } = database;
  await eraseRequests(database, 'chat', Number(group));
  await leaveLedger(database, 'chat_group', group);
  await sql.deleteFrom('groups').where('chat', '=', group).execute();
  await forgetSpending(database, 'group', group);
  await forgetPerson(database, group);
}

/** Erases requests, except those that wait for their turn: what is still owed. */
async function eraseRequests(
  { soon }: Pick<Database, 'soon'>,
  column: 'lane' | 'chat',
  id: string | number,
): Promise<void> {
  await inBatches((limit) =>
    soon
      .deleteFrom('requests')
      .where('id', 'in', (rows) =>
        rows
          .selectFrom('requests')
          .select('id')
          .where(column, '=', id)
          .where('state', '<>', 'waiting')
          .limit(limit),
      )
      .executeTakeFirst(),
  );
}

/** Gives their ledger rows a random name. */
async function leaveLedger(database: Database, column: 'person' | 'chat_group', id: string): Promise<void> {
  const nobody = `forgotten-${randomBytes(8).toString('hex')}`;
  await inBatches(
    (limit) =>
      database.soon
        .updateTable('ledger')
        .set({ [column]: nobody })
        .where('id', 'in', (rows) =>
          // Ordered by the index: otherwise a planner that expects many such rows scans the whole table.
          rows.selectFrom('ledger').select('id').where(column, '=', id).orderBy('day').limit(limit),
        )
        .executeTakeFirst(),
    smallRowsAtOnce(database),
  );
}
