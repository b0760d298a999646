/** Decides who may use the bot: one query per request, so that a decision holds in every process at once. */
import { sql } from 'kysely';
import { Failure } from '../../errors.ts';
import type { EngineDatabase } from '../engine.ts';
import type { Asker } from '../money/spending.ts';
import { Admissions, subjectOf } from './admissions.ts';

/** A name whose owner has not changed is written again after this time, in ms: pruning sees that it is in use. */
const NOTED_FOR_MS = 24 * 60 * 60 * 1000;

/**
 * `stranger`: no admin has let in the person or the group in which they ask; `blocked`: one of the two is blocked, and gets no
 * answer.
 */
type Verdict = 'in' | 'stranger' | 'blocked';

/** The reason of the admins' pause (/pause). */
const PAUSE = 'admins';

interface AccessOptions {
  readonly isOpen: boolean;
  readonly adminIds: readonly number[];
}

/** All methods throw `database` when the database is unreachable, but for those that say otherwise. */
export class Access {
  /** `ACCESS=open`: everybody who is not blocked may use the bot. */
  readonly isOpen: boolean;
  readonly admissions: Admissions;
  readonly #database: Pick<EngineDatabase, 'sql' | 'now'>;
  readonly #admins: ReadonlySet<string>;

  constructor(database: Pick<EngineDatabase, 'sql' | 'now'>, { isOpen, adminIds }: AccessOptions) {
    this.isOpen = isOpen;
    this.#database = database;
    this.#admins = new Set(adminIds.map(String));
    this.admissions = new Admissions(database);
  }

  /** Throws `paused` for everybody but admins and blocked people, while the admins have paused the bot. */
  async verdict({ person, group }: Asker): Promise<Verdict> {
    if (this.#admins.has(person)) return 'in';
    const subjects = [person, ...(group === undefined ? [] : [group])].map(subjectOf);
    const { rows } = await sql<{ word: string; text: string | null }>`
      select standing as word, null as text from access where subject in (${sql.join(subjects)})
      union all select 'paused', text from pauses where reason = ${PAUSE}`.execute(this.#database.sql);
    const words = rows.map(({ word }) => word);
    if (words.includes('blocked')) return 'blocked';
    const pause = rows.find(({ word }) => word === 'paused');
    if (pause !== undefined)
      throw new Failure('paused', 'the bot is paused', { said: pause.text ?? undefined });
    return this.isOpen || words.includes('member') ? 'in' : 'stranger';
  }

  /** Returns whether the asker gets no answer at all. Never throws: if the database is unreachable, nobody is blocked. */
  async isBlocked(asker: Asker): Promise<boolean> {
    return (await this.verdict(asker).catch(() => 'in')) === 'blocked';
  }

  /** Call before a paid call. Throws `cancelled` if the asker has been blocked meanwhile, and `paused` during a pause. */
  async mustBeServed(asker: Asker): Promise<void> {
    if ((await this.verdict(asker)) === 'blocked')
      throw new Failure('cancelled', 'they were blocked meanwhile');
  }

  /** Whether this person is one of `ADMIN_IDS`. */
  isAdmin(person: string): boolean {
    return this.#admins.has(person);
  }

  /** Pauses the bot: everybody but the admins gets only this text, or a standard sentence. */
  async pause(text: string | undefined): Promise<void> {
    await sql`
      insert into pauses (reason, until, text) values (${PAUSE}, 0, ${text ?? null})
      on conflict (reason) do update set text = excluded.text`.execute(this.#database.sql);
  }

  /** Ends the pause; false if there was none. */
  async resume(): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`delete from pauses where reason = ${PAUSE}`.execute(
      this.#database.sql,
    );
    return numAffectedRows > 0n;
  }

  /** Records the owner of an @name: Telegram gives a bot no way to resolve one, so the bot records the names that it meets. */
  async noteName(id: string, name: string): Promise<void> {
    const { sql: database, now } = this.#database;
    const at = now();
    await sql`
      insert into seen_names (name, chat, seen_at) values (${name.toLowerCase()}, ${id}, ${at})
      on conflict (name) do update set chat = excluded.chat, seen_at = excluded.seen_at
      where seen_names.chat <> excluded.chat or seen_names.seen_at <= ${at - NOTED_FOR_MS}`.execute(database);
  }

  /** Returns the id of the last known owner of an @name. */
  async findByName(name: string): Promise<string | undefined> {
    const { rows } = await sql<{ chat: string }>`
      select chat from seen_names where name = ${name.toLowerCase()}`.execute(this.#database.sql);
    return rows[0]?.chat;
  }
}
