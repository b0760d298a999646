/** What each scope has spent on a UTC day, against which the day's limits are checked; they start again at 00:00 UTC. */
import { hash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { CallKind } from '../../paid-calls.ts';
import type { EngineDatabase } from '../engine.ts';
import type { Schema } from '../schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The UTC day of a time (ms since the epoch), as `2026-01-31`; days compare like strings. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The UTC days up to that of `ms`, the latest first. */
export function lastDays(count: number, ms: number): string[] {
  return Array.from({ length: count }, (_, before) => utcDay(ms - before * DAY_MS));
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

/** The person a call is for, alone or in a group; if a message has no person, the chat's own id in both. */
export interface Asker {
  readonly person: string;
  readonly group: string | undefined;
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

export type SumKey = Pick<Sums, 'day' | 'scope'>;

/** Reads the sums of these keys (at least one), each by the primary key; those without a call are left out. */
export async function sumsOf(database: Kysely<Schema>, keys: readonly SumKey[]): Promise<Sums[]> {
  const values = keys.map(({ day, scope }) => sql`(${day}, ${scope})`);
  const { rows } = await sql<Sums>`
    select day, scope, calls, cost_fen as cost from spending
    where (day, scope) in (values ${sql.join(values)})`.execute(database);
  return rows;
}

/** The keys of a person's or group's sums, the present day's first; `now` in ms since the epoch. */
export function ownKeys(whose: 'person' | 'group', id: string, now: number): SumKey[] {
  return lastDays(SPENDING_DAYS, now).map((day) => ({ day, scope: ownScope(whose, id, day) }));
}

/**
 * Raises the sums of these keys, and returns what they were before; they stay locked until the transaction ends. All statements name keys in
 * one order, so that no two deadlock: the group's, the person's, the kind's, the bot's.
 */
export function raising(keys: readonly SumKey[], { calls, cost }: Calls) {
  const rows = keys.map(({ day, scope }) => sql`(${day}, ${scope}, ${calls}, ${cost})`);
  return sql<Sums>`
    insert into spending (day, scope, calls, cost_fen) values ${sql.join(rows)}
    on conflict (day, scope) do update set
      calls = spending.calls + excluded.calls, cost_fen = spending.cost_fen + excluded.cost_fen
    returning day, scope, calls - ${calls} as calls, cost_fen - ${cost} as cost`;
}

/** Deletes a person's or group's sums of earlier days; today's still count. */
export async function forgetSpending(
  { sql: database, now }: Pick<EngineDatabase, 'sql' | 'now'>,
  whose: 'person' | 'group',
  id: string,
): Promise<void> {
  const [, ...earlier] = ownKeys(whose, id, now());
  for (const { day, scope } of earlier)
    await sql`delete from spending where day = ${day} and scope = ${scope}`.execute(database);
}

/** Adds a group's sums to those of another id; `now` in ms since the epoch. */
export async function moveSpending(
  transaction: Transaction<Schema>,
  { from, to, now }: { from: string; to: string; now: number },
): Promise<void> {
  for (const { day, scope, ...sums } of await sumsOf(transaction, ownKeys('group', from, now))) {
    await raising([{ day, scope: ownScope('group', to, day) }], sums).execute(transaction);
    await sql`delete from spending where day = ${day} and scope = ${scope}`.execute(transaction);
  }
}
