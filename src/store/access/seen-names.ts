/** Whose an @name is: Telegram tells a bot only of those who have written where it reads. */
import type { EngineDatabase } from '../engine.ts';
import { orDatabaseFailure } from '../trouble.ts';

/** An @name that was not seen for so long is forgotten, in ms. */
export const NAMES_FOR_MS = 90 * 24 * 60 * 60 * 1000;

export interface SeenNames {
  /** Notes whose it is now, in its own time; `onFailure` is told where that fails. */
  note(id: string, name: string, onFailure: (error: unknown) => void): void;
  /** The id of whose it was last. Throws `database` when the database does not answer. */
  find(name: string): Promise<string | undefined>;
}

/** Each is written once a day at most, as far as this many are remembered. */
const MOST_REMEMBERED = 10_000;
const NOTED_FOR_MS = 24 * 60 * 60 * 1000;

/** Nothing is remembered yet. */
export function createSeenNames({ sql, soon, now }: Pick<EngineDatabase, 'sql' | 'soon' | 'now'>): SeenNames {
  /** When each was noted, by id and name; the oldest first. */
  const noted = new Map<string, number>();
  return {
    note: (id, name, onFailure) => {
      const key = `${id} ${name}`;
      const at = now();
      if (at - (noted.get(key) ?? Number.NEGATIVE_INFINITY) < NOTED_FOR_MS) return;
      noted.delete(key);
      noted.set(key, at);
      const [oldest] = noted.keys();
      if (noted.size > MOST_REMEMBERED && oldest !== undefined) noted.delete(oldest);
      const seen = { chat: id, seen_at: at };
      soon
        .insertInto('seen_names')
        .values({ name: name.toLowerCase(), ...seen })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(seen))
        .execute()
        .catch(onFailure);
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
