/** Erases what is kept about a person or a group when they say so (spec §6), and about everybody when it has had its time. */
import { randomBytes } from 'node:crypto';
import { inBatches } from './batches.ts';
import type { Database } from './database.ts';
import type { EngineDatabase } from './engine.ts';
import { PARKED_FOR_MS } from './kept/parked-updates.ts';
import { eraseResults, type Results } from './kept/results.ts';
import { createSoundParts, SOUND_TABLES } from './kept/sound-parts.ts';
import { BOT_SCOPE } from './money/scopes.ts';
import { utcDayBefore } from './money/utc-day.ts';

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

/** What was set aside and nobody has decided on is kept for so long, in ms: it holds people's words. */
const SET_ASIDE_MS = 30 * 24 * 60 * 60 * 1000;
/** The ledger is kept for so many days: a year and a month, for yearly accounts. */
const LEDGER_DAYS = 400;
/** A count of a day serves that day alone; one more covers clocks that jump back. */
const COUNT_DAYS = 2;
/** Telegram delivers an update for a day, and lets messages be edited and deleted for two, in ms. */
const KEPT_FOR_TELEGRAM_MS = 2 * 24 * 60 * 60 * 1000;

/**
 * Deletes results past their time, old ledger rows, counts of days that are over, and what concerns messages and updates that
 * Telegram no longer lets anybody change. Throws what the database throws.
 */
export async function prune(
  { sql, now: clock }: Pick<EngineDatabase, 'sql' | 'now'>,
  results: Pick<Results, 'prune'>,
): Promise<void> {
  const now = clock();
  await results.prune();
  await inBatches((limit) =>
    sql
      .deleteFrom('ledger')
      .where('id', 'in', (rows) =>
        rows.selectFrom('ledger').select('id').where('day', '<', utcDayBefore(now, LEDGER_DAYS)).limit(limit),
      )
      .executeTakeFirst(),
  );
  await sql
    .deleteFrom('spending')
    .where('scope', '<>', BOT_SCOPE)
    .where('day', '<', utcDayBefore(now, COUNT_DAYS))
    .execute();
  const old = now - KEPT_FOR_TELEGRAM_MS;
  await sql.deleteFrom('cancellations').where('requested_at', '<', old).execute();
  await inBatches((limit) =>
    sql
      .deleteFrom('answers')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('chat', 'message'),
          'in',
          selectFrom('answers')
            .select(['chat', 'message'])
            .where('answered_at', '<', old)
            .limit(limit)
            .$asTuple('chat', 'message'),
        ),
      )
      .executeTakeFirst(),
  );
  await sql.deleteFrom('progress_messages').where('shown_at', '<', old).execute();
  await sql
    .deleteFrom('parked_updates')
    .where('parked_at', '<', now - PARKED_FOR_MS)
    .execute();
  await sql
    .deleteFrom('queued_updates')
    .where('set_aside_at', 'is not', null)
    .where('set_aside_at', '<', now - SET_ASIDE_MS)
    .execute();
}
