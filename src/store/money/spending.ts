/** What each scope has spent on a UTC day, against which the day's limits are checked; they start again at 00:00 UTC (spec §1, §4). */
import { hash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { Failure } from '../../errors.ts';
import type { CallKind } from '../../paid-calls.ts';
import type { EngineDatabase } from '../engine.ts';
import type { Schema } from '../schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The UTC day of a time (ms since the epoch), as `2026-01-31`; days compare like strings. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The UTC day `days` before that of a time. */
export function utcDayBefore(ms: number, days: number): string {
  return utcDay(ms - days * DAY_MS);
}

/** The UTC days up to that of `ms`, the latest first. */
export function lastDays(count: number, ms: number): string[] {
  return Array.from({ length: count }, (_, before) => utcDayBefore(ms, before));
}

/** The time until the next UTC day, in ms. */
export function msUntilNextDay(ms: number): number {
  return DAY_MS - (((ms % DAY_MS) + DAY_MS) % DAY_MS);
}

export interface Calls {
  readonly calls: number;
  /** Their cost in fen (a hundredth of a yuan), so that sums stay whole. */
  readonly cost: number;
}

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

export interface LimitOptions {
  readonly limits: Limits;
  /** People who are counted but not limited. */
  readonly adminIds: readonly number[];
}

export interface Sums extends Calls {
  readonly day: string;
  readonly scope: string;
}

/** The scope of all calls together. */
export const BOT_SCOPE = 'bot';

export function kindScope(kind: CallKind): string {
  return `kind:${kind}`;
}

/** The id is hashed with the day, so that /forget can leave today's sums: erasing oneself must not be a way around the limit. */
export function ownScope(whose: 'person' | 'group', id: string, day: string): string {
  return `${whose}:${hash('sha256', `${day} ${id}`, 'hex').slice(0, 40)}`;
}

/** How long sums are kept, in days: /usage looks back a month, /stats 30 days. */
export const SPENDING_DAYS = 32;

type Key = Pick<Sums, 'day' | 'scope'>;

const COLUMNS = sql.raw('day, scope, calls, cost_fen as cost');

/** Matches the rows of these keys (at least one), each by the primary key. */
function ofKeys(keys: readonly Key[]) {
  return sql<boolean>`(day, scope) in (values ${sql.join(keys.map(({ day, scope }) => sql`(${day}, ${scope})`))})`;
}

/** Reads the sums of these keys; those without a call are left out. */
export async function sumsOf(database: Kysely<Schema>, keys: readonly Key[]): Promise<Sums[]> {
  const { rows } = await sql<Sums>`select ${COLUMNS} from spending where ${ofKeys(keys)}`.execute(database);
  return rows;
}

/** The keys of a person's or group's sums, the present day's first; `now` in ms since the epoch. */
export function ownKeys(whose: 'person' | 'group', id: string, now: number): Key[] {
  return lastDays(SPENDING_DAYS, now).map((day) => ({ day, scope: ownScope(whose, id, day) }));
}

/**
 * Raises a day's sums and returns them, locked until the transaction ends. All statements name scopes in one order: own, kind's, bot's.
 */
export function raising(day: string, scopes: readonly string[], { calls, cost }: Calls) {
  const rows = scopes.map((scope) => sql`(${day}, ${scope}, ${calls}, ${cost})`);
  return sql<Sums>`
    insert into spending (day, scope, calls, cost_fen) values ${sql.join(rows)}
    on conflict (day, scope) do update set
      calls = spending.calls + excluded.calls, cost_fen = spending.cost_fen + excluded.cost_fen
    returning ${COLUMNS}`;
}

/** A scope that limits a call on a day, by the number of calls or by their cost in fen. */
export interface Scope {
  readonly whose: 'person' | 'group' | 'bot';
  readonly name: string;
  readonly unit: keyof Calls;
  /** Infinity without a limit. */
  readonly limit: number;
  readonly spent: number;
}

/** In the order in which everybody locks them. A call of a channel or an anonymous admin has no person, and counts for its chat alone. */
export function ownScopes({ person, group }: Asker, day: string): string[] {
  return [
    ...(person === group ? [] : [ownScope('person', person, day)]),
    ...(group === undefined ? [] : [ownScope('group', group, day)]),
  ];
}

/** Reads the scopes that limit a person's call: the person's, the group's, the bot's. */
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
  const isAdmin = adminIds.some((id) => String(id) === asker.person);
  return rows.map(({ scope: name, quota, ...spent }): Scope => {
    const limited = (whose: Scope['whose'], unit: keyof Calls, limit: number): Scope => {
      return { whose, name, unit, limit: isAdmin ? Number.POSITIVE_INFINITY : limit, spent: spent[unit] };
    };
    if (name === BOT_SCOPE) return limited('bot', 'cost', toFen(limits.budgetYuan));
    if (!name.startsWith('group:')) return limited('person', 'calls', limits.callsPerUser);
    // The group's admins may allow less (/quota).
    return limited('group', 'calls', Math.min(quota ?? Number.POSITIVE_INFINITY, limits.callsPerGroup));
  });
}

