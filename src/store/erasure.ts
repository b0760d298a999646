/** Erases what is kept about a person or a group when they say so (spec §6). */
import { randomBytes } from 'node:crypto';
import { forgetAdmission } from './access/admissions.ts';
import { inBatches, smallRowsAtOnce } from './batches.ts';
import type { Database } from './database.ts';
import { eraseResults } from './kept/results.ts';
import { createSoundParts, SOUND_TABLES } from './kept/sound-parts.ts';
import { groupScope } from './money/scopes.ts';

/**
 * Erases the session, the results made on the person's account, and requests that were given up or wait under a button; the
 * ledger keeps its sums, in a name that leads to no person. What was spent today still counts (see `personScope`). One that a kill has cut
 * off is made whole by the next.
 */
export async function forgetPerson(database: Database, person: string): Promise<void> {
  const { sql, soon, sessions } = database;
  // In batches: sound is overwritten as it is erased, and somebody may have a hundred thousand calls in the ledger. The transaction after
  // them brings all of it to the disk.
  await eraseResults(soon, (row) => row('person', '=', person), 'person');
  for (const table of SOUND_TABLES) {
    await createSoundParts(soon, table).erase((row) => row('person', '=', person));
  }
  await leaveLedger(database, 'person', person);
  await inBatches((limit) =>
    soon
      .deleteFrom('answers')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('chat', 'message'),
          'in',
          selectFrom('answers')
            .select(['chat', 'message'])
            .where('person', '=', person)
            .limit(limit)
            .$asTuple('chat', 'message'),
        ),
      )
      .executeTakeFirst(),
  );
  await sql.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('daily_sums').where('scope', '=', person).execute();
    await transaction.deleteFrom('parked_updates').where('person', '=', person).execute();
    await transaction
      .deleteFrom('queued_updates')
      .where('lane', '=', person)
      .where('set_aside_at', 'is not', null)
      .execute();
    await transaction.deleteFrom('cancellations').where('person', '=', person).execute();
    await transaction.deleteFrom('guest_answers').where('person', '=', person).execute();
    await transaction.deleteFrom('progress_messages').where('chat', '=', Number(person)).execute();
  });
  await forgetAdmission(sql, person);
  await sessions.delete(person);
  await database.erased();
}

/**
 * Erases the settings of a group, and what stands in its own name (an anonymous admin's). What it spent today still counts. One that a kill
 * has cut off is made whole by the next.
 */
export async function forgetGroup(database: Database, group: string): Promise<void> {
  const { sql, soon } = database;
  await inBatches((limit) =>
    soon
      .deleteFrom('answers')
      .where('chat', '=', group)
      .where('message', 'in', (rows) =>
        rows.selectFrom('answers').select('message').where('chat', '=', group).limit(limit),
      )
      .executeTakeFirst(),
  );
  await leaveLedger(database, 'chat_group', group);
  await sql.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('groups').where('chat', '=', group).execute();
    await transaction.deleteFrom('daily_sums').where('scope', '=', groupScope(group)).execute();
  });
  await forgetPerson(database, group);
}

/** Has the ledger name nobody in place of them. The daily sums are for its caller: before, a settlement would put them there anew. */
async function leaveLedger(database: Database, column: 'person' | 'chat_group', id: string): Promise<void> {
  // The triggers that keep the daily sums know the name.
  const nobody = `forgotten-${randomBytes(8).toString('hex')}`;
  await inBatches(
    (limit) =>
      database.soon
        .updateTable('ledger')
        .set({ [column]: nobody })
        .where('id', 'in', (rows) =>
          // In the order of the index: a planner that expects many such rows would look for them through the whole table.
          rows.selectFrom('ledger').select('id').where(column, '=', id).orderBy('day').limit(limit),
        )
        .executeTakeFirst(),
    smallRowsAtOnce(database),
  );
}
