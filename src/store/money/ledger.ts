/** The ledger: every paid call is entered before it is made, within the limits, and settled after it (spec §4). */
import { type Kysely, sql, type Transaction } from 'kysely';
import PQueue from 'p-queue';
import { Failure, isFailure } from '../../errors.ts';
import type { CallKind, CallOutcome } from '../../paid-calls.ts';
import { sleep } from '../../patience.ts';
import type { Database } from '../database.ts';
import { orDatabaseFailure } from '../database-errors.ts';
import type { EngineDatabase } from '../engine.ts';
import { isCancellationRequested } from '../kept/cancellations.ts';
import type { LateWrites } from '../late-writes.ts';
import type { Schema } from '../schema.ts';
import { balanceBlocks, ENTRY_COLUMNS, type Entry, entryValues, payFromBlock } from './blocks.ts';
import {
  type Asker,
  addCalls,
  BOT_SCOPE,
  type Calls,
  createScopes,
  type Limits,
  limitFailure,
  type Spent,
  scopeNames,
  spentByBot,
  spentOn,
  subtract,
  takeBackCalls,
  toFen,
  withQuota,
} from './scopes.ts';
import { createAccountingDay, utcDay } from './utc-day.ts';

/**
 * How long a success waits before it is entered, in ms: its answer goes out within a few and should have the processor to itself. Until
 * then the call reads as begun, which counts as paid, too.
 */
const CHARGED_AFTER_MS = 20;

/** Between the times of two calls that lie apart by more than so many ms, the clock was set. */
const CLOCK_STEP_MS = 1000;

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
  const budget = toFen(limits.budgetYuan);
  const accountingDay = createAccountingDay(isAlone);

  /** Returns a refusal instead of throwing it: an error means that the entry is in doubt (see `begin`). */
  const enterWithinLimits = async (
    transaction: Transaction<Schema>,
    asker: Asker,
    planned: PlannedCall,
    at: number,
  ): Promise<BegunCall | Failure> => {
    // A process that is alone stops cancelled work itself (running-work.ts).
    if (!isAlone && (await isCancellationRequested(transaction, asker.person, now()))) {
      return new Failure('cancelled', 'the person has cancelled');
    }
    const day = await accountingDay(transaction, now());
    const scopes = await withQuota(transaction, scopesOf(asker, day));
    // Raised before the comparison: this locks the rows until the end, so no two processes see the last free call.
    const own = { calls: 1, cost: planned.cost };
    const sums = await addCalls(transaction, scopeNames(scopes), day, own);
    const unspent =
      engine === 'sqlite' ? [] : await balanceBlocks(transaction, day, { spent: spentByBot(sums), budget });
    const before = sums.map((sum) =>
      (sum.scope === BOT_SCOPE ? [own, ...unspent] : [own]).reduce(subtract, sum),
    );
    const refusal = limitFailure(scopes, before, own);
    const spent = spentByBot(before);
    if (refusal !== undefined) {
      await takeBackCalls(transaction, scopeNames(scopes), day, own);
      if (refusal.kind === 'limit-bot') onSpent?.({ spent, next: own.cost });
      return refusal;
    }
    onSpent?.({ spent: spent + own.cost, next: own.cost });
    const entry = entryOf(asker, planned, { at, day });
    const { rows } = await sql<Pick<BegunCall, 'id'>>`
      insert into ledger (${ENTRY_COLUMNS}, outcome) values (${entryValues(entry)}, 'begun') returning id`.execute(
      transaction,
    );
    const [entered] = rows;
    if (entered === undefined) throw new Error('the database gave no id');
    return { id: entered.id, at, day, cost: planned.cost, scopes: scopeNames(scopes) };
  };

  /** One call after another: on the server, waiting for another's block takes several times as long as the call itself. */
  const turns = new PQueue({ concurrency: 1 });
  /**
   * The calls that find no block that pays, as all do when a day begins: one after another, so that the first sets a block aside and the
   * others find it. All at once they would wait for seconds in line for the bot's row.
   */
  const refused = new PQueue({ concurrency: 1 });
  /** The same without a lock that all calls share; `undefined` if only the other way can tell. */
  const enterFromBlock = async (
    asker: Asker,
    planned: PlannedCall,
    at: number,
  ): Promise<BegunCall | undefined> => {
    const day = utcDay(now());
    const scopes = scopesOf(asker, day);
    const { cost } = planned;
    const others = scopes.filter(({ name }) => name !== BOT_SCOPE);
    const entered = await turns.add(() =>
      payFromBlock(promptly, others, entryOf(asker, planned, { at, day }), budget),
    );
    if (entered === undefined) return undefined;
    onSpent?.({ spent: entered.spent, next: cost });
    return { id: entered.id, cost, at, day, scopes: scopeNames(scopes) };
  };

  /** No two calls of this process have the same: one whose entry is in doubt is found by it. */
  let enteredAt = 0;
  const nextEntryAt = (): number => {
    const at = now();
    // A clock that was far ahead is not followed.
    enteredAt = Math.abs(enteredAt - at) > CLOCK_STEP_MS ? at : Math.max(at, enteredAt + 1);
    return enteredAt;
  };

  /** A server whose answer got lost may or may not have entered the call; it is never made, and must not count as spent. */
  const takeBackInDoubt = async (asker: Asker, at: number): Promise<void> => {
    const entered = await soon
      .selectFrom('ledger')
      .select(['id', 'day', 'cost_fen as cost'])
      .where('person', '=', asker.person)
      .where('at', '=', at)
      .where('outcome', '=', 'begun')
      .executeTakeFirst();
    if (entered === undefined) return;
    await settleCall(soon, { ...entered, at, scopes: scopeNames(scopesOf(asker, entered.day)) }, 'failed');
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
        const scopes = await withQuota(promptly, scopesOf(asker, day));
        const sums = await spentOn(promptly, scopeNames(scopes), day);
        const refusal = limitFailure(scopes, sums, calls);
        if (refusal === undefined) return;
        if (refusal.kind === 'limit-bot')
          onSpent?.({ spent: spentByBot(sums), next: calls.cost / calls.calls });
        throw refusal;
      }),

    begin: (asker, planned) =>
      orDatabaseFailure(async () => {
        const at = nextEntryAt();
        const fromBlock = () => enterFromBlock(asker, planned, at);
        const fromBudget = () =>
          promptly.transaction().execute((transaction) => enterWithinLimits(transaction, asker, planned, at));
        const enter = async () => {
          if (engine === 'sqlite') return fromBudget();
          return (await fromBlock()) ?? refused.add(async () => (await fromBlock()) ?? fromBudget());
        };
        const outcome = await enter().catch((error: unknown) => {
          if (!isAlone) lateWrites.hold(() => takeBackInDoubt(asker, at));
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
  // By its time, too: a server that lost an uncommitted row may give its id again.
  const note = (to: Kysely<Schema>) =>
    sql`update ledger set outcome = ${outcome} where id = ${id} and at = ${at} and outcome = 'begun'`.execute(
      to,
    );
  if (outcome !== 'failed') {
    await note(database);
    return;
  }
  await database.transaction().execute(async (transaction) => {
    // Locks the sums before the ledger, in the order of `begin`, so that no two wait for each other.
    await takeBackCalls(transaction, scopes, day, { calls: 0, cost: 0 });
    const { numAffectedRows = 0n } = await note(transaction);
    if (numAffectedRows > 0n) await takeBackCalls(transaction, scopes, day, { calls: 1, cost });
  });
}
