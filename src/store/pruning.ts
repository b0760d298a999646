/** Deletes what has had its time, so that the database does not grow for ever. */
import type { Kysely } from 'kysely';
import type { Results } from './results.ts';
import type { Schema } from './schema.ts';
import { utcDayBefore } from './utc-day.ts';

/** The ledger is kept for so many days: a year and a month, for yearly accounts. */
const LEDGER_DAYS = 400;
/** A person's count of a day serves that day alone; one more covers clocks that jump back. */
const PERSON_COUNT_DAYS = 2;

/** Deletes results past their time, old ledger rows, and persons' counts of days that are over. `now` is ms since the epoch. */
export async function prune(database: Kysely<Schema>, results: Results, now: number): Promise<void> {
  await results.prune();
  await database.deleteFrom('ledger').where('day', '<', utcDayBefore(now, LEDGER_DAYS)).execute();
  await database
    .deleteFrom('spending')
    .where('scope', 'like', 'person:%')
    .where('day', '<', utcDayBefore(now, PERSON_COUNT_DAYS))
    .execute();
}
