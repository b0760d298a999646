/** Deletes what has had its time, so that the database does not grow for ever. */
import { inBatches } from './batches.ts';
import type { EngineDatabase } from './engine.ts';
import { PARKED_FOR_MS } from './kept/parked-updates.ts';
import type { Results } from './kept/results.ts';
import { BOT_SCOPE } from './money/scopes.ts';
import { utcDayBefore } from './money/utc-day.ts';

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
