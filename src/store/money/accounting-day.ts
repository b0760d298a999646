/** Which UTC day it is for money: the clock's, unless that has jumped back. */
import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { BOT_SCOPE } from './scopes.ts';
import { utcDay, utcDayBefore } from './utc-day.ts';

/**
 * The UTC day on which a call counts. A clock that jumps back must not open a day anew whose calls are spent: while the ledger
 * already knows tomorrow, tomorrow it is. A ledger further ahead than a day was written by a clock that was wrong, and is not followed.
 */
export async function accountingDay(database: Kysely<Schema>, ms: number): Promise<string> {
  const today = utcDay(ms);
  const latest = await database
    .selectFrom('spending')
    .select('day')
    .where('scope', '=', BOT_SCOPE)
    .where('day', 'in', [today, utcDayBefore(ms, -1)])
    .orderBy('day', 'desc')
    .executeTakeFirst();
  return latest?.day ?? today;
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
