/** The ledger's sums: how many paid calls count on a day for each scope (scopes.ts), and what they cost, to be checked and raised in one step. */
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

/** So many paid calls. */
export interface Calls {
  readonly calls: number;
  /** What they cost together, in fen: a hundredth of a yuan, so that sums stay whole. */
  readonly cost: number;
}

/** The sums of one scope on a day. */
export interface Spent extends Calls {
  readonly scope: string;
}

/** The sums of a day; none for a scope without a call. */
export function spentOn(database: Kysely<Schema>, scopes: readonly string[], day: string): Promise<Spent[]> {
  return database
    .selectFrom('spending')
    .select(['scope', 'calls', 'cost_fen as cost'])
    .where('day', '=', day)
    .where('scope', 'in', scopes)
    .execute();
}

/** Raises the sums of a day by these calls, and gives them; they are locked until the transaction ends. */
export function addCalls(
  transaction: Transaction<Schema>,
  scopes: readonly string[],
  day: string,
  { calls, cost }: Calls,
): Promise<Spent[]> {
  return transaction
    .insertInto('spending')
    .values(scopes.map((scope) => ({ scope, day, calls, cost_fen: cost })))
    .onConflict((conflict) =>
      conflict.columns(['scope', 'day']).doUpdateSet((row) => ({
        calls: row('spending.calls', '+', calls),
        cost_fen: row('spending.cost_fen', '+', cost),
      })),
    )
    .returning(['scope', 'calls', 'cost_fen as cost'])
    .execute();
}

/** Lowers them by one call that was entered at this cost, and cost nothing. */
export async function takeBackCall(
  transaction: Transaction<Schema>,
  scopes: readonly string[],
  day: string,
  cost: number,
): Promise<void> {
  await transaction
    .updateTable('spending')
    .set((row) => ({ calls: row('calls', '-', 1), cost_fen: row('cost_fen', '-', cost) }))
    .where('day', '=', day)
    .where('scope', 'in', scopes)
    .execute();
}