/** Converts an amount in yuan with up to four decimals into whole fen: 0.29 gives 29, though `0.29 * 100` is less. */
export function toFen(yuan: number): number {
  return Math.floor(Math.round(yuan * 10_000) / 100);
}

/** Throws `limit-bot`, `limit-group` or `limit-person`, the first of them, if these calls exceed what is left of a scope. */
export function refuseBeyond(scopes: readonly Scope[], calls: Calls): void {
  for (const one of ['bot', 'group', 'person'] as const) {
    const scope = scopes.find(({ whose }) => whose === one);
    if (scope === undefined) continue;
    const { unit, limit, spent } = scope;
    const left = limit - spent;
    if (left >= calls[unit]) continue;
    // The number of such calls that the rest of the budget covers.
    const affordable = Math.max(0, Math.floor((left * calls.calls) / calls[unit]));
    throw new Failure(`limit-${one}`, 'too few paid calls are left today', {
      calls: { left: affordable, limit: unit === 'calls' ? limit : Number.POSITIVE_INFINITY },
    });
  }
}

/** What the whole bot has spent today, and what one more call like the latest costs, in fen. */
export interface Spent {
  readonly spent: number;
  readonly next: number;
}

export async function countVisitors(
  database: Kysely<Schema>,
  day: string,
): Promise<{ people: number; groups: number }> {
  const { rows } = await sql<{ people: number | null; groups: number | null }>`
    select
      sum(case when scope like 'person:%' then 1 else 0 end) as people,
      sum(case when scope like 'group:%' then 1 else 0 end) as groups
    from spending where day = ${day}`.execute(database);
  return { people: rows[0]?.people ?? 0, groups: rows[0]?.groups ?? 0 };
}

/** Deletes a person's or group's sums of earlier days; today's still count. */
export async function forgetSpending(
  { sql: database, now }: Pick<EngineDatabase, 'sql' | 'now'>,
  whose: 'person' | 'group',
  id: string,
): Promise<void> {
  const [, ...earlier] = ownKeys(whose, id, now());
  await sql`delete from spending where ${ofKeys(earlier)}`.execute(database);
}

/** Adds a group's sums to those of another id; `now` in ms since the epoch. */
export async function moveSpending(
  transaction: Transaction<Schema>,
  { from, to, now }: { from: string; to: string; now: number },
): Promise<void> {
  for (const { day, scope, ...sums } of await sumsOf(transaction, ownKeys('group', from, now))) {
    await raising(day, [ownScope('group', to, day)], sums).execute(transaction);
    await transaction.deleteFrom('spending').where('day', '=', day).where('scope', '=', scope).execute();
  }
}
