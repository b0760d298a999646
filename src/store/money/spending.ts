/** The ledger's sums: how many paid calls count on a day for each scope (scopes.ts), to be checked and raised in one step. */
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

/** The sum of one scope on a day. */
export interface Spent {
  readonly scope: string;
  readonly calls: number;
}

/** The sums of a day; none for a scope without a call. */
export function callsOn(database: Kysely<Schema>, scopes: readonly string[], day: string): Promise<Spent[]> {
  return database
    .selectFrom('spending')
    .select(['scope', 'calls'])
    .where('day', '=', day)
    .where('scope', 'in', scopes)
    .execute();
}

/** Raises the sums of a day by so many calls, and gives them; they are locked until the transaction ends. */
export function addCalls(
  transaction: Transaction<Schema>,
  scopes: readonly string[],
  day: string,
  calls: number,
): Promise<Spent[]> {
  return transaction
    .insertInto('spending')
    .values(scopes.map((scope) => ({ scope, day, calls })))
    .onConflict((conflict) =>
      conflict.columns(['scope', 'day']).doUpdateSet((row) => ({ calls: row('spending.calls', '+', calls) })),
    )
    .returning(['scope', 'calls'])
    .execute();
}

/** Lowers them by one call, which cost nothing. */
export async function takeBackCall(
  transaction: Transaction<Schema>,
  scopes: readonly string[],
  day: string,
): Promise<void> {
  await transaction
    .updateTable('spending')
    .set((row) => ({ calls: row('calls', '-', 1) }))
    .where('day', '=', day)
    .where('scope', 'in', scopes)
    .execute();
}
