/** Deletes what has had its time, so that the database does not grow for ever. */
import type { Kysely } from 'kysely';
import { inBatches } from './batches.ts';
import { PARKED_FOR_MS } from './kept/parked-updates.ts';
import type { Results } from './kept/results.ts';
import { utcDayBefore } from './money/utc-day.ts';
import type { Schema } from './schema.ts';

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
 * Telegram no longer lets anybody change. `now` is ms since the epoch.
 */
export async function prune(database: Kysely<Schema>, results: Results, now: number): Promise<void> {
  await results.prune();
  await inBatches((limit) =>
    database
      .deleteFrom('ledger')
      .where('id', 'in', (rows) =>
        rows.selectFrom('ledger').select('id').where('day', '<', utcDayBefore(now, LEDGER_DAYS)).limit(limit),
      )
      .executeTakeFirst(),
  );
  await database
    .deleteFrom('spending')
    .where('scope', '<>', 'bot')
    .where('day', '<', utcDayBefore(now, COUNT_DAYS))
    .execute();
  const old = now - KEPT_FOR_TELEGRAM_MS;
  await database.deleteFrom('cancellations').where('requested_at', '<', old).execute();
  await inBatches((limit) =>
    database
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
  await database.deleteFrom('progress_messages').where('shown_at', '<', old).execute();
  await database
    .deleteFrom('parked_updates')
    .where('parked_at', '<', now - PARKED_FOR_MS)
    .execute();
  await database
    .deleteFrom('queued_updates')
    .where('set_aside_at', 'is not', null)
    .where('set_aside_at', '<', now - SET_ASIDE_MS)
    .execute();
}
