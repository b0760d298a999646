/** Resolves an @name to an id. Telegram gives a bot no way to do that, so the bot notes the names that it meets. */

import { dropOldest } from '../../bounded-memory.ts';
import { orDatabaseFailure } from '../database-errors.ts';
import type { EngineDatabase } from '../engine.ts';

export interface SeenNames {
  /** Notes the owner of a name in the background; `onFailure` hears of an error. */
  note(id: string, name: string, onFailure: (error: unknown) => void): void;
  /** The id of its last known owner. Throws `database` when the database does not answer. */
  find(name: string): Promise<string | undefined>;
}

/** A remembered name is written at most once a day. */
const MOST_REMEMBERED = 10_000;
const NOTED_FOR_MS = 24 * 60 * 60 * 1000;

/** Creates the register with an empty memory. */
export function createSeenNames({ sql, now }: Pick<EngineDatabase, 'sql' | 'now'>): SeenNames {
  /** By name, its owner and the time of the last note; oldest first. */
  const noted = new Map<string, { readonly id: string; readonly at: number }>();
  return {
    note: (id, name, onFailure) => {
      const key = name.toLowerCase();
      const at = now();
      const last = noted.get(key);
      if (last?.id === id && at - last.at < NOTED_FOR_MS) return;
      noted.delete(key);
      noted.set(key, { id, at });
      dropOldest(noted, MOST_REMEMBERED);
      const seen = { chat: id, seen_at: at };
      sql
        .insertInto('seen_names')
        .values({ name: key, ...seen })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(seen))
        .execute()
        .catch((error: unknown) => {
          noted.delete(key);
          onFailure(error);
        });
    },
    find: (name) =>
      orDatabaseFailure(async () => {
        const row = await sql
          .selectFrom('seen_names')
          .select('chat')
          .where('name', '=', name.toLowerCase())
          .executeTakeFirst();
        return row?.chat;
      }),
  };
}
