/** What was spent and what was saved, summed up for whoever may know it. */
import type { Kysely } from 'kysely';
import type { CallKind } from '../../paid-calls.ts';
import type { Schema } from '../schema.ts';
import { accountingDay } from './accounting-day.ts';
import { CALL_PRICE_FEN, groupLimit, groupScope, type Limits, personScope } from './spending.ts';
import { utcDayBefore } from './utc-day.ts';

/** What paid calls cost, in yuan. */
export function costYuan(calls: number): number {
  return (calls * CALL_PRICE_FEN) / 100;
}

export interface Usage {
  /** Paid calls of the present UTC day and month. */
  readonly today: number;
  readonly month: number;
  /** Calls of the present UTC month that kept results saved. */
  readonly saved: number;
  /** Calls left today, Infinity without a limit. */
  readonly left: number;
  /** Calls allowed per day, Infinity without a limit. */
  readonly limit: number;
}

/** One UTC day of the whole bot. */
export interface DayStats {
  readonly day: string;
  readonly calls: Readonly<Record<CallKind, number>>;
  /** Calls that kept results saved. */
  readonly reused: number;
}

export interface Accounting {
  personUsage(person: string): Promise<Usage>;
  groupUsage(group: string): Promise<Usage>;
  /** Calls of the whole bot that cost or may have cost something in the present UTC day. */
  callsToday(): Promise<number>;
  /** The last `count` UTC days up to today, oldest first, those without a call too. */
  days(count: number): Promise<DayStats[]>;
  /** How many people and groups asked for something in the last `count` UTC days, today included. */
  visitors(count: number): Promise<{ people: number; groups: number }>;
}

export interface AccountingOptions {
  readonly database: Kysely<Schema>;
  readonly limits: Limits;
  readonly adminIds: readonly number[];
  /** ms since the epoch */
  readonly now: () => number;
}

/** Outcomes that are spent money: charged, and whatever may have been. */
const SPENT = ['begun', 'charged', 'in-doubt'] as const;

/** Reads the sums of `spending` for today, and the ledger for whatever is older or finer. */
export function createAccounting({ database, limits, adminIds, now }: AccountingOptions): Accounting {
  const usage = async (
    who: 'person' | 'chat_group',
    id: string,
    scopeOn: (day: string) => string,
    limit: number,
  ) => {
    const day = await accountingDay(database, now());
    const spent = await database
      .selectFrom('spending')
      .select('calls')
      .where('scope', '=', scopeOn(day))
      .where('day', '=', day)
      .executeTakeFirst();
    const tries = await database
      .selectFrom('ledger')
      .select(['outcome', (count) => count.fn.countAll().as('count')])
      .where(who, '=', id)
      .where('day', '>=', `${day.slice(0, 7)}-01`)
      .where('outcome', 'in', [...SPENT, 'reused'])
      .groupBy('outcome')
      .execute();
    const counted = (isMeant: (outcome: string) => boolean): number =>
      tries.filter(({ outcome }) => isMeant(outcome)).reduce((sum, { count }) => sum + Number(count), 0);
    const today = Number(spent?.calls ?? 0);
    return {
      today,
      // After /forget the ledger knows nothing of this month any more, while today's calls still count.
      month: Math.max(
        today,
        counted((outcome) => outcome !== 'reused'),
      ),
      saved: counted((outcome) => outcome === 'reused'),
      left: Math.max(0, limit - today),
      limit,
    };
  };

  return {
    personUsage: (person) => {
      const isAdmin = adminIds.some((id) => String(id) === person);
      const limit = isAdmin ? Number.POSITIVE_INFINITY : limits.callsPerUser;
      return usage('person', person, (day) => personScope(person, day), limit);
    },
    groupUsage: async (group) =>
      usage(
        'chat_group',
        group,
        () => groupScope(group),
        await groupLimit(database, group, limits.callsPerGroup),
      ),
    callsToday: async () => {
      // Not from the ledger, as `days`: that takes the longer the more calls a day has, and it is asked for every few seconds.
      const spent = await database
        .selectFrom('spending')
        .select('calls')
        .where('scope', '=', 'bot')
        .where('day', '=', await accountingDay(database, now()))
        .executeTakeFirst();
      return Number(spent?.calls ?? 0);
    },
    days: async (count) => {
      const first = utcDayBefore(now(), count - 1);
      const tries = await triesByDay(database, first);
      return Array.from({ length: count }, (_, index) => {
        const day = utcDayBefore(now(), count - 1 - index);
        const ofDay = tries.filter((row) => row.day === day);
        const sum = (isMeant: (row: (typeof ofDay)[number]) => boolean) =>
          ofDay.filter(isMeant).reduce((total, row) => total + Number(row.count), 0);
        const spent = (kind: CallKind) => sum((row) => row.kind === kind && row.outcome !== 'reused');
        return {
          day,
          calls: {
            recognition: spent('recognition'),
            translation: spent('translation'),
            speech: spent('speech'),
          },
          reused: sum((row) => row.outcome === 'reused'),
        };
      });
    },
    visitors: async (count) => {
      const row = await database
        .selectFrom('ledger')
        .select(({ fn }) => [
          fn.count('person').distinct().as('people'),
          fn.count('chat_group').distinct().as('groups'),
        ])
        .where('day', '>=', utcDayBefore(now(), count - 1))
        .executeTakeFirst();
      return { people: Number(row?.people ?? 0), groups: Number(row?.groups ?? 0) };
    },
  };
}

function triesByDay(database: Kysely<Schema>, first: string) {
  return database
    .selectFrom('ledger')
    .select(['day', 'kind', 'outcome', (count) => count.fn.countAll().as('count')])
    .where('day', '>=', first)
    .where('outcome', 'in', [...SPENT, 'reused'])
    .groupBy(['day', 'kind', 'outcome'])
    .execute();
}
