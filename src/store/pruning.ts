/** Deletes expired rows, a few at a time: one statement for all of them would block everybody. */
import { sql as statement } from 'kysely';
import { NAMES_FOR_MS } from './access/seen-names.ts';
import { inBatches, smallRowsAtOnce } from './batches.ts';
import type { EngineDatabase } from './engine.ts';
import { PARKED_FOR_MS } from './kept/parked-updates.ts';
import type { Results } from './kept/results.ts';
import { SPENDING_DAYS } from './money/spending.ts';
import { utcDayBefore } from './money/utc-day.ts';
import type { Schema } from './schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a dead letter waits for a decision, in ms. It holds people's words. */
const DEAD_LETTER_MS = 30 * DAY_MS;
/** How long a request to be let in stays open, in ms; after that, they may ask again. */
const ASKING_MS = 30 * DAY_MS;
/** How many days the ledger goes back: a year and a month, for yearly accounts. */
const LEDGER_DAYS = 400;
/** In ms: Telegram repeats an update for a day, and lets messages be edited and deleted for two. */
const KEPT_FOR_TELEGRAM_MS = 2 * DAY_MS;

/** Which rows of a table have expired: those before a time or a day, by an indexed column. */
interface Old {
  readonly table: keyof Schema;
  /** The table's primary key. */
  readonly key: readonly string[];
  readonly column: string;
  /** A day, or ms since the epoch. */
  readonly before: string | number;
  /** Only rows with this standing. */
  readonly standing?: 'asking';
}

/** The rows that have expired at `now` (ms since the epoch). */
function oldAt(now: number): readonly Old[] {
  const forTelegram = now - KEPT_FOR_TELEGRAM_MS;
  const update = ['update_id'];
  return [
    { table: 'received_updates', key: update, column: 'received_at', before: forTelegram },
    { table: 'parked_updates', key: ['id'], column: 'parked_at', before: now - PARKED_FOR_MS },
    { table: 'queued_updates', key: ['id'], column: 'set_aside_at', before: now - DEAD_LETTER_MS },
    { table: 'answers', key: ['chat', 'message'], column: 'answered_at', before: forTelegram },
    { table: 'cancellations', key: update, column: 'requested_at', before: forTelegram },
    { table: 'progress_messages', key: ['chat', 'message'], column: 'shown_at', before: forTelegram },
    { table: 'guest_answers', key: ['query'], column: 'answered_at', before: forTelegram },
    { table: 'spending', key: ['day', 'scope'], column: 'day', before: utcDayBefore(now, SPENDING_DAYS) },
    { table: 'ledger', key: ['id'], column: 'day', before: utcDayBefore(now, LEDGER_DAYS) },
    {
      table: 'access',
      key: ['subject'],
      column: 'at',
      before: now - ASKING_MS,
      standing: 'asking',
    },
    { table: 'invitations', key: ['hash'], column: 'expires_at', before: now },
    { table: 'seen_names', key: ['name'], column: 'seen_at', before: now - NAMES_FOR_MS },
  ];
}

/** Deletes everything that has expired; stops early when `signal` aborts. Throws the database's errors. */
export async function prune(
  database: Pick<EngineDatabase, 'soon' | 'now' | 'isAlone'>,
  results: Pick<Results, 'prune'>,
  signal?: AbortSignal,
): Promise<void> {
  for (const old of oldAt(database.now())) await erase(database, old, signal);
  if (!signal?.aborted) await results.prune();
}

/** Does not wait for the disk: rows that a power cut brings back go an hour later. */
async function erase(
  { soon, isAlone }: Pick<EngineDatabase, 'soon' | 'isAlone'>,
  { table, key, column, before, standing }: Old,
  signal: AbortSignal | undefined,
): Promise<void> {
  const rows = statement.table(table);
  const keys = statement.join(key.map((name) => statement.ref(name)));
  const also = standing === undefined ? statement`` : statement`and standing = ${standing}`;
  const by = statement.ref(column);
  await inBatches(async (limit) => {
    if (signal?.aborted) return { numDeletedRows: 0n };
    // Ordered by the index: otherwise a planner that expects many such rows scans the whole table.
    const { numAffectedRows = 0n } = await statement`
        delete from ${rows} where (${keys}) in (
          select ${keys} from ${rows} where ${by} < ${before} ${also} order by ${by} limit ${limit}
        )`.execute(soon);
    return { numDeletedRows: numAffectedRows };
  }, smallRowsAtOnce({ isAlone }));
}
