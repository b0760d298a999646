/** Decides who may use the bot (spec §8). Memory answers each request; a change reaches every process within 2 s. */
import { dropOldest } from '../../bounded-memory.ts';
import { Failure } from '../../errors.ts';
import type { EngineDatabase } from '../engine.ts';
import type { Asker } from '../money/scopes.ts';
import type { AccessTable } from '../schema.ts';
import { Admissions, changeAdmissions, subjectOf } from './admissions.ts';
import { Invitations } from './invitations.ts';
import { SeenNames } from './seen-names.ts';

/**
 * - `in`: may use the bot
 * - `stranger`: no admin has let in the person, or the group in which they ask
 * - `blocked`: the person, or the group in which they ask, is blocked and gets no answer
 * - `paused`: the admins have paused the bot
 */
export type Verdict = 'in' | 'stranger' | 'blocked' | 'paused';

interface AccessOptions {
  readonly isOpen: boolean;
  readonly adminIds: readonly number[];
}

interface State {
  readonly version: number;
  readonly isPaused: boolean;
  readonly pauseText: string | undefined;
}

type Standing = Exclude<AccessTable['standing'], 'asking'> | 'stranger';

/** About 2 MB. Anybody else costs one statement. */
const MOST_REMEMBERED = 20_000;
/** How often this process looks for changes by others, in ms. */
const LOOK_EVERY_MS = 1000;
/** How old a look may be before the database is asked again, in ms. */
const TRUSTED_FOR_MS = 1800;
/** How long after the last request an idle process stops looking, in ms. */
const IDLE_AFTER_MS = 10_000;

/** The checks of one process. */
export class Access {
  /** `ACCESS=open`: everybody who is not blocked may use the bot. */
  readonly isOpen: boolean;
  readonly admissions: Admissions;
  readonly invitations: Invitations;
  readonly names: SeenNames;
  readonly #sql: EngineDatabase['sql'];
  readonly #isAlone: boolean;
  readonly #admins: ReadonlySet<string>;
  /** In order of age, the oldest first. */
  readonly #standings = new Map<string, Standing>();
  readonly #timer: NodeJS.Timeout | undefined;
  #state: State | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #usedAt = Number.NEGATIVE_INFINITY;
  /** Grows with each change, so that rows read before a change are not remembered after it. */
  #epoch = 0;
  #looking: Promise<void> | undefined;

