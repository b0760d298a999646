/** What was spent and saved, by the whole bot, a person, or a group. */
import { sql as statement } from 'kysely';
import type { FailureKind } from '../../errors.ts';
import { CALL_KINDS, type CallKind } from '../../paid-calls.ts';
import type { EngineDatabase } from '../engine.ts';
import { type Asker, groupLimit, isAdmin, type LimitOptions, leftOf, scopesOf, toFen } from './scopes.ts';
import { BOT_SCOPE, type Calls, countVisitors, kindScope, ownKeys, type Sums, sumsOf } from './spending.ts';
import { lastDays, utcDay } from './utc-day.ts';

/** One UTC day of the whole bot. */
export interface DayStats {
  readonly day: string;
  /** Calls that were paid, or may have been. */
  readonly calls: Readonly<Record<CallKind, number>>;
  /** Their cost, in fen. */
  readonly cost: number;
  /** Those of which nobody knows whether they were charged, or not yet. */
  readonly inDoubt: Calls;
  /** Calls that kept results saved. */
  readonly saved: number;
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

/** What may still be spent today; Infinity without a limit. */
export interface LeftToday {
  readonly person: Pick<Usage, 'left' | 'limit'> | undefined;
  readonly group: Pick<Usage, 'left' | 'limit'> | undefined;
  /** The whole bot's, in fen. */
  readonly budget: number;
}

/** All methods throw the database's errors. */
export class Accounting {
  readonly #database: Pick<EngineDatabase, 'sql' | 'now'>;
  readonly #options: LimitOptions;

  constructor(database: Pick<EngineDatabase, 'sql' | 'now'>, options: LimitOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** For a person, alone or in a group; admins have no limit. */
  async leftToday(asker: Asker): Promise<LeftToday> {
    const { sql, now } = this.#database;
    const day = utcDay(now());
    const scopes = await scopesOf(sql, asker, day, this.#options);
    const leftUntil = (failure: FailureKind) => {
      const scope = scopes.find((one) => one.failure === failure);
      if (scope === undefined) return undefined;
      const { calls, cost } = leftOf(scope);
      return { left: Math.max(0, calls), limit: scope.most.calls, cost: Math.max(0, cost) };
    };
    return {
      person: leftUntil('limit-person'),
      group: leftUntil('limit-group'),
      budget: leftUntil('limit-bot')?.cost ?? Number.POSITIVE_INFINITY,
    };
  }

  personUsage(person: string): Promise<Usage> {
    const { limits, adminIds } = this.#options;
    const limit = isAdmin(person, adminIds) ? Number.POSITIVE_INFINITY : limits.callsPerUser;
    return this.#usageOf('person', person, limit);
  }

  async groupUsage(group: string): Promise<Usage> {
    const limit = await groupLimit(this.#database.sql, group, this.#options.limits);
    return this.#usageOf('group', group, limit);
  }

  /** The most paid calls per UTC day that a group may cause; Infinity without a limit. */
  get callsPerGroup(): number {
    return this.#options.limits.callsPerGroup;
  }

  /** What the whole bot may spend in a day, in fen; Infinity without a limit. */
  get budget(): number {
    return toFen(this.#options.limits.budgetYuan);
  }

  /** What the whole bot has spent, or may have spent, today (UTC), in fen. */
  async costToday(): Promise<number> {
    const { sql, now } = this.#database;
    return total(await sumsOf(sql, [{ day: utcDay(now()), scope: BOT_SCOPE }]), 'cost');
  }

  /** The last `count` UTC days including today, oldest first, also those without a call. */
  async days(count: number): Promise<DayStats[]> {
    const { sql, now } = this.#database;
    const days = lastDays(count, now()).reverse();
    const keys = days.flatMap((day) => CALL_KINDS.map((kind) => ({ day, scope: kindScope(kind) })));
    const all = await sumsOf(sql, keys);
    const doubts = await this.#inDoubtSince(days[0] ?? '');
    return days.map((day) => {
      const sums = all.filter((one) => one.day === day);
      const callsOf = (kind: CallKind) => sums.find(({ scope }) => scope === kindScope(kind))?.calls ?? 0;
      return {
        day,
        calls: {
          recognition: callsOf('recognition'),
          translation: callsOf('translation'),
          speech: callsOf('speech'),
        },
        cost: total(sums, 'cost'),
        inDoubt: doubts.get(day) ?? { calls: 0, cost: 0 },
        saved: total(sums, 'saved'),
      };
    });
  }

  /** How many people and groups have made a request today (UTC). */
  visitorsToday(): Promise<{ people: number; groups: number }> {
    const { sql, now } = this.#database;
    return countVisitors(sql, utcDay(now()));
  }

  /** By day. */
  async #inDoubtSince(first: string): Promise<ReadonlyMap<string, Calls>> {
    // The outcomes are written out: otherwise a planner does not see that the index of such entries has them all.
    const { rows } = await statement<Calls & { readonly day: string }>`
      select day, count(*) as calls, sum(cost_fen) as cost from ledger
      where outcome in ('begun', 'in-doubt') and day >= ${first} group by day`.execute(this.#database.sql);
    return new Map(rows.map(({ day, ...calls }) => [day, calls]));
  }

  async #usageOf(whose: 'person' | 'group', id: string, limit: number): Promise<Usage> {
    const { sql, now } = this.#database;
    const today = utcDay(now());
    const keys = ownKeys(whose, id, now()).filter(({ day }) => day.slice(0, 7) === today.slice(0, 7));
    const month = await sumsOf(sql, keys);
    const ofToday = month.filter(({ day }) => day === today);
    const spent = (sums: readonly Sums[]) => ({ calls: total(sums, 'calls'), cost: total(sums, 'cost') });
    const { calls, cost } = spent(ofToday);
    return {
      today: { calls, cost },
      month: spent(month),
      saved: { calls: total(month, 'saved'), cost: total(month, 'savedCost') },
      left: Math.max(0, limit - calls),
      limit,
    };
  }
}

function total(sums: readonly Sums[], figure: 'calls' | 'cost' | 'saved' | 'savedCost'): number {
  return sums.reduce((all, one) => all + one[figure], 0);
}
