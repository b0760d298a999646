/** What was spent and what was saved: summed up for the whole bot, one person, or one group. */
import type { Kysely } from 'kysely';
import type { CallKind } from '../../paid-calls.ts';
import type { EngineDatabase } from '../engine.ts';
import type { Schema } from '../schema.ts';
import { SPENT } from './ledger.ts';
import {
  BOT_SCOPE,
  type Calls,
  groupLimit,
  groupScope,
  type Limits,
  personScope,
  spentOn,
} from './scopes.ts';
import { accountingDay, utcDayBefore } from './utc-day.ts';

/** One UTC day of the whole bot. */
export interface DayStats {
  readonly day: string;
  /** Those that were charged. */
  readonly calls: Readonly<Record<CallKind, number>>;
  /** What those cost, in fen. */
  readonly cost: number;
  /** Calls that may have been charged, too: nobody knows how they ended, or they have not ended yet. */
  readonly inDoubt: Calls;
  /** Calls that kept results saved. */
  readonly reused: number;
}

export interface Accounting {
  personUsage(person: string): Promise<Usage>;
  groupUsage(group: string): Promise<Usage>;
  /** What the whole bot has spent, or may have spent, in the present UTC day, in fen. */
  costToday(): Promise<number>;
  /** The last `count` UTC days up to today, oldest first, those without a call too. */
  days(count: number): Promise<DayStats[]>;
  /** How many people and groups asked for something in the last `count` UTC days, today included. */
  visitors(count: number): Promise<{ people: number; groups: number }>;
}

interface AccountingOptions {
  readonly limits: Limits;
  /** People without a limit of their own. */
  readonly adminIds: readonly number[];
}

/** Reads the sums of `spending` for today, and the ledger for whatever is older or finer. */
export function createAccounting(
  database: Pick<EngineDatabase, 'sql' | 'now'>,
  { limits, adminIds }: AccountingOptions,
): Accounting {
  const { sql, now } = database;

  return {
    personUsage: (person) => {
      const isAdmin = adminIds.some((id) => String(id) === person);
      const limit = isAdmin ? Number.POSITIVE_INFINITY : limits.callsPerUser;
      const scopeOn = (day: string) => personScope(person, day);
      return usageOf(database, { column: 'person', id: person, scopeOn, limit });
    },
    groupUsage: async (group) => {
      const limit = await groupLimit(sql, group, limits.callsPerGroup);
      return usageOf(database, { column: 'chat_group', id: group, scopeOn: () => groupScope(group), limit });
    },
    costToday: async () => {
      // Not from the ledger, as `days`: that takes the longer the more calls a day has, and it is asked for every few seconds.
      const [spent] = await spentOn(sql, [BOT_SCOPE], await accountingDay(sql, now()));
      return spent?.cost ?? 0;
    },
    days: async (count) => {
      const first = utcDayBefore(now(), count - 1);
      const tries = await triesByDay(sql, first);
      return Array.from({ length: count }, (_, index) => {
        const day = utcDayBefore(now(), count - 1 - index);
        const ofDay = tries.filter((row) => row.day === day);
        const sum = (figure: 'calls' | 'cost', isMeant: (row: (typeof ofDay)[number]) => boolean) =>
          ofDay.filter(isMeant).reduce((total, row) => total + Number(row[figure]), 0);
        const charged = (kind: CallKind) =>
          sum('calls', (row) => row.kind === kind && row.outcome === 'charged');
        const isInDoubt = ({ outcome }: (typeof ofDay)[number]) =>
          outcome === 'in-doubt' || outcome === 'begun';
        return {
          day,
          calls: {
            recognition: charged('recognition'),
            translation: charged('translation'),
            speech: charged('speech'),
          },
          cost: sum('cost', (row) => row.outcome === 'charged'),
          inDoubt: { calls: sum('calls', isInDoubt), cost: sum('cost', isInDoubt) },
          reused: sum('calls', (row) => row.outcome === 'reused'),
        };
      });
    },
    visitors: async (count) => {
      const row = await sql
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
    .select(['day', 'kind', 'outcome'])
    .select(({ fn }) => [fn.countAll().as('calls'), fn.sum('cost_fen').as('cost')])
    .where('day', '>=', first)
    .where('outcome', 'in', [...SPENT, 'reused'])
    .groupBy(['day', 'kind', 'outcome'])
    .execute();
}

export interface Usage {
  /** Paid calls of the present UTC day and month. */
  readonly today: Calls;
  readonly month: Calls;
  /** Calls of the present UTC month that kept results saved. */
  readonly saved: Calls;
  /** Calls left today, Infinity without a limit. */
  readonly left: number;
  /** Calls allowed per day, Infinity without a limit. */
  readonly limit: number;
}

/** Whose usage it is: by which column the ledger knows them, by which scope the sums of a day, and what they may spend in one. */
interface Account {
  readonly column: 'person' | 'chat_group';
  readonly id: string;
  scopeOn(day: string): string;
  readonly limit: number;
}

/** Throws what the database throws. */
async function usageOf(
  { sql, now }: Pick<EngineDatabase, 'sql' | 'now'>,
  { column, id, scopeOn, limit }: Account,
): Promise<Usage> {
  const day = await accountingDay(sql, now());
  const [spent] = await spentOn(sql, [scopeOn(day)], day);
  const tries = await sql
    .selectFrom('ledger')
    .select('outcome')
    .select(({ fn }) => [fn.countAll().as('calls'), fn.sum('cost_fen').as('cost')])
    .where(column, '=', id)
    .where('day', '>=', `${day.slice(0, 7)}-01`)
    .where('outcome', 'in', [...SPENT, 'reused'])
    .groupBy('outcome')
    .execute();
  const sumOf = (isMeant: (outcome: string) => boolean): Calls =>
    tries
      .filter(({ outcome }) => isMeant(outcome))
      .reduce(
        (sum, { calls, cost }) => ({ calls: sum.calls + Number(calls), cost: sum.cost + Number(cost) }),
        { calls: 0, cost: 0 },
      );
  const today = { calls: spent?.calls ?? 0, cost: spent?.cost ?? 0 };
  const month = sumOf((outcome) => outcome !== 'reused');
  return {
    today,
    // After /forget the ledger knows nothing of this month any more, while today's calls still count.
    month: { calls: Math.max(today.calls, month.calls), cost: Math.max(today.cost, month.cost) },
    saved: sumOf((outcome) => outcome === 'reused'),
    left: Math.max(0, limit - today.calls),
    limit,
  };
}
