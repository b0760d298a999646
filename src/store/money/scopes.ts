/** The scopes against whose limits a paid call counts, and their limits for a day (spec §4). */
import type { Kysely } from 'kysely';
import { Failure, type FailureKind } from '../../errors.ts';
import type { Schema } from '../schema.ts';
import { type Asker, BOT_SCOPE, type Calls, ownScope, type Sums } from './spending.ts';

export type { Asker };

/** Limits of a UTC day; Infinity without a limit. */
export interface Limits {
  /** Paid calls. */
  readonly callsPerUser: number;
  readonly callsPerGroup: number;
  /** Of the whole bot. */
  readonly budgetYuan: number;
}

/** For the doctor's few calls, and for tests about something else. */
export const NO_LIMITS: Limits = {
  callsPerUser: Number.POSITIVE_INFINITY,
  callsPerGroup: Number.POSITIVE_INFINITY,
  budgetYuan: Number.POSITIVE_INFINITY,
};

/** What limits depend on besides the asker. */
export interface LimitOptions {
  readonly limits: Limits;
  /** People who are counted but not limited. */
  readonly adminIds: readonly number[];
}

/** A scope on which a call counts, and its daily limits: a number of calls, and a cost in fen. */
export interface Scope {
  readonly name: string;
  readonly most: Calls;
  readonly failure: FailureKind;
}

/** Gives the scopes of a person's call that have limits: the person's, the group's, the bot's. */
export async function scopesOf(
  database: Kysely<Schema>,
  { person, group }: Asker,
  day: string,
  { limits, adminIds }: LimitOptions,
): Promise<Scope[]> {
  const isLimited = !isAdmin(person, adminIds);
  const most = (some: Partial<Calls>): Calls => ({ ...WITHOUT_END, ...(isLimited && some) });
  const scopes: Scope[] = [];
  if (person !== group) {
    const calls = limits.callsPerUser;
    scopes.push({ name: ownScope('person', person, day), failure: 'limit-person', most: most({ calls }) });
  }
  if (group !== undefined) {
    const calls = isLimited ? await groupLimit(database, group, limits) : Number.POSITIVE_INFINITY;
    scopes.push({ name: ownScope('group', group, day), failure: 'limit-group', most: most({ calls }) });
  }
  const cost = toFen(limits.budgetYuan);
  return [...scopes, { name: BOT_SCOPE, failure: 'limit-bot', most: most({ cost }) }];
}

/** The keys of the sums against which the limits of these scopes are checked. */
export function keysOf(scopes: readonly Scope[], day: string): Pick<Sums, 'day' | 'scope'>[] {
  return scopes.map(({ name }) => ({ day, scope: name }));
}

const WITHOUT_END: Calls = { calls: Number.POSITIVE_INFINITY, cost: Number.POSITIVE_INFINITY };

/** Whether no limit applies to this person. */
export function isAdmin(person: string, adminIds: readonly number[]): boolean {
  return adminIds.some((id) => String(id) === person);
}

/** Converts an amount in yuan with up to four decimals into whole fen: 0.29 gives 29, though `0.29 * 100` is less. */
export function toFen(yuan: number): number {
  return Math.floor(Math.round(yuan * 10_000) / 100);
}

/** The calls per day that a group may cause: the bot's own limit, or less if its admins said so (/quota). */
export async function groupLimit(
  database: Kysely<Schema>,
  group: string,
  { callsPerGroup }: Limits,
): Promise<number> {
  const row = await database
    .selectFrom('groups')
    .select('daily_calls')
    .where('chat', '=', group)
    .executeTakeFirst();
  return Math.min(row?.daily_calls ?? Number.POSITIVE_INFINITY, callsPerGroup);
}

/** Gives `limit-bot`, `limit-group` or `limit-person` if these calls exceed what is left. */
export function limitFailure(
  scopes: readonly Scope[],
  sums: readonly Sums[],
  { calls, cost }: Calls,
): Failure | undefined {
  for (const scope of scopes.toReversed()) {
    const left = leftOf(scope, sums);
    if (left.calls >= calls && left.cost >= cost) continue;
    // How many such calls the rest of the budget pays for.
    const affordable = cost === 0 ? left.calls : Math.floor((left.cost / cost) * calls);
    return new Failure(scope.failure, 'too few paid calls are left today', {
      calls: { left: Math.max(0, Math.min(left.calls, affordable)), limit: scope.most.calls },
    });
  }
  return undefined;
}

/** What may still be spent of a scope; below zero if it is overdrawn. */
export function leftOf({ name, most }: Scope, sums: readonly Sums[]): Calls {
  const { calls, cost } = sums.find(({ scope }) => scope === name) ?? { calls: 0, cost: 0 };
  return { calls: most.calls - calls, cost: most.cost - cost };
}

/** What the whole bot has spent today, and what one more call like the latest costs; in fen. */
export interface Spent {
  readonly spent: number;
  readonly next: number;
}

/** The whole bot's cost among the sums of a day. */
export function spentByBot(sums: readonly Sums[]): number {
  return sums.find(({ scope }) => scope === BOT_SCOPE)?.cost ?? 0;
}
