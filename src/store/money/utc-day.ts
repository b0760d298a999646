/** The days in which money is counted: UTC, since limits start again at 00:00 UTC (spec §1), unless the clock has jumped back. */
import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { BOT_SCOPE } from './scopes.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The UTC day of a time (ms since the epoch), as `2026-01-31`; days compare like strings. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The UTC day `days` before that of a time. */
export function utcDayBefore(ms: number, days: number): string {
  return utcDay(ms - days * DAY_MS);
}

/** The time until the next UTC day, in ms. */
export function msUntilNextDay(ms: number): number {
  return DAY_MS - (((ms % DAY_MS) + DAY_MS) % DAY_MS);
}

/**
 * The UTC day on which a call counts. A clock that jumps back must not reopen a day whose calls are spent: if the ledger already knows
 * tomorrow, it is tomorrow. A ledger that is more than a day ahead was written by a wrong clock and is ignored.
 */
export async function accountingDay(database: Kysely<Schema>, ms: number): Promise<string> {
  const latest = await latestDay(database, ms).executeTakeFirst();
  return latest?.day ?? utcDay(ms);
}

/** Builds a query for the later of two days that the ledger knows: the day of `ms` and the next one. No row if it knows neither. */
export function latestDay(database: Kysely<Schema>, ms: number) {
  return database
    .selectFrom('spending')
    .select('day')
    .where('scope', '=', BOT_SCOPE)
    .where('day', 'in', [utcDay(ms), utcDayBefore(ms, -1)])
    .orderBy('day', 'desc')
    .limit(1);
}

/** Gives `accountingDay`. A process that is alone caches the day, and asks only when a new one may have begun. */
export function createAccountingDay(isAlone: boolean): typeof accountingDay {
  if (!isAlone) return accountingDay;
  let known: string | undefined;
  return async (database, ms) => {
    if (known !== utcDay(ms) && known !== utcDayBefore(ms, -1)) known = await accountingDay(database, ms);
    return known;
  };
}
