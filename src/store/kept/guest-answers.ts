/** Which message answers which guest query: without it no process could say anything more in a chat where the bot is a guest. */
import { createHash } from 'node:crypto';
import type { EngineDatabase } from '../engine.ts';
import { orDatabaseFailure } from '../trouble.ts';

/** Both methods throw `database` when the database does not answer. */
export interface GuestAnswers {
  /** What Telegram calls the message that answers this query; undefined where none does yet. */
  find(query: string): Promise<string | undefined>;
  keep(query: string, person: string, inlineMessage: string): Promise<void>;
}

/** Those of all processes on this database. */
export function createGuestAnswers({
  promptly: database,
  now,
}: Pick<EngineDatabase, 'promptly' | 'now'>): GuestAnswers {
  return {
    find: (query) =>
      orDatabaseFailure(async () => {
        const row = await database
          .selectFrom('guest_answers')
          .select('inline_message')
          .where('query', '=', keyOf(query))
          .executeTakeFirst();
        return row?.inline_message;
      }),
    keep: (query, person, inlineMessage) =>
      orDatabaseFailure(async () => {
        const row = { person, inline_message: inlineMessage, answered_at: now() };
        await database
          .insertInto('guest_answers')
          .values({ query: keyOf(query), ...row })
          .onConflict((conflict) => conflict.column('query').doUpdateSet(row))
          .execute();
      }),
  };
}

/** Telegram promises no length. */
function keyOf(query: string): string {
  return createHash('sha256').update(query).digest('base64url');
}
