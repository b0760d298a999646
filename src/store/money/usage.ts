/** What one person, or one group, has caused and may still cause. */
import type { EngineDatabase } from '../engine.ts';
import { accountingDay } from './accounting-day.ts';
import { SPENT } from './ledger-entry.ts';
import { type Calls, spentOn } from './spending.ts';

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
export async function usageOf(
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
