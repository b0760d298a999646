/** The scopes against whose limits a paid call counts, and their limits for a day (spec §4). */
import { type Kysely, sql } from 'kysely';
import { Failure, type FailureKind } from '../../errors.ts';
import type { Schema } from '../schema.ts';
import { BOT_SCOPE, type Calls, ownScope } from './spending.ts';

/** The person a call is for, alone or in a group; if a message has no person, the chat's own id in both (spec §2, Groups). */
export interface Asker {
  readonly person: string;
  readonly group: string | undefined;
}

/** Limits of a UTC day; Infinity without a limit. */
export interface Limits {
  /** Paid calls. */
  readonly callsPerUser: number;
  readonly callsPerGroup: number;
  /** Of the whole bot. */
  readonly budgetYuan: number;
}

/** For the doctor's few calls, and for tests of other things. */
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

/** A scope in which a call counts, with its limits for a day and what was spent: a number of calls, and a cost in fen. */
export interface Scope {
  readonly name: string;
  readonly failure: FailureKind;
  readonly most: Calls;
  readonly spent: Calls;
}

/**
 * The scopes of a call's person and group, in the order in which everybody locks them. The call of a channel or an anonymous admin has no
 * person, and counts for its chat alone.
 */
export function ownScopes({ person, group }: Asker, day: string): string[] {
  return [
    ...(person === group ? [] : [ownScope('person', person, day)]),
    ...(group === undefined ? [] : [ownScope('group', group, day)]),
  ];
}

/** Reads the scopes of a person's call that have limits: the person's, the group's, the bot's. */
export async function scopesOf(
  database: Kysely<Schema>,
  asker: Asker,
  day: string,
  { limits, adminIds }: LimitOptions,
): Promise<Scope[]> {
  const names = [...ownScopes(asker, day), BOT_SCOPE];
  const { rows } = await sql<Calls & { scope: string; quota: number | null }>`
    with scopes (scope) as (values ${sql.join(names.map((name) => sql`(${name})`))})
    select scopes.scope, coalesce(calls, 0) as calls, coalesce(cost_fen, 0) as cost,
      (select daily_calls from groups where chat = ${asker.group ?? null}) as quota
    from scopes left join spending on day = ${day} and spending.scope = scopes.scope`.execute(database);
  const isLimited = !adminIds.some((id) => String(id) === asker.person);
  const most = (some: Partial<Calls>): Calls => ({ ...WITHOUT_END, ...(isLimited && some) });
  return rows.map(({ scope: name, quota, ...spent }) => {
    if (name === BOT_SCOPE) {
      return { name, failure: 'limit-bot', most: most({ cost: toFen(limits.budgetYuan) }), spent };
    }
    if (name.startsWith('group:')) {
      // The group's admins may allow less (/quota).
      const calls = Math.min(quota ?? Number.POSITIVE_INFINITY, limits.callsPerGroup);
      return { name, failure: 'limit-group', most: most({ calls }), spent };
    }
    return { name, failure: 'limit-person', most: most({ calls: limits.callsPerUser }), spent };
  });
}

const WITHOUT_END: Calls = { calls: Number.POSITIVE_INFINITY, cost: Number.POSITIVE_INFINITY };
/** What is no scope of a call limits it as this does. */
export const UNLIMITED: Pick<Scope, 'most' | 'spent'> = { most: WITHOUT_END, spent: { calls: 0, cost: 0 } };

/** Converts an amount in yuan with up to four decimals into whole fen: 0.29 gives 29, though `0.29 * 100` is less. */
export function toFen(yuan: number): number {
  return Math.floor(Math.round(yuan * 10_000) / 100);
}

/** Returns `limit-bot`, `limit-group` or `limit-person`, the first of them, if these calls exceed what is left of a scope. */
export function limitFailure(scopes: readonly Scope[], { calls, cost }: Calls): Failure | undefined {
  const order: readonly FailureKind[] = ['limit-bot', 'limit-group', 'limit-person'];
  for (const scope of scopes.toSorted((a, b) => order.indexOf(a.failure) - order.indexOf(b.failure))) {
    const left = leftOf(scope);
    if (left.calls >= calls && left.cost >= cost) continue;
    // The number of such calls that the rest of the budget covers.
    const affordable = cost === 0 ? left.calls : Math.floor((left.cost / cost) * calls);
    return new Failure(scope.failure, 'too few paid calls are left today', {
      calls: { left: Math.max(0, Math.min(left.calls, affordable)), limit: scope.most.calls },
    });
  }
  return undefined;
}

/** Returns what is left in a scope; negative if it is overdrawn. */
export function leftOf({ most, spent }: Pick<Scope, 'most' | 'spent'>): Calls {
  return { calls: most.calls - spent.calls, cost: most.cost - spent.cost };
}

/** What the whole bot has spent today, and what one more call like the latest costs, in fen. */
export interface Spent {
  readonly spent: number;
  readonly next: number;
}

export function spentByBot(scopes: readonly Scope[]): number {
  return scopes.find(({ name }) => name === BOT_SCOPE)?.spent.cost ?? 0;
}
