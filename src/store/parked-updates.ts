/** Requests whose paid call may or may not have been charged: kept, so that their sender can repeat them with one press. */
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** How long a request can be repeated, in ms: a day. */
export const PARKED_FOR_MS = 24 * 60 * 60 * 1000;

/** Keeps an update of a person and gives the id under which it is found. `now` is ms since the epoch. */
export async function parkUpdate(
  sql: Kysely<Schema>,
  person: string,
  update: unknown,
  now: number = Date.now(),
): Promise<string> {
  const id = randomBytes(12).toString('base64url');
  await sql
    .deleteFrom('parked_updates')
    .where('parked_at', '<', now - PARKED_FOR_MS)
    .execute();
  await sql
    .insertInto('parked_updates')
    .values({ id, person, body: JSON.stringify(update), parked_at: now })
    .execute();
  return id;
}

/** The update parked under `id` by this very person; undefined when it is gone, too old, or another's. */
export async function parkedUpdate(
  sql: Kysely<Schema>,
  id: string,
  person: string,
  now: number = Date.now(),
): Promise<unknown> {
  const row = await sql
    .selectFrom('parked_updates')
    .select('body')
    .where('id', '=', id)
    .where('person', '=', person)
    .where('parked_at', '>=', now - PARKED_FOR_MS)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const body: unknown = JSON.parse(row.body);
  return body;
}

/** Forgets the update parked under `id`. */
export async function dropParkedUpdate(sql: Kysely<Schema>, id: string): Promise<void> {
  await sql.deleteFrom('parked_updates').where('id', '=', id).execute();
}