  constructor(database: Pick<EngineDatabase, 'sql' | 'engine' | 'now'>, { isOpen, adminIds }: AccessOptions) {
    this.isOpen = isOpen;
    this.#sql = database.sql;
    this.#isAlone = database.engine === 'sqlite';
    this.#admins = new Set(adminIds.map(String));
    this.admissions = new Admissions(database, this.changed);
    this.invitations = new Invitations(database, this.changed);
    this.names = new SeenNames(database);
    if (!this.#isAlone) this.#timer = setInterval(() => this.#lookUnlessIdle(), LOOK_EVERY_MS).unref();
  }

  /**
   * Gives the verdict at once if memory has it all, otherwise a promise that throws `database` when the database does not answer. Memory
   * alone never says `stranger`: every process has to serve people as soon as they hear that they are let in.
   */
  verdict({ person, group }: Asker): Verdict | Promise<Verdict> {
    if (this.#admins.has(person)) return 'in';
    this.#usedAt = performance.now();
    const ids = idsOf({ person, group });
    if (this.#isFresh()) {
      const known = ids.map((id) => this.#standings.get(id));
      const verdict = known.every((standing) => standing !== undefined) ? this.#judge(known) : 'stranger';
      if (verdict !== 'stranger') return verdict;
    }
    return this.#lookUp(ids);
  }

  /** Whether the asker gets no answer at all. Falls back on memory when the database does not answer, so it never throws. */
  isBlocked(asker: Asker): boolean | Promise<boolean> {
    const now = this.verdict(asker);
    if (typeof now === 'string') return now === 'blocked';
    return now.then(
      (later) => later === 'blocked',
      () => idsOf(asker).some((id) => this.#standings.get(id) === 'blocked'),
    );
  }

  /** To be called before a paid call. Throws `cancelled` if the asker has been blocked meanwhile, and `paused` during a pause. */
  async mustBeServed(asker: Asker): Promise<void> {
    const verdict = await this.verdict(asker);
    if (verdict === 'blocked') throw new Failure('cancelled', 'they were blocked meanwhile');
    if (verdict === 'paused') throw new Failure('paused', 'the bot is paused');
  }

  /** Whether this person is one of `ADMIN_IDS`. */
  isAdmin(person: string): boolean {
    return this.#admins.has(person);
  }

  /** The admins' own words for a pause; undefined if they gave none, and outside a pause. */
  pauseText(): string | undefined {
    return this.#state?.pauseText;
  }

  /** Pauses the bot: everybody but the admins gets only this text, or a standard sentence. */
  async pause(text: string | undefined): Promise<void> {
    await this.#setPause(1, text ?? null);
  }

  /** Ends the pause; false if there was none. */
  resume(): Promise<boolean> {
    return this.#setPause(0, null);
  }

  /** Forgets what memory knows: something else has changed the tables. */
  readonly changed = (): void => {
    this.#forget();
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  };

  /** Stops looking for changes by other processes. */
  close(): void {
    clearInterval(this.#timer);
  }

  #forget(): void {
    this.#standings.clear();
    this.#epoch += 1;
  }

  #setPause(is_paused: 0 | 1, pause_text: string | null): Promise<boolean> {
    return changeAdmissions(this.#sql, async (transaction) => {
      const before = await transaction.selectFrom('access_state').select('is_paused').executeTakeFirst();
      await transaction.updateTable('access_state').set({ is_paused, pause_text }).execute();
      return before?.is_paused === 1;
    }).finally(this.changed);
  }

  #isFresh(): boolean {
    if (this.#lookedAt === Number.NEGATIVE_INFINITY) return false;
    return this.#isAlone || performance.now() - this.#lookedAt < TRUSTED_FOR_MS;
  }

  #lookUnlessIdle(): void {
    if (performance.now() - this.#usedAt < IDLE_AFTER_MS) this.#lookOnce().catch(() => {});
  }

  #lookOnce(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    for (;;) {
      const begun = { epoch: this.#epoch, at: performance.now() };
      const row = await this.#sql.selectFrom('access_state').selectAll().executeTakeFirstOrThrow();
      if (begun.epoch !== this.#epoch) continue;
      const { version, is_paused, pause_text } = row;
      if (this.#state !== undefined && this.#state.version !== version) this.#forget();
      this.#state = { version, isPaused: is_paused === 1, pauseText: pause_text ?? undefined };
      this.#lookedAt = begun.at;
      return;
    }
  }

  async #lookUp(ids: readonly string[]): Promise<Verdict> {
    if (!this.#isFresh()) await this.#lookOnce();
    return this.#judge(await this.#find(ids));
  }

  /** Asks the database, in one statement, about those whom memory does not know or has as strangers: somebody may just have let them in. */
  async #find(ids: readonly string[]): Promise<Standing[]> {
    const begun = this.#epoch;
    const remembered = (id: string): Standing => this.#standings.get(id) ?? 'stranger';
    const unknown = ids.filter((id) => remembered(id) === 'stranger');
    const found = new Map<string, Standing>();
    if (unknown.length > 0) {
      const rows = await this.#sql
        .selectFrom('access')
        .select(['subject', 'standing'])
        .where('subject', 'in', unknown.map(subjectOf))
        .execute();
      for (const { subject, standing } of rows) if (standing !== 'asking') found.set(subject, standing);
    }
    return ids.map((id) => {
      const known = remembered(id);
      const standing = known === 'stranger' ? (found.get(subjectOf(id)) ?? known) : known;
      if (begun === this.#epoch && this.#standings.get(id) !== standing) {
        this.#standings.set(id, standing);
        dropOldest(this.#standings, MOST_REMEMBERED);
      }
      return standing;
    });
  }

  #judge(of: readonly Standing[]): Verdict {
    if (of.includes('blocked')) return 'blocked';
    if (this.#state?.isPaused) return 'paused';
    return this.isOpen || of.includes('member') ? 'in' : 'stranger';
  }
}

function idsOf({ person, group }: Asker): string[] {
  return group === undefined || group === person ? [person] : [person, group];
}
