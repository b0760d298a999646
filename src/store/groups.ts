/** What the admins of a group have decided for it. */
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** Sets how many paid calls a group may cause per UTC day; null: the bot's own limit. */
export async function setGroupLimit(
  database: Kysely<Schema>,
  chat: string,
  dailyCalls: number | null,
): Promise<void> {
  await database
    .insertInto('groups')
    .values({ chat, daily_calls: dailyCalls })
    .onConflict((conflict) => conflict.column('chat').doUpdateSet({ daily_calls: dailyCalls }))
    .execute();
}
