/** What was spent and what was saved, summed up for whoever may know it. */
import type { Kysely } from 'kysely';
import {
  type Asker,
  accountingDay,
  CALL_PRICE_FEN,
  type CallKind,
  groupLimit,
  groupScope,
  type Limits,
  personScope,
} from './ledger.ts';
import type { Schema } from './schema.ts';
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

export function createAccounting({ database, limits, adminIds, now }: AccountingOptions): Accounting {
  const usage = async (
    scope: string,
    who: Partial<Record<keyof Asker, string>>,
    limit: number,
  ): Promise<Usage> => {
    const day = await accountingDay(database, now());
    const firstOfMonth = `${day.slice(0, 7)}-01`;
    const rows = await database
      .selectFrom('spending')
      .select(['day', 'calls'])
      .where('scope', '=', scope)
      .where('day', '>=', firstOfMonth)
      .execute();
    const reused = await database
      .selectFrom('ledger')
      .select((count) => count.fn.countAll().as('count'))
      .where(who.group === undefined ? 'person' : 'chat_group', '=', who.group ?? who.person ?? '')
      .where('day', '>=', firstOfMonth)
      .where('outcome', '=', 'reused')
      .executeTakeFirst();
    const today = Number(rows.find((row) => row.day === day)?.calls ?? 0);
    return {
      today,
      month: rows.reduce((sum, { calls }) => sum + Number(calls), 0),
      saved: Number(reused?.count ?? 0),
      left: Math.max(0, limit - today),
      limit,
    };
  };

  return {
    personUsage: (person) => {
      const isLimited = limits.callsPerUser > 0 && !adminIds.some((id) => String(id) === person);
      return usage(
        personScope(person),
        { person },
        isLimited ? limits.callsPerUser : Number.POSITIVE_INFINITY,
      );
    },
    groupUsage: async (group) =>
      usage(groupScope(group), { group }, await groupLimit(database, group, limits.callsPerGroup)),
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
