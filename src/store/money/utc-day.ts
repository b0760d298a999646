/** The days by which money is counted: UTC, as limits start again at 00:00 UTC (spec §1), unless the clock has jumped back. */
import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { BOT_SCOPE } from './scopes.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The UTC day of a time (ms since the epoch), as `2026-01-31`: days compare as texts do. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The UTC day `days` before that of a time. */
export function utcDayBefore(ms: number, days: number): string {
  return utcDay(ms - days * DAY_MS);
}

/** How long until the next UTC day begins, in ms. */
export function msUntilNextDay(ms: number): number {
  return DAY_MS - (((ms % DAY_MS) + DAY_MS) % DAY_MS);
}

/**
 * The UTC day on which a call counts. A clock that jumps back must not open a day anew whose calls are spent: while the ledger
 * already knows tomorrow, tomorrow it is. A ledger further ahead than a day was written by a clock that was wrong, and is not followed.
 */
export async function accountingDay(database: Kysely<Schema>, ms: number): Promise<string> {
  const latest = await latestDay(database, ms).executeTakeFirst();
  return latest?.day ?? utcDay(ms);
}

/** A query for the day of a time or the one after it, the later of the two that the ledger knows; no row where it knows neither. */
export function latestDay(database: Kysely<Schema>, ms: number) {
  return database
    .selectFrom('spending')
    .select('day')
    .where('scope', '=', BOT_SCOPE)
    .where('day', 'in', [utcDay(ms), utcDayBefore(ms, -1)])
    .orderBy('day', 'desc')
    .limit(1);
}

/**
 * Gives `accountingDay`. A process that is alone (no other writes in this database) looks only when a new day may have begun:
 * until then it knows.
 */
export function createAccountingDay(isAlone: boolean): typeof accountingDay {
  if (!isAlone) return accountingDay;
  let known: string | undefined;
  return async (database, ms) => {
    if (known !== utcDay(ms) && known !== utcDayBefore(ms, -1)) known = await accountingDay(database, ms);
    return known;
  };
}
