/** Deletes expired rows, a few at a time: one statement for all of them would block everybody. */
import { sql as statement } from 'kysely';
import { NAMES_FOR_MS } from './access/seen-names.ts';
import { inBatches, smallRowsAtOnce } from './batches.ts';
import type { EngineDatabase } from './engine.ts';
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
  /** Only rows in this state, or with this standing. */
  readonly state?: 'asking' | 'done' | 'dead';
}

/** The rows that have expired at `now` (ms since the epoch). */
function oldAt(now: number): readonly Old[] {
  const forTelegram = now - KEPT_FOR_TELEGRAM_MS;
  return [
    { table: 'requests', key: ['id'], column: 'at', before: forTelegram, state: 'done' },
    { table: 'requests', key: ['id'], column: 'at', before: now - DEAD_LETTER_MS, state: 'dead' },
    { table: 'spending', key: ['day', 'scope'], column: 'day', before: utcDayBefore(now, SPENDING_DAYS) },
    { table: 'ledger', key: ['id'], column: 'day', before: utcDayBefore(now, LEDGER_DAYS) },
    {
      table: 'access',
      key: ['subject'],
      column: 'at',
      before: now - ASKING_MS,
      state: 'asking',
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
  await endParked(database, signal);
  for (const old of oldAt(database.now())) await erase(database, old, signal);
  if (!signal?.aborted) await results.prune();
}

/** How long a request waits under its button, in ms. */
const PARKED_FOR_MS = DAY_MS;

/** Ends requests that their person has not repeated: without their bodies they only tell an edit of their answers. */
async function endParked(
  { soon, now, isAlone }: Pick<EngineDatabase, 'soon' | 'now' | 'isAlone'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const state of ['asked', 'parked'] as const) {
    await inBatches(async (limit) => {
      if (signal?.aborted) return { numUpdatedRows: 0n };
      return soon
        .updateTable('requests')
        .set({ state: 'done', body: null })
        .where('id', 'in', (rows) =>
          rows
            .selectFrom('requests')
            .select('id')
            .where('state', '=', state)
            .where('at', '<', now() - PARKED_FOR_MS)
            .orderBy('at')
            .limit(limit),
        )
        .executeTakeFirst();
    }, smallRowsAtOnce({ isAlone }));
  }
}

/** Does not wait for the disk: rows that a power cut brings back go an hour later. */
async function erase(
  { soon, isAlone }: Pick<EngineDatabase, 'soon' | 'isAlone'>,
  { table, key, column, before, state }: Old,
  signal: AbortSignal | undefined,
): Promise<void> {
  const rows = statement.table(table);
  const keys = statement.join(key.map((name) => statement.ref(name)));
  const named = statement.ref(table === 'access' ? 'standing' : 'state');
  const also = state === undefined ? statement`` : statement`and ${named} = ${state}`;
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
