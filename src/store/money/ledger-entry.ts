/** A paid call as the ledger holds it: entered as begun, and settled once. */
import type { Kysely, Transaction } from 'kysely';
import type { CallKind, CallOutcome } from '../../paid-calls.ts';
import type { Schema } from '../schema.ts';
import type { Asker } from './scopes.ts';
import { takeBackCall } from './spending.ts';

/** Outcomes that are spent money: charged, and whatever may have been. */
export const SPENT = ['begun', 'charged', 'in-doubt'] as const;

export interface PlannedCall {
  readonly kind: CallKind;
  /** Code points of the text; 0 for a recognition. */
  readonly characters: number;
  /** What it costs today, in fen. */
  readonly cost: number;
}

/** When a call was begun, and in which of the day's sums it counts. */
export interface Counted {
  /** ms since the epoch */
  readonly at: number;
  readonly day: string;
  readonly scopes: readonly string[];
}

export interface BegunCall extends Counted {
  readonly id: number;
  readonly cost: number;
}

/** Enters a call as begun; the sums have been raised for it already. */
export async function enterCall(
  transaction: Transaction<Schema>,
  { person, group }: Asker,
  { kind, characters, cost }: PlannedCall,
  counted: Counted,
): Promise<BegunCall> {
  const { at, day } = counted;
  const entry = { at, day, person, chat_group: group ?? null, kind, characters, cost_fen: cost };
  const { id } = await transaction
    .insertInto('ledger')
    .values({ ...entry, outcome: 'begun' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, cost, ...counted };
}

/** Enters how a call ended: once, also where it is tried again after a lost connection. A call that failed no longer counts. */
export async function settleCall(
  database: Kysely<Schema>,
  { id, cost, at, day, scopes }: BegunCall,
  outcome: CallOutcome,
): Promise<void> {
  const note = (to: Kysely<Schema>) =>
    to
      .updateTable('ledger')
      .set({ outcome })
      .where('id', '=', id)
      // A server that lost what was never committed may give the number again.
      .where('at', '=', at)
      .where('outcome', '=', 'begun')
      .executeTakeFirst();
  if (outcome !== 'failed') {
    await note(database);
    return;
  }
  await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await note(transaction);
    if (numUpdatedRows > 0n) await takeBackCall(transaction, scopes, day, cost);
  });
}
