/** Sums up what was spent and what was saved, for the whole bot, a person, or a group. */
import type { Kysely } from 'kysely';
import type { FailureKind } from '../../errors.ts';
import { CALL_KINDS, type CallKind } from '../../paid-calls.ts';
import type { EngineDatabase } from '../engine.ts';
import type { Schema } from '../schema.ts';
import {
  type Asker,
  BOT_SCOPE,
  type Calls,
  createScopes,
  groupLimit,
  groupScope,
  kindScope,
  type Limits,
  leftOf,
  personScope,
  scopeNames,
  spentOn,
  withQuota,
} from './scopes.ts';
import { accountingDay, utcDayBefore } from './utc-day.ts';

/** One UTC day of the whole bot. */
export interface DayStats {
  readonly day: string;
  /** Charged calls. */
  readonly calls: Readonly<Record<CallKind, number>>;
  /** Their cost, in fen. */
  readonly cost: number;
  /** Calls in doubt or still open: they may have been charged, too. */
  readonly inDoubt: Calls;
  /** Calls that kept results saved. */
  readonly reused: number;
}

/** What may still be spent today; Infinity without a limit. */
export interface LeftToday {
  readonly person: Pick<Usage, 'left' | 'limit'> | undefined;
  readonly group: Pick<Usage, 'left' | 'limit'> | undefined;
  /** The whole bot's, in fen. */
  readonly budget: number;
}

export interface Accounting {
  /** For a person, alone or in a group; admins have no limit. */
  leftToday(asker: Asker): Promise<LeftToday>;
  personUsage(person: string): Promise<Usage>;
  groupUsage(group: string): Promise<Usage>;
  /** What the whole bot has spent, or may have spent, today (UTC), in fen. */
  costToday(): Promise<number>;
  /** The last `count` UTC days including today, oldest first, also those without a call. */
  days(count: number): Promise<DayStats[]>;
  /** How many people and groups made a request in the last `count` UTC days including today. */
  visitors(count: number): Promise<{ people: number; groups: number }>;
}

interface AccountingOptions {
  readonly limits: Limits;
  /** People without a limit of their own. */
  readonly adminIds: readonly number[];
}

/** Reads today from the sums that the limits are checked against, and everything else from the ledger's daily sums. */
export function createAccounting(
  database: Pick<EngineDatabase, 'sql' | 'now'>,
  { limits, adminIds }: AccountingOptions,
): Accounting {
  const { sql, now } = database;
  const scopesOf = createScopes({ limits, adminIds });

  return {
    leftToday: async (asker) => {
      const day = await accountingDay(sql, now());
      const scopes = await withQuota(sql, scopesOf(asker, day));
      const spent = await spentOn(sql, scopeNames(scopes), day);
      const leftUntil = (failure: FailureKind) => {
        const scope = scopes.find((one) => one.failure === failure);
        if (scope === undefined) return undefined;
        const { calls, cost } = leftOf(scope, spent);
        return { left: Math.max(0, calls), limit: scope.most.calls, cost: Math.max(0, cost) };
      };
      return {
        person: leftUntil('limit-person'),
        group: leftUntil('limit-group'),
        budget: leftUntil('limit-bot')?.cost ?? Number.POSITIVE_INFINITY,
      };
    },
    personUsage: (person) => {
      const isAdmin = adminIds.some((id) => String(id) === person);
      const limit = isAdmin ? Number.POSITIVE_INFINITY : limits.callsPerUser;
      const scopeOn = (day: string) => personScope(person, day);
      return usageOf(database, { scope: person, scopeOn, limit });
    },
    groupUsage: async (group) => {
      const limit = await groupLimit(sql, group, limits.callsPerGroup);
      return usageOf(database, { scope: groupScope(group), scopeOn: () => groupScope(group), limit });
    },
    costToday: async () => {
      const [spent] = await spentOn(sql, [BOT_SCOPE], await accountingDay(sql, now()));
      return spent?.cost ?? 0;
    },
    days: async (count) => {
      const first = utcDayBefore(now(), count - 1);
      const rows = await sumsSince(sql, CALL_KINDS.map(kindScope), first)
        .select(['day', 'scope'])
        .groupBy(['day', 'scope'])
        .execute();
      return Array.from({ length: count }, (_, index) => {
        const day = utcDayBefore(now(), count - 1 - index);
        const ofDay = rows.filter((row) => row.day === day);
        const sum = (figure: keyof SumOfDays, kinds: readonly CallKind[] = CALL_KINDS) =>
          ofDay
            .filter(({ scope }) => kinds.some((kind) => scope === kindScope(kind)))
            .reduce((total, row) => total + Number(row[figure]), 0);
        return {
          day,
          calls: {
            recognition: sum('charged', ['recognition']),
            translation: sum('charged', ['translation']),
            speech: sum('charged', ['speech']),
          },
          cost: sum('charged_fen'),
          inDoubt: { calls: sum('doubtful'), cost: sum('doubtful_fen') },
          reused: sum('saved'),
        };
      });
    },
    visitors: async (count) => {
      const row = await sql
        .selectFrom('visits')
        .select(({ fn }) => [fn.sum('people').as('people'), fn.sum('groups').as('groups')])
        .where('day', '>=', utcDayBefore(now(), count - 1))
        .executeTakeFirst();
      return { people: Number(row?.people ?? 0), groups: Number(row?.groups ?? 0) };
    },
  };
}

/** Numbers of calls, and their cost in fen. */
interface SumOfDays {
  readonly charged: unknown;
  readonly charged_fen: unknown;
  readonly doubtful: unknown;
  readonly doubtful_fen: unknown;
  readonly saved: unknown;
}

/** Builds a query that sums up these scopes since a day. */
function sumsSince(database: Kysely<Schema>, scopes: readonly string[], first: string) {
  return database
    .selectFrom('daily_sums')
    .select(({ fn }) => [
      fn.sum('charged').as('charged'),
      fn.sum('charged_fen').as('charged_fen'),
      fn.sum('doubtful').as('doubtful'),
      fn.sum('doubtful_fen').as('doubtful_fen'),
      fn.sum('saved').as('saved'),
      fn.sum('saved_fen').as('saved_fen'),
    ])
    .where('scope', 'in', scopes)
    .where('day', '>=', first);
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

/** Whose usage it is. */
interface Account {
  readonly scope: string;
  scopeOn(day: string): string;
  readonly limit: number;
}

/** Throws the database's errors. */
async function usageOf(
  { sql, now }: Pick<EngineDatabase, 'sql' | 'now'>,
  { scope, scopeOn, limit }: Account,
): Promise<Usage> {
  const day = await accountingDay(sql, now());
  const [spent] = await spentOn(sql, [scopeOn(day)], day);
  const sums = await sumsSince(sql, [scope], `${day.slice(0, 7)}-01`).executeTakeFirst();
  const sum = (...figures: readonly unknown[]) =>
    figures.reduce<number>((all, one) => all + Number(one ?? 0), 0);
  const today = { calls: spent?.calls ?? 0, cost: spent?.cost ?? 0 };
  const month = {
    calls: sum(sums?.charged, sums?.doubtful),
    cost: sum(sums?.charged_fen, sums?.doubtful_fen),
  };
  return {
    today,
    // After /forget the month's sums are gone, while today's calls still count.
    month: { calls: Math.max(today.calls, month.calls), cost: Math.max(today.cost, month.cost) },
    saved: { calls: sum(sums?.saved), cost: sum(sums?.saved_fen) },
    left: Math.max(0, limit - today.calls),
    limit,
  };
}
