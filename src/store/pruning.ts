/** Deletes what has had its time, so that the database does not grow for ever. */
import type { Kysely } from 'kysely';
import type { Results } from './results.ts';
import type { Schema } from './schema.ts';
import { utcDayBefore } from './utc-day.ts';

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
  await database.deleteFrom('ledger').where('day', '<', utcDayBefore(now, LEDGER_DAYS)).execute();
  await database
    .deleteFrom('spending')
    .where('scope', '<>', 'bot')
    .where('day', '<', utcDayBefore(now, COUNT_DAYS))
    .execute();
  const old = now - KEPT_FOR_TELEGRAM_MS;
  await database.deleteFrom('cancellations').where('requested_at', '<', old).execute();
  await database.deleteFrom('answers').where('answered_at', '<', old).execute();
  await database.deleteFrom('progress_messages').where('shown_at', '<', old).execute();
}
