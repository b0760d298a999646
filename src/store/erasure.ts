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
  const { sql, soon, sessions } = database;
  // In batches: sound is overwritten, and one person may have 100,000 ledger rows. The transaction below brings all to disk.
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
  await forgetSpending(database, 'person', person);
  await forgetAdmission(sql, person);
  await sessions.delete(person);
  await database.erased();
}

/**
 * Erases a group's settings, and what an anonymous admin did in its name. Today's spending still counts. If a kill cuts it off, the next
 * call completes it.
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
  await sql.deleteFrom('groups').where('chat', '=', group).execute();
  await forgetSpending(database, 'group', group);
  await forgetPerson(database, group);
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
