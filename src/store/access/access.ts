/** Decides who may use the bot (spec §8): one query per request, so that a decision holds in every process at once. */
import { sql } from 'kysely';
import { Failure } from '../../errors.ts';
import type { EngineDatabase } from '../engine.ts';
import type { Asker } from '../money/scopes.ts';
import { Admissions, subjectOf } from './admissions.ts';
import { Invitations } from './invitations.ts';
import { SeenNames } from './seen-names.ts';

/**
 * - `in`: may use the bot
 * - `stranger`: no admin has let in the person, or the group in which they ask
 * - `blocked`: the person, or the group in which they ask, is blocked and gets no answer
 */
export type Verdict = 'in' | 'stranger' | 'blocked';

interface AccessOptions {
  readonly isOpen: boolean;
  readonly adminIds: readonly number[];
}

/** All methods throw `database` when the database is unreachable, but for those that say otherwise. */
export class Access {
  /** `ACCESS=open`: everybody who is not blocked may use the bot. */
  readonly isOpen: boolean;
  readonly admissions: Admissions;
  readonly invitations: Invitations;
  readonly names: SeenNames;
  readonly #sql: EngineDatabase['sql'];
  readonly #admins: ReadonlySet<string>;

  constructor(database: Pick<EngineDatabase, 'sql' | 'now'>, { isOpen, adminIds }: AccessOptions) {
    this.isOpen = isOpen;
    this.#sql = database.sql;
    this.#admins = new Set(adminIds.map(String));
    this.admissions = new Admissions(database);
    this.invitations = new Invitations(database);
    this.names = new SeenNames(database);
  }

  /** Throws `paused` for everybody but admins and blocked people, while the admins have paused the bot. */
  async verdict({ person, group }: Asker): Promise<Verdict> {
    if (this.#admins.has(person)) return 'in';
    const subjects = [person, ...(group === undefined ? [] : [group])].map(subjectOf);
    const { rows } = await sql<{ word: string; pause_text: string | null }>`
      select standing as word, null as pause_text from access where subject in (${sql.join(subjects)})
      union all select 'paused', pause_text from access_state where is_paused = 1`.execute(this.#sql);
    const words = rows.map(({ word }) => word);
    if (words.includes('blocked')) return 'blocked';
    const pause = rows.find(({ word }) => word === 'paused');
    if (pause !== undefined)
      throw new Failure('paused', 'the bot is paused', { said: pause.pause_text ?? undefined });
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
    await this.#setPause(1, text ?? null);
  }

  /** Ends the pause; false if there was none. */
  resume(): Promise<boolean> {
    return this.#setPause(0, null);
  }

  #setPause(is_paused: 0 | 1, pause_text: string | null): Promise<boolean> {
    return this.#sql.transaction().execute(async (transaction) => {
      const before = await transaction.selectFrom('access_state').select('is_paused').executeTakeFirst();
      await transaction.updateTable('access_state').set({ is_paused, pause_text }).execute();
      return before?.is_paused === 1;
    });
  }
}
