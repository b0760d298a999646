/** Resolves an @name to an id. Telegram gives a bot no way to do that, so the bot notes the names that it meets. */
import { dropOldest } from '../../bounded-memory.ts';
import type { EngineDatabase } from '../engine.ts';

/** A remembered name is written at most once a day. */
const MOST_REMEMBERED = 10_000;
const NOTED_FOR_MS = 24 * 60 * 60 * 1000;

export class SeenNames {
  readonly #database: Pick<EngineDatabase, 'sql' | 'now'>;
  /** By name, its owner and the time of the last note; oldest first. */
  readonly #noted = new Map<string, { readonly id: string; readonly at: number }>();

  constructor(database: Pick<EngineDatabase, 'sql' | 'now'>) {
    this.#database = database;
  }

  /** Notes the owner of a name in the background; `onFailure` hears of an error. */
  note(id: string, name: string, onFailure: (error: unknown) => void): void {
    const key = name.toLowerCase();
    const at = this.#database.now();
    const last = this.#noted.get(key);
    if (last?.id === id && at - last.at < NOTED_FOR_MS) return;
    this.#noted.delete(key);
    this.#noted.set(key, { id, at });
    dropOldest(this.#noted, MOST_REMEMBERED);
    const seen = { chat: id, seen_at: at };
    this.#database.sql
      .insertInto('seen_names')
      .values({ name: key, ...seen })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(seen))
      .execute()
      .catch((error: unknown) => {
        this.#noted.delete(key);
        onFailure(error);
      });
  }

  /** The id of its last known owner. Throws `database` when the database does not answer. */
  async find(name: string): Promise<string | undefined> {
    const row = await this.#database.sql
      .selectFrom('seen_names')
      .select('chat')
      .where('name', '=', name.toLowerCase())
      .executeTakeFirst();
    return row?.chat;
  }
}
