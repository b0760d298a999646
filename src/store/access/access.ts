/** Decides who may use the bot (spec §8). Memory answers each request; a change reaches every process within 2 s. */
import { dropOldest } from '../../bounded-memory.ts';
import { Failure } from '../../errors.ts';
import { orDatabaseFailure } from '../database-errors.ts';
import type { EngineDatabase } from '../engine.ts';
import type { Asker } from '../money/scopes.ts';
import type { AccessTable } from '../schema.ts';
import { type Admissions, changeAdmissions, createAdmissions, subjectOf } from './admissions.ts';
import { createInvitations, type Invitations } from './invitations.ts';
import { createSeenNames, type SeenNames } from './seen-names.ts';

/**
 * - `in`: may use the bot
 * - `stranger`: no admin has let in the person, or the group in which they ask
 * - `blocked`: the person, or the group in which they ask, is blocked and gets no answer
 * - `paused`: the admins have paused the bot
 */
export type Verdict = 'in' | 'stranger' | 'blocked' | 'paused';

export interface Access {
  /**
   * Gives the verdict at once if memory has it all, otherwise a promise that throws `database` when the database does not answer. Memory
   * alone never says `stranger`: every process has to serve people as soon as they hear that they are let in.
   */
  verdict(asker: Asker): Verdict | Promise<Verdict>;
  /** Whether the asker gets no answer at all. Falls back on memory when the database does not answer, so it never throws. */
  isBlocked(asker: Asker): boolean | Promise<boolean>;
  /** To be called before a paid call. Throws `cancelled` if the asker has been blocked meanwhile, and `paused` during a pause. */
  mustBeServed(asker: Asker): Promise<void>;
  /** Whether this person is one of `ADMIN_IDS`. */
  isAdmin(person: string): boolean;
  /** `ACCESS=open`: everybody who is not blocked may use the bot. */
  readonly isOpen: boolean;
  /** The admins' own words for a pause; undefined if they gave none, and outside a pause. */
  pauseText(): string | undefined;
  /** Pauses the bot: everybody but the admins gets only this text, or a standard sentence. */
  pause(text: string | undefined): Promise<void>;
  /** Ends the pause; false if there was none. */
  resume(): Promise<boolean>;
  /** Forgets what memory knows: something else has changed the tables. */
  changed(): void;
  readonly admissions: Admissions;
  readonly invitations: Invitations;
  readonly names: SeenNames;
  /** Stops looking for changes by other processes. */
  close(): void;
}

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

/** Creates the access checks with an empty memory. */
export function createAccess(
  database: Pick<EngineDatabase, 'sql' | 'engine' | 'now'>,
  { isOpen, adminIds }: AccessOptions,
): Access {
  const { sql } = database;
  const isAlone = database.engine === 'sqlite';
  const admins = new Set(adminIds.map(String));
  /** In order of age, the oldest first. */
  const standings = new Map<string, Standing>();
  let state: State | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let usedAt = Number.NEGATIVE_INFINITY;
  /** Grows with each change, so that rows read before a change are not remembered after it. */
  let epoch = 0;
  let looking: Promise<void> | undefined;

  const forget = (): void => {
    standings.clear();
    epoch += 1;
  };
  const changed = (): void => {
    forget();
    lookedAt = Number.NEGATIVE_INFINITY;
  };

  const look = async (): Promise<void> => {
    for (;;) {
      const begun = { epoch, at: performance.now() };
      const row = await sql.selectFrom('access_state').selectAll().executeTakeFirstOrThrow();
      if (begun.epoch !== epoch) continue;
      if (state !== undefined && state.version !== row.version) forget();
      state = { version: row.version, isPaused: row.is_paused === 1, pauseText: row.pause_text ?? undefined };
      lookedAt = begun.at;
      return;
    }
  };
  const lookOnce = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const isFresh = (): boolean =>
    lookedAt > Number.NEGATIVE_INFINITY && (isAlone || performance.now() - lookedAt < TRUSTED_FOR_MS);

  const remember = (id: string, standing: Standing): void => {
    standings.set(id, standing);
    dropOldest(standings, MOST_REMEMBERED);
  };

  /** Asks the database, in one statement, about those whom memory does not know or has as strangers: somebody may just have let them in. */
  const find = async (ids: readonly string[]): Promise<Standing[]> => {
    const begun = epoch;
    const unknown = ids.filter((id) => (standings.get(id) ?? 'stranger') === 'stranger');
    const found = new Map<string, Standing>();
    if (unknown.length > 0) {
      const rows = await sql
        .selectFrom('access')
        .select(['subject', 'standing'])
        .where('subject', 'in', unknown.map(subjectOf))
        .execute();
      for (const { subject, standing } of rows) if (standing !== 'asking') found.set(subject, standing);
    }
    return ids.map((id) => {
      const known = standings.get(id) ?? 'stranger';
      const standing = known === 'stranger' ? (found.get(subjectOf(id)) ?? known) : known;
      if (begun === epoch && standings.get(id) !== standing) remember(id, standing);
      return standing;
    });
  };

  const judge = (of: readonly Standing[]): Verdict => {
    if (of.includes('blocked')) return 'blocked';
    if (state?.isPaused) return 'paused';
    return isOpen || of.includes('member') ? 'in' : 'stranger';
  };

  const verdict: Access['verdict'] = ({ person, group }) => {
    if (admins.has(person)) return 'in';
    usedAt = performance.now();
    const ids = idsOf({ person, group });
    if (isFresh()) {
      const known = ids.map((id) => standings.get(id));
      const verdict = known.every((standing) => standing !== undefined) ? judge(known) : 'stranger';
      if (verdict !== 'stranger') return verdict;
    }
    return orDatabaseFailure(async () => {
      if (!isFresh()) await lookOnce();
      return judge(await find(ids));
    });
  };

  const isBlocked: Access['isBlocked'] = (asker) => {
    const now = verdict(asker);
    if (typeof now === 'string') return now === 'blocked';
    return now.then(
      (later) => later === 'blocked',
      () => idsOf(asker).some((id) => standings.get(id) === 'blocked'),
    );
  };

  const timer = isAlone
    ? undefined
    : setInterval(() => {
        if (performance.now() - usedAt < IDLE_AFTER_MS) lookOnce().catch(() => {});
      }, LOOK_EVERY_MS).unref();

  const setPause = (is_paused: 0 | 1, pause_text: string | null): Promise<boolean> =>
    changeAdmissions(sql, async (transaction) => {
      const before = await transaction.selectFrom('access_state').select('is_paused').executeTakeFirst();
      await transaction.updateTable('access_state').set({ is_paused, pause_text }).execute();
      return before?.is_paused === 1;
    }).finally(changed);

  return {
    verdict,
    isBlocked,
    mustBeServed: async (asker) => {
      const verdictNow = await verdict(asker);
      if (verdictNow === 'blocked') throw new Failure('cancelled', 'they were blocked meanwhile');
      if (verdictNow === 'paused') throw new Failure('paused', 'the bot is paused');
    },
    isAdmin: (person) => admins.has(person),
    isOpen,
    pauseText: () => state?.pauseText,
    pause: async (text) => void (await setPause(1, text ?? null)),
    resume: () => setPause(0, null),
    changed,
    admissions: createAdmissions(database, changed),
    invitations: createInvitations(database, changed),
    names: createSeenNames(database),
    close: () => clearInterval(timer),
  };
}

function idsOf({ person, group }: Asker): string[] {
  return group === undefined || group === person ? [person] : [person, group];
}
