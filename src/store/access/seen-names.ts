/** Resolves an @name to an id. Telegram gives a bot no way to do that, so the bot records the names that it meets. */
import { sql } from 'kysely';
import type { EngineDatabase } from '../engine.ts';

/** A name whose owner has not changed is written again after this time, in ms: pruning sees that it is in use. */
const NOTED_FOR_MS = 24 * 60 * 60 * 1000;

export class SeenNames {
  readonly #database: Pick<EngineDatabase, 'sql' | 'now'>;

  constructor(database: Pick<EngineDatabase, 'sql' | 'now'>) {
    this.#database = database;
  }

  /** Records the owner of a name. Throws `database`. */
  async note(id: string, name: string): Promise<void> {
    const { sql: database, now } = this.#database;
    const at = now();
    await sql`
      insert into seen_names (name, chat, seen_at) values (${name.toLowerCase()}, ${id}, ${at})
      on conflict (name) do update set chat = excluded.chat, seen_at = excluded.seen_at
      where seen_names.chat <> excluded.chat or seen_names.seen_at <= ${at - NOTED_FOR_MS}`.execute(database);
  }

  /** Returns the id of its last known owner. Throws `database` when the database is unreachable. */
  async find(name: string): Promise<string | undefined> {
    const row = await this.#database.sql
      .selectFrom('seen_names')
      .select('chat')
      .where('name', '=', name.toLowerCase())
      .executeTakeFirst();
    return row?.chat;
  }
}
