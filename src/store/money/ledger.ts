/** The ledger: every paid call is entered before it is made, within the limits, and settled after it (spec §4). */
import type { Kysely, Transaction } from 'kysely';
import { Failure, isFailure } from '../../errors.ts';
import type { CallKind, CallOutcome } from '../../paid-calls.ts';
import { sleep } from '../../patience.ts';
import type { Database } from '../database.ts';
import { orDatabaseFailure } from '../database-errors.ts';
import type { EngineDatabase } from '../engine.ts';
import { isCancellationRequested } from '../kept/cancellations.ts';
import type { LateWrites } from '../late-writes.ts';
import type { Schema } from '../schema.ts';
import { balanceBlocks, type Entry, payFromBlock } from './blocks.ts';
import {
  type Asker,
  addCalls,
  BOT_SCOPE,
  type Calls,
  createScopes,
  fenIn,
  type Limits,
  limitFailure,
  names,
  type Spent,
  spentByBot,
  spentOn,
  takeBackCalls,
  without,
} from './scopes.ts';
import { createAccountingDay, utcDay } from './utc-day.ts';

/**
 * How long a success waits before it is entered, in ms: its answer goes out within a few and should have the processor to itself. Until
 * then the call reads as begun, which counts as paid, too.
 */
const CHARGED_AFTER_MS = 20;

type LedgerDatabase = Pick<EngineDatabase, 'promptly' | 'soon' | 'now' | 'isAlone'> &
  Pick<Database, 'engine'>;

interface LedgerOptions {
  /** Takes settlements that fail because the database is away. */
  readonly lateWrites: Pick<LateWrites, 'hold'>;
  readonly limits: Limits;
  /** People who are counted but not limited. */
  readonly adminIds: readonly number[];
  /** Called with the day's sum for each call that begins, and each that the budget refuses. */
  readonly onSpent?: (spent: Spent) => void;
}

export interface Ledger {
  /**
   * Checks that these further calls are within the limits, to tell a person before any work begins. Throws `limit-person`, `limit-group` or
   * `limit-bot`, and `database` when the database does not answer.
   */
  check(asker: Asker, calls: Calls): Promise<void>;
  /**
   * Enters a call before it is made; gives the function that settles it, which works later if the database is away by then. Checks and
   * raises the limits in one step. Throws like `check`, and `cancelled` if the person has said /cancel to another process: then the call
   * must not be made.
   */
  begin(asker: Asker, call: PlannedCall): Promise<(outcome: CallOutcome) => Promise<void>>;
  /** Enters a call that a kept result saved, with today's cost of it in fen. */
  reuse(asker: Asker, saved: Pick<PlannedCall, 'kind' | 'cost'>): Promise<void>;
}

/**
 * Creates a ledger that checks and raises the sums of `spending` with each call.
 *
 * It does not wait for the disk: one that stalls (half a second, on a busy host) would delay every answer. A power cut in that moment loses
 * the entry of a call, but the call's result as well; a lost settlement reads as in doubt.
 */
