/** What was spent and saved, by the whole bot, a person, or a group. */
import { sql as statement } from 'kysely';
import type { FailureKind } from '../../errors.ts';
import { CALL_KINDS, type CallKind } from '../../paid-calls.ts';
import type { EngineDatabase } from '../engine.ts';
import { type Asker, type LimitOptions, leftOf, scopesOf, toFen, UNLIMITED } from './scopes.ts';
import {
  BOT_SCOPE,
  type Calls,
  countVisitors,
  kindScope,
  lastDays,
  ownKeys,
  type Sums,
  sumsOf,
  utcDay,
} from './spending.ts';

/** One UTC day of the whole bot. */
export interface DayStats {
  readonly day: string;
  /** Calls that were paid, or may have been paid. */
  readonly calls: Readonly<Record<CallKind, number>>;
  /** Their cost, in fen. */
  readonly cost: number;
  /** Calls in doubt: it is unknown whether they were charged. */
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
}

/** Calls left today, and allowed per day; Infinity without a limit. */
interface Left {
  readonly left: number;
  readonly limit: number;
}

/** All methods throw the database's errors. */
export class Accounting {
  readonly #database: Pick<EngineDatabase, 'sql' | 'now'>;
  readonly #options: LimitOptions;

  constructor(database: Pick<EngineDatabase, 'sql' | 'now'>, options: LimitOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** For a person, alone or in a group, and what the whole bot has left, in fen; admins have no limit. */
  async leftToday(asker: Asker): Promise<{ person: Left; group: Left; budget: number }> {
    const { sql, now } = this.#database;
    const scopes = await scopesOf(sql, asker, utcDay(now()), this.#options);
    const leftUntil = (failure: FailureKind) => {
      const scope = scopes.find((one) => one.failure === failure) ?? UNLIMITED;
      const { calls, cost } = leftOf(scope);
      return { left: Math.max(0, calls), limit: scope.most.calls, cost: Math.max(0, cost) };
    };
    const [person, group] = [leftUntil('limit-person'), leftUntil('limit-group')];
    return { person, group, budget: leftUntil('limit-bot').cost };
  }

  /** For a group as a whole. */
  async leftOfGroup(group: string): Promise<Left> {
    return (await this.leftToday({ person: group, group })).group;
  }

  async usageOf(whose: 'person' | 'group', id: string): Promise<Usage> {
    const { sql, now } = this.#database;
    const today = utcDay(now());
    const keys = ownKeys(whose, id, now()).filter(({ day }) => day.slice(0, 7) === today.slice(0, 7));
    const month = await sumsOf(sql, keys);
    const spent = (sums: readonly Sums[]) => ({ calls: total(sums, 'calls'), cost: total(sums, 'cost') });
    return {
      today: spent(month.filter(({ day }) => day === today)),
      month: spent(month),
      saved: { calls: total(month, 'saved'), cost: total(month, 'savedCost') },
    };
  }

  /** Maximum of paid calls per UTC day in a group; Infinity without a limit. */
  get callsPerGroup(): number {
    return this.#options.limits.callsPerGroup;
  }

  /** The whole bot's budget for a day, in fen; Infinity without a limit. */
  get budget(): number {
    return toFen(this.#options.limits.budgetYuan);
  }

  /** What the whole bot has spent today (UTC), calls in doubt included, in fen. */
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

  /** Counts calls in doubt by day. */
  async #inDoubtSince(first: string): Promise<ReadonlyMap<string, Calls>> {
    // The outcomes are literals: otherwise the planner does not see that the partial index has them all.
    const { rows } = await statement<Calls & { readonly day: string }>`
      select day, count(*) as calls, sum(cost_fen) as cost from ledger
      where outcome in ('begun', 'in-doubt') and day >= ${first} group by day`.execute(this.#database.sql);
    return new Map(rows.map(({ day, ...calls }) => [day, calls]));
  }
}

function total(sums: readonly Sums[], figure: 'calls' | 'cost' | 'saved' | 'savedCost'): number {
  return sums.reduce((all, one) => all + one[figure], 0);
}
