/** Who may use the bot (spec §8): the answer to each request comes from memory, and what changes it holds in every process within 2 s. */
import { Failure } from '../../errors.ts';
import type { EngineDatabase } from '../engine.ts';
import type { Asker } from '../money/scopes.ts';
import type { AccessTable } from '../schema.ts';
import { orDatabaseFailure } from '../trouble.ts';
import { type Admissions, changing, createAdmissions, subjectOf } from './admissions.ts';
import { createInvitations, type Invitations } from './invitations.ts';
import { createSeenNames, type SeenNames } from './seen-names.ts';

/**
 * - `in`: may use the bot
 * - `stranger`: nobody has let them in, nor the group in which they ask
 * - `blocked`: they are, or the group in which they ask: not answered
 * - `paused`: the admins have paused the bot
 */
export type Verdict = 'in' | 'stranger' | 'blocked' | 'paused';

export interface Access {
  /**
   * A verdict at once where all is in memory, else a promise that throws `database` when the database does not answer. `stranger` is
   * never memory's word alone: whoever hears that they are let in is answered from then on, by every process.
   */
  verdict(asker: Asker): Verdict | Promise<Verdict>;
  /** Whether they hear nothing; where the database does not answer, as far as memory knows. Throws nothing. */
  isBlocked(asker: Asker): boolean | Promise<boolean>;
  /** Throws `cancelled` where they are blocked by now, and `paused` in a pause: no paid call is to be made for them any more. */
  mustBeServed(asker: Asker): Promise<void>;
  /** Whether they run the bot (`ADMIN_IDS`). */
  isAdmin(person: string): boolean;
  /** Everybody may use the bot who is not blocked (`ACCESS=open`). */
  readonly isOpen: boolean;
  /** What everybody is told in a pause; undefined where the admins have not said, and outside of a pause. */
  pauseText(): string | undefined;
  /** From now on everybody but the admins is only told this, or a sentence of the bot's own. */
  pause(text: string | undefined): Promise<void>;
  /** Ends the pause; false where there was none. */
  resume(): Promise<boolean>;
  /** What was decided may have changed by another way than this one. */
  changed(): void;
  readonly admissions: Admissions;
  readonly invitations: Invitations;
  readonly names: SeenNames;
  /** Looks no more for what other processes change. */
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

/** Some 2 MB; who is not among them is looked up by one statement. */
const MOST_REMEMBERED = 20_000;
/** How often it is looked whether another process has changed something, in ms. */
const LOOK_EVERY_MS = 1000;
/** What was heard so long ago, in ms, may have changed: the database is asked first. */
const TRUSTED_FOR_MS = 1800;
/** An idle process leaves the database alone after so long, in ms. */
const IDLE_AFTER_MS = 10_000;

/** Nothing is in memory yet. */
export function createAccess(
  database: Pick<EngineDatabase, 'sql' | 'soon' | 'now' | 'isAlone'>,
  { isOpen, adminIds }: AccessOptions,
): Access {
  const { sql, isAlone } = database;
  const admins = new Set(adminIds.map(String));
  /** The oldest first. */
  const standings = new Map<string, Standing>();
  let state: State | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let usedAt = Number.NEGATIVE_INFINITY;
  /** Grows with each change: what was read before it is not remembered after. */
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
    const [oldest] = standings.keys();
    if (standings.size > MOST_REMEMBERED && oldest !== undefined) standings.delete(oldest);
  };

  /** One statement for those who are strangers as far as memory knows: they may have been let in a moment ago, here or elsewhere. */
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
    changing(sql, async (transaction) => {
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
