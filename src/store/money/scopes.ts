/** The scopes against whose limits a paid call counts, their limits for a day (spec §4), and the sums of what they have spent. */
import { hash } from 'node:crypto';
import { type Expression, type Kysely, sql, type Transaction } from 'kysely';
import { Failure, type FailureKind } from '../../errors.ts';
import type { CallKind } from '../../paid-calls.ts';
import type { Schema } from '../schema.ts';

/** The person a call is for, alone or in a group; the chat's own id in both where a message has no person (spec §2, Groups). */
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

/** For the doctor's few calls, and for tests about something else. */
export const NO_LIMITS: Limits = {
  callsPerUser: Number.POSITIVE_INFINITY,
  callsPerGroup: Number.POSITIVE_INFINITY,
  budgetYuan: Number.POSITIVE_INFINITY,
};

/** The scope of all calls together, the same every day. */
export const BOT_SCOPE = 'bot';

/** The scopes of the blocks (blocks.ts). */
export const BLOCK_SCOPES: readonly string[] = Array.from({ length: 8 }, (_, part) => `block:${part}`);

/** An account on which a call counts, and its daily limits: a number of calls, and a cost in fen. */
export interface Scope {
  readonly name: string;
  readonly most: Calls;
  readonly failure: FailureKind;
  /** The group whose admins may have set it less (/quota). */
  readonly quotaOf?: string | undefined;
}

/**
 * Gives the scopes of a person's call; `adminIds` are counted but not limited. The order is always the same, so that processes which lock
 * several rows cannot deadlock.
 */
export function createScopes({ limits, adminIds }: { limits: Limits; adminIds: readonly number[] }) {
  const admins = new Set(adminIds.map(String));

  return ({ person, group }: Asker, day: string): Scope[] => {
    const isLimited = !admins.has(person);
    const most = (some: Partial<Calls>): Calls => ({ ...WITHOUT_END, ...(isLimited && some) });
    const scopes: Scope[] = [
      { name: BOT_SCOPE, failure: 'limit-bot', most: most({ cost: toFen(limits.budgetYuan) }) },
    ];
    if (group !== undefined) {
      const quotaOf = isLimited ? group : undefined;
      const calls = limits.callsPerGroup;
      scopes.push({ name: groupScope(group), failure: 'limit-group', most: most({ calls }), quotaOf });
    }
    // A channel, an anonymous admin: the call has no person, and counts for its chat alone.
    if (person === group) return scopes;
    const calls = limits.callsPerUser;
    scopes.push({ name: personScope(person, day), failure: 'limit-person', most: most({ calls }) });
    return scopes;
  };
}

/** The same, with what the admins of a group have set. */
export function withQuota(database: Kysely<Schema>, scopes: readonly Scope[]): Promise<Scope[]> {
  return Promise.all(
    scopes.map(async (scope) => {
      if (scope.quotaOf === undefined) return scope;
      const calls = await groupLimit(database, scope.quotaOf, scope.most.calls);
      return { ...scope, most: { ...scope.most, calls } };
    }),
  );
}

const WITHOUT_END: Calls = { calls: Number.POSITIVE_INFINITY, cost: Number.POSITIVE_INFINITY };

/** Converts an amount in yuan with up to four decimals into whole fen: 0.29 gives 29, though `0.29 * 100` is less. */
export function toFen(yuan: number): number {
  return Math.floor(Math.round(yuan * 10_000) / 100);
}

/**
 * A person's scope for one day. Afterwards it leads to nobody, so /forget can leave today's count: erasing oneself must not be a way around
 * the limit.
 */
export function personScope(person: string, day: string): string {
  return `person:${hash('sha256', `${day} ${person}`, 'hex').slice(0, 40)}`;
}

/** A group's scope, the same every day. */
export function groupScope(group: string): string {
  return `group:${group}`;
}

/** The scope of all calls of a kind in the ledger's daily sums; a person's scope there is their id. */
export function kindScope(kind: CallKind): string {
  return `kind:${kind}`;
}

/** The calls per day that a group may cause: the bot's own limit, or less if its admins said so (/quota). */
export async function groupLimit(
  database: Kysely<Schema>,
  group: string,
  callsPerGroup: number,
): Promise<number> {
  const row = await groupQuota(database, group).executeTakeFirst();
  const own = row?.daily_calls ?? Number.POSITIVE_INFINITY;
  return Math.min(own, callsPerGroup);
}

