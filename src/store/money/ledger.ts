/** The ledger: every paid call is written down before it is made, within the limits, and settled after (spec §4). */
import type { Kysely } from 'kysely';
import { Failure } from '../../errors.ts';
import type { CallKind, CallOutcome } from '../../paid-calls.ts';
import { sleep } from '../../sleep.ts';
import { isCancellationRequested } from '../kept/cancellations.ts';
import { createLateWrites, type LateWrites } from '../late-writes.ts';
import { orLedgerFailure } from '../ledger-failure.ts';
import type { Schema } from '../schema.ts';
import { createAccountingDay } from './accounting-day.ts';
import { type Asker, addCalls, createScopes, type Limits, limitFailure, names } from './spending.ts';
import { utcDay } from './utc-day.ts';

/**
 * When a success is written down, in ms: the answer that it brought goes out in a few, and does not share the processor with this.
 * Until then it reads as begun, which counts as paid, too.
 */
const CHARGED_AFTER_MS = 20;

export interface LedgerOptions {
  readonly database: Kysely<Schema>;
  /** The same, for what need not wait for the disk: how a call ended (lost, it reads as in doubt), and that one was saved. */
  readonly soon?: Kysely<Schema>;
  /** Takes the settlements that find no database. */
  readonly lateWrites?: LateWrites;
  readonly limits: Limits;
  /** People who are counted but not limited. */
  readonly adminIds: readonly number[];
  /** ms since the epoch */
  readonly now: () => number;
  /** True where no other process writes in this database: what was cancelled and which day it is, it knows without looking. */
  readonly isAlone?: boolean;
}

export interface Ledger {
  /**
   * Whether this many calls more are within the limits; for telling a person before any work is done.
   * Throws `limit-person`, `limit-group` or `limit-bot`, and `ledger` when the database does not answer.
   */
  check(asker: Asker, calls: number): Promise<void>;
  /**
   * Writes a call down before it is made; resolves with what settles it, later where the database does not answer then.
   * Limits are checked and raised in one step, whatever else runs. Throws as `check` does, and `cancelled` where the person has
   * said /cancel to another process: then no call may be made.
   */
  begin(
    asker: Asker,
    call: { readonly kind: CallKind; readonly characters: number },
  ): Promise<(settlement: CallOutcome) => Promise<void>>;
  /** Notes a call that a kept result saved. */
  reuse(asker: Asker, kind: CallKind): Promise<void>;
}

/** A ledger that checks and raises the sums of `spending` with each call. */
export function createLedger(options: LedgerOptions): Ledger {
  const {
    database,
    soon = database,
    lateWrites = createLateWrites(),
    limits,
    adminIds,
    now,
    isAlone = false,
  } = options;
  const scopesOf = createScopes({ limits, adminIds });
  const accountingDay = createAccountingDay(isAlone);

  return {
    check: (asker, calls) =>
      orLedgerFailure(async () => {
        const day = await accountingDay(database, now());
        const scopes = await scopesOf(database, asker, day);
        const rows = await database
          .selectFrom('spending')
          .select(['scope', 'calls'])
          .where('day', '=', day)
          .where('scope', 'in', names(scopes))
          .execute();
        const refusal = limitFailure(scopes, rows, calls);
        if (refusal !== undefined) throw refusal;
      }),

    begin: (asker, { kind, characters }) =>
      orLedgerFailure(async () => {
        let written: WrittenCall | undefined;
        const begin = database.transaction().execute(async (transaction) => {
          if (!isAlone && (await isCancellationRequested(transaction, asker.person, now()))) {
            return { refusal: new Failure('cancelled', 'the person has cancelled'), call: undefined };
          }
          const day = await accountingDay(transaction, now());
          const scopes = await scopesOf(transaction, asker, day);
          // Raised before it is compared: that locks the rows until the end, so that no two processes see the last free call.
          const rows = await transaction
            .insertInto('spending')
            .values(scopes.map(({ name }) => ({ scope: name, day, calls: 1 })))
            .onConflict((conflict) =>
              conflict
                .columns(['scope', 'day'])
                .doUpdateSet((row) => ({ calls: row('spending.calls', '+', 1) })),
            )
            .returning(['scope', 'calls'])
            .execute();
          const refusal = limitFailure(scopes, rows, 0);
          if (refusal !== undefined) {
            // No throwing in here: what shares the connection must not be rolled back with it (see sqlite.ts).
            await addCalls(transaction, names(scopes), day, -1);
            return { refusal, call: undefined };
          }
          const at = now();
          const { id } = await transaction
            .insertInto('ledger')
            .values({
              at,
              day,
              person: asker.person,
              chat_group: asker.group ?? null,
              kind,
              characters,
              outcome: 'begun',
            })
            .returning('id')
            .executeTakeFirstOrThrow();
          written = { id, at, day, scopes: names(scopes) };
          return { refusal: undefined, call: written };
        });
        const outcome = await begin.catch((error: unknown) => {
          // Of a server whose answer got lost nobody knows whether it has committed: what is never called must not count as spent.
          const call = written;
          if (!isAlone && call !== undefined) lateWrites.hold(() => settle(soon, call, 'failed'));
          throw error;
        });
        if (outcome.call === undefined) throw outcome.refusal;
        const { call } = outcome;
        return async (settlement) => {
          if (settlement === 'charged') await sleep(CHARGED_AFTER_MS);
          const write = () => settle(soon, call, settlement);
          await write().catch((error: unknown) => {
            lateWrites.hold(write);
            throw error;
          });
        };
      }),

    reuse: async ({ person, group }, kind) => {
      const at = now();
      await soon
        .insertInto('ledger')
        .values({
          at,
          day: utcDay(at),
          person,
          chat_group: group ?? null,
          kind,
          characters: 0,
          outcome: 'reused',
        })
        .execute();
    },
  };
}

interface WrittenCall {
  readonly id: number;
  readonly at: number;
  readonly day: string;
  readonly scopes: string[];
}

async function settle(
  database: Kysely<Schema>,
  { id, at, day, scopes }: WrittenCall,
  settlement: CallOutcome,
): Promise<void> {
  const note = (to: Kysely<Schema>) =>
    to
      .updateTable('ledger')
      .set({ outcome: settlement })
      .where('id', '=', id)
      // A server that lost what was never committed may give the number again.
      .where('at', '=', at)
      // Settled once, though it be written again after a connection was lost.
      .where('outcome', '=', 'begun')
      .executeTakeFirst();
  if (settlement !== 'failed') {
    await note(database);
    return;
  }
  await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await note(transaction);
    if (numUpdatedRows > 0n) await addCalls(transaction, scopes, day, -1);
  });
}
