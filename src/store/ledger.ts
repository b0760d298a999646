/** The ledger: every paid call is written down before it is made, within the limits, and settled after (spec §4). */
import { createHash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { Failure, type FailureKind } from '../errors.ts';
import { isCancellationRequested } from './cancellations.ts';
import { createLateWrites, type LateWrites } from './late-writes.ts';
import { orLedgerFailure } from './ledger-failure.ts';
import type { LedgerTable, Schema } from './schema.ts';
import { utcDay, utcDayBefore } from './utc-day.ts';

/** Who a call is for: a person, alone or in a group. */
export interface Asker {
  readonly person: string;
  readonly group: string | undefined;
}

export type CallKind = LedgerTable['kind'];
export type Settlement = 'charged' | 'failed' | 'in-doubt';

/** Paid calls per UTC day, and yuan per UTC day for the whole bot; 0 means no limit. */
export interface Limits {
  readonly callsPerUser: number;
  readonly callsPerGroup: number;
  readonly budgetYuan: number;
}

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
}

/** One call in fen, a hundredth of a yuan, so that sums stay whole (service-interface §8: 0.4 yuan). */
export const CALL_PRICE_FEN = 40;

export interface Ledger {
  /**
   * Whether this many calls more are within the limits; for telling a person before any work is done.
   * Throws `limit-person`, `limit-group` or `limit-bot`, and `ledger` when the database does not answer.
   */
  check(asker: Asker, calls: number): Promise<void>;
  /**
   * Writes a call down before it is made; resolves with what settles it, later where the database does not answer then. Limits are checked and raised in one step, whatever
   * else runs. Throws as `check` does, and `cancelled` where the person has said /cancel, to any process: then no call may be made.
   */
  begin(
    asker: Asker,
    call: { readonly kind: CallKind; readonly characters: number },
  ): Promise<(settlement: Settlement) => Promise<void>>;
  /** Notes a call that a kept result saved. */
  reuse(asker: Asker, kind: CallKind): Promise<void>;
}

interface Scope {
  readonly name: string;
  readonly maxCalls: number;
  readonly failure: FailureKind;
}

export function createLedger(options: LedgerOptions): Ledger {
  const { database, soon = database, lateWrites = createLateWrites(), limits, adminIds, now } = options;
  const admins = new Set(adminIds.map(String));

  /** Sorted, so that processes that lock several rows never wait for one another in a ring. */
  const scopesOf = async (db: Kysely<Schema>, { person, group }: Asker, day: string): Promise<Scope[]> => {
    const unlimited = admins.has(person);
    const scope = (name: string, max: number, failure: FailureKind): Scope => ({
      name,
      maxCalls: unlimited ? Number.POSITIVE_INFINITY : max,
      failure,
    });
    const budget = limits.budgetYuan > 0 ? Math.floor((limits.budgetYuan * 100) / CALL_PRICE_FEN) : 0;
    const scopes = [scope('bot', orInfinity(limits.budgetYuan, budget), 'limit-bot')];
    if (group !== undefined) {
      scopes.push(scope(groupScope(group), await groupLimit(db, group, limits.callsPerGroup), 'limit-group'));
    }
    scopes.push(
      scope(personScope(person, day), orInfinity(limits.callsPerUser, limits.callsPerUser), 'limit-person'),
    );
    return scopes;
  };

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
        refuseAbove(scopes, rows, calls);
      }),

    begin: (asker, { kind, characters }) =>
      orLedgerFailure(async () => {
        const outcome = await database.transaction().execute(async (transaction) => {
          if (await isCancellationRequested(transaction, asker.person, now())) {
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
          const above = firstAbove(scopes, rows, 0);
          if (above !== undefined) {
            // No throwing in here: what shares the connection must not be rolled back with it (see sqlite.ts).
            await addCalls(transaction, names(scopes), day, -1);
            return { refusal: limitFailure(above), call: undefined };
          }
          const { id } = await transaction
            .insertInto('ledger')
            .values({
              at: now(),
              day,
              person: asker.person,
              chat_group: asker.group ?? null,
              kind,
              characters,
              outcome: 'begun',
            })
            .returning('id')
            .executeTakeFirstOrThrow();
          return { refusal: undefined, call: { id, day, scopes: names(scopes) } };
        });
        if (outcome.call === undefined) throw outcome.refusal;
        const { call } = outcome;
        return async (settlement) => {
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

/**
 * The scope of a person for one day. It says nothing of the person once the day is over, so that /forget can leave today's
 * count standing: erasing oneself must not be a way around the limit.
 */
export function personScope(person: string, day: string): string {
  return `person:${createHash('sha256').update(`${day} ${person}`).digest('hex').slice(0, 40)}`;
}

export function groupScope(group: string): string {
  return `group:${group}`;
}

/** The calls per day that a group may cause: the bot's own limit, or less where its admins said so (/quota). */
export async function groupLimit(
  database: Kysely<Schema>,
  group: string,
  callsPerGroup: number,
): Promise<number> {
  const row = await database
    .selectFrom('groups')
    .select('daily_calls')
    .where('chat', '=', group)
    .executeTakeFirst();
  const own = row?.daily_calls ?? Number.POSITIVE_INFINITY;
  return Math.min(own, orInfinity(callsPerGroup, callsPerGroup));
}

/**
 * The UTC day on which a call counts. A clock that jumps back must not open a day anew whose calls are spent: while the ledger
 * already knows tomorrow, tomorrow it is. A ledger further ahead than a day was written by a clock that was wrong, and is not followed.
 */
export async function accountingDay(database: Kysely<Schema>, ms: number): Promise<string> {
  const today = utcDay(ms);
  const latest = await database
    .selectFrom('spending')
    .select('day')
    .where('scope', '=', 'bot')
    .where('day', 'in', [today, utcDayBefore(ms, -1)])
    .orderBy('day', 'desc')
    .executeTakeFirst();
  return latest?.day ?? today;
}

async function settle(
  database: Kysely<Schema>,
  { id, day, scopes }: { id: number; day: string; scopes: string[] },
  settlement: Settlement,
): Promise<void> {
  const note = (to: Kysely<Schema>) =>
    to
      .updateTable('ledger')
      .set({ outcome: settlement })
      .where('id', '=', id)
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

async function addCalls(
  transaction: Transaction<Schema>,
  scopes: string[],
  day: string,
  calls: number,
): Promise<void> {
  await transaction
    .updateTable('spending')
    .set((row) => ({ calls: row('calls', '+', calls) }))
    .where('day', '=', day)
    .where('scope', 'in', scopes)
    .execute();
}

function names(scopes: readonly Scope[]): string[] {
  return scopes.map(({ name }) => name);
}

function orInfinity(setting: number, max: number): number {
  return setting === 0 ? Number.POSITIVE_INFINITY : max;
}

interface Spent {
  scope: string;
  calls: number;
}

function firstAbove(scopes: readonly Scope[], rows: readonly Spent[], calls: number): Scope | undefined {
  const spent = new Map(rows.map((row) => [row.scope, Number(row.calls)]));
  return scopes.find(({ name, maxCalls }) => (spent.get(name) ?? 0) + calls > maxCalls);
}

function refuseAbove(scopes: readonly Scope[], rows: readonly Spent[], calls: number): void {
  const refusal = firstAbove(scopes, rows, calls);
  if (refusal !== undefined) throw limitFailure(refusal);
}

function limitFailure({ failure }: Scope): Failure {
  return new Failure(failure, 'no paid call is left today');
}