/** A query for what the admins of a group have set (/quota): no row, or null, if they have not. */
export function groupQuota(database: Kysely<Schema>, group: string) {
  return database.selectFrom('groups').select('daily_calls').where('chat', '=', group);
}

/** The names of scopes, as the table `spending` has them. */
export function scopeNames(scopes: readonly Scope[]): string[] {
  return scopes.map(({ name }) => name);
}

/** Gives `limit-person`, `limit-group` or `limit-bot` if these further calls would exceed a limit. */
export function limitFailure(
  scopes: readonly Scope[],
  rows: readonly Sums[],
  { calls, cost }: Calls,
): Failure | undefined {
  for (const scope of scopes) {
    const { most, failure } = scope;
    const left = leftOf(scope, rows);
    if (left.calls >= calls && left.cost >= cost) continue;
    // How many such calls the rest of the budget pays for.
    const affordable = cost === 0 ? left.calls : Math.floor((left.cost / cost) * calls);
    return new Failure(failure, 'too few paid calls are left today', {
      calls: { left: Math.max(0, Math.min(left.calls, affordable)), limit: most.calls },
    });
  }
  return undefined;
}

/** What may still be spent of a scope; below zero if it is overdrawn. */
export function leftOf({ name, most }: Scope, rows: readonly Sums[]): Calls {
  const { calls, cost } = rows.find(({ scope }) => scope === name) ?? { calls: 0, cost: 0 };
  return { calls: most.calls - calls, cost: most.cost - cost };
}

/** A number of paid calls. */
export interface Calls {
  readonly calls: number;
  /** Their cost in fen (a hundredth of a yuan), so that sums stay whole. */
  readonly cost: number;
}

/** What the whole bot has spent today, and what one more call like the latest costs; in fen. */
export interface Spent {
  readonly spent: number;
  readonly next: number;
}

/** The sums of one scope on a day. */
export interface Sums extends Calls {
  readonly scope: string;
}

/** Reads the sums of a day; scopes without a call are left out. The bot's sum excludes what its blocks still hold. */
export async function spentOn(
  database: Kysely<Schema>,
  scopes: readonly string[],
  day: string,
): Promise<Sums[]> {
  const rows = await database
    .selectFrom('spending')
    .select(['scope', 'calls', 'cost_fen as cost'])
    .where('day', '=', day)
    .where('scope', 'in', scopes.includes(BOT_SCOPE) ? [...scopes, ...BLOCK_SCOPES] : scopes)
    .execute();
  const unspent = rows.filter(({ scope }) => BLOCK_SCOPES.includes(scope));
  return rows
    .filter((row) => !unspent.includes(row))
    .map((row) => (row.scope === BOT_SCOPE ? unspent.reduce(subtract, row) : row));
}

/** Subtracts calls from sums. */
export function subtract(sums: Sums, { calls, cost }: Calls): Sums {
  return { ...sums, calls: sums.calls - calls, cost: sums.cost - cost };
}

/** The whole bot's cost among the sums of a day. */
export function spentByBot(rows: readonly Sums[]): number {
  return rows.find(({ scope }) => scope === BOT_SCOPE)?.cost ?? 0;
}

/** Raises the sums of a day by these calls; gives the new sums, locked until the transaction ends. */
export async function addCalls(
  transaction: Transaction<Schema>,
  scopes: readonly (string | Expression<string>)[],
  day: string,
  { calls, cost }: Calls,
): Promise<Sums[]> {
  const { rows } = await sql<Sums>`
    insert into spending (scope, day, calls, cost_fen)
    values ${sql.join(scopes.map((scope) => sql`(${scope}, ${day}, ${calls}, ${cost})`))}
    on conflict (scope, day) do update set
      calls = spending.calls + excluded.calls, cost_fen = spending.cost_fen + excluded.cost_fen
    returning scope, calls, cost_fen as cost`.execute(transaction);
  return rows;
}

/**
 * Lowers the sums by calls that were entered and cost nothing, in the order in which `addCalls` raises them. The rows are locked until the
 * transaction ends, even if `calls` is zero.
 */
export async function takeBackCalls(
  transaction: Transaction<Schema>,
  scopes: readonly string[],
  day: string,
  { calls, cost }: Calls,
): Promise<void> {
  for (const scope of scopes) {
    await transaction
      .updateTable('spending')
      .set((row) => ({ calls: row('calls', '-', calls), cost_fen: row('cost_fen', '-', cost) }))
      .where('day', '=', day)
      .where('scope', '=', scope)
      .execute();
  }
}