export function createLedger(
  { engine, promptly, soon, now, isAlone }: LedgerDatabase,
  { lateWrites, limits, adminIds, onSpent }: LedgerOptions,
): Ledger {
  const scopesOf = createScopes({ limits, adminIds });
  const budget = fenIn(limits.budgetYuan);
  const accountingDay = createAccountingDay(isAlone);

  /** Returns a refusal instead of throwing it: a rollback would undo what others have written over the same connection (see sqlite.ts). */
  const enterWithinLimits: Enter = async (transaction, asker, planned) => {
    // A process that is alone stops cancelled work itself (running-work.ts).
    if (!isAlone && (await isCancellationRequested(transaction, asker.person, now()))) {
      return new Failure('cancelled', 'the person has cancelled');
    }
    const day = await accountingDay(transaction, now());
    const scopes = await scopesOf(transaction, asker, day);
    // Raised before the comparison: this locks the rows until the end, so no two processes see the last free call.
    const own = { calls: 1, cost: planned.cost };
    const sums = await addCalls(transaction, names(scopes), day, own);
    const unspent =
      engine === 'sqlite' ? [] : await balanceBlocks(transaction, day, { spent: spentByBot(sums), budget });
    const before = sums.map((sum) =>
      (sum.scope === BOT_SCOPE ? [own, ...unspent] : [own]).reduce(without, sum),
    );
    const refusal = limitFailure(scopes, before, own);
    const spent = spentByBot(before);
    if (refusal !== undefined) {
      await takeBackCalls(transaction, names(scopes), day, own);
      if (refusal.kind === 'limit-bot') onSpent?.({ spent, next: own.cost });
      return refusal;
    }
    onSpent?.({ spent: spent + own.cost, next: own.cost });
    const at = now();
    const { id } = await transaction
      .insertInto('ledger')
      .values({ ...entryOf(asker, planned, { at, day }), outcome: 'begun' })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, cost: planned.cost, at, day, scopes: names(scopes) };
  };

  /**
   * The same without a lock that all calls share. Throws a refusal, so that nothing is raised; `limit-bot` only means that the block was
   * not enough.
   */
  const enterFromBlock: Enter = async (transaction, asker, planned) => {
    const at = now();
    const day = utcDay(at);
    const scopes = await scopesOf(transaction, asker, day);
    const { cost } = planned;
    const others = scopes.filter(({ name }) => name !== BOT_SCOPE);
    const entry = entryOf(asker, planned, { at, day });
    const { sums, id, spent } = await payFromBlock(transaction, names(others), entry, budget);
    const own = { calls: 1, cost };
    const refusal = limitFailure(
      others,
      sums.map((sum) => without(sum, own)),
      own,
    );
    if (refusal !== undefined) throw refusal;
    if (id === undefined) throw new Failure('limit-bot', 'the call cannot be paid from a block');
    onSpent?.({ spent, next: cost });
    return { id, cost, at, day, scopes: names(scopes) };
  };

  const settlementOf = (call: BegunCall) => async (outcome: CallOutcome) => {
    if (outcome === 'charged') await sleep(CHARGED_AFTER_MS);
    const settle = () => settleCall(soon, call, outcome);
    await settle().catch((error: unknown) => {
      lateWrites.hold(settle);
      throw error;
    });
  };

  return {
    check: (asker, calls) =>
      orDatabaseFailure(async () => {
        const day = await accountingDay(promptly, now());
        const scopes = await scopesOf(promptly, asker, day);
        const sums = await spentOn(promptly, names(scopes), day);
        const refusal = limitFailure(scopes, sums, calls);
        if (refusal === undefined) return;
        if (refusal.kind === 'limit-bot')
          onSpent?.({ spent: spentByBot(sums), next: calls.cost / calls.calls });
        throw refusal;
      }),

    begin: (asker, planned) =>
      orDatabaseFailure(async () => {
        let entered: BegunCall | undefined;
        const begun = (enter: Enter) =>
          promptly.transaction().execute(async (transaction) => {
            const outcome = await enter(transaction, asker, planned);
            if (!isFailure(outcome)) entered = outcome;
            return outcome;
          });
        const begin =
          engine === 'sqlite'
            ? begun(enterWithinLimits)
            : begun(enterFromBlock).catch((error: unknown) => {
                if (!isFailure(error, 'limit-bot')) throw error;
                return begun(enterWithinLimits);
              });
        const outcome = await begin.catch((error: unknown) => {
          // If the answer of a server was lost, it may have committed: a call that is never made must not count as spent.
          const call = entered;
          if (!isAlone && call !== undefined) lateWrites.hold(() => settleCall(soon, call, 'failed'));
          throw error;
        });
        if (isFailure(outcome)) throw outcome;
        return settlementOf(outcome);
      }),

    reuse: async (asker, saved) => {
      const at = now();
      const entry = entryOf(asker, { ...saved, characters: 0 }, { at, day: utcDay(at) });
      await soon
        .insertInto('ledger')
        .values({ ...entry, outcome: 'reused' })
        .execute();
    },
  };
}

interface PlannedCall {
  readonly kind: CallKind;
  /** Code points of the text; 0 for a recognition. */
  readonly characters: number;
  /** Its cost today, in fen. */
  readonly cost: number;
}

interface BegunCall {
  readonly id: number;
  readonly cost: number;
  /** ms since the epoch */
  readonly at: number;
  readonly day: string;
  /** Of the day's sums, those in which it counts. */
  readonly scopes: readonly string[];
}

/** Enters a call, or gives the reason to refuse it. */
type Enter = (
  transaction: Transaction<Schema>,
  asker: Asker,
  planned: PlannedCall,
) => Promise<BegunCall | Failure>;

/** The columns that do not change while a call runs. */
function entryOf(
  { person, group }: Asker,
  { kind, characters, cost }: PlannedCall,
  { at, day }: Pick<BegunCall, 'at' | 'day'>,
): Entry {
  return { at, day, person, chat_group: group ?? null, kind, characters, cost_fen: cost };
}

/** Settles a call, once, even if it is repeated after a lost connection. A failed call no longer counts. */
async function settleCall(
  database: Kysely<Schema>,
  { id, cost, at, day, scopes }: BegunCall,
  outcome: CallOutcome,
): Promise<void> {
  const note = (to: Kysely<Schema>) =>
    to
      .updateTable('ledger')
      .set({ outcome })
      .where('id', '=', id)
      // A server that lost an uncommitted row may give its id again.
      .where('at', '=', at)
      .where('outcome', '=', 'begun')
      .executeTakeFirst();
  if (outcome !== 'failed') {
    await note(database);
    return;
  }
  await database.transaction().execute(async (transaction) => {
    // Locks the sums before the ledger, in the order of `begin`, so that no two wait for each other.
    await takeBackCalls(transaction, scopes, day, { calls: 0, cost: 0 });
    const { numUpdatedRows } = await note(transaction);
    if (numUpdatedRows > 0n) await takeBackCalls(transaction, scopes, day, { calls: 1, cost });
  });
}
