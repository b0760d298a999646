/** People and groups that were let in or blocked, or that ask; and invitations, of which only a hash of the token is stored. */
import { hash, randomBytes } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { EngineDatabase } from '../engine.ts';
import type { Schema } from '../schema.ts';

/** A person or a group, as the admins see them. */
export interface Subject {
  /** The Telegram id; a group's is negative. */
  readonly id: string;
  /** The name, with the @name if there is one; undefined if unknown. */
  readonly name: string | undefined;
  /** The interface language of the answer to their request. */
  readonly language?: string | undefined;
}

/** An admin, or the member who added a group. */
export interface Decider {
  readonly id: string;
  readonly name: string;
}

/** A message that asked an admin to let somebody in. */
export interface SentQuestion {
  readonly chat: number;
  readonly message: number;
}

const sentQuestions = z.array(z.object({ chat: z.number(), message: z.number() }));

export interface Admission {
  /** Null after /forget. */
  readonly id: string | null;
  readonly name: string | null;
  readonly language: string | null;
  readonly standing: Schema['access']['standing'];
  /** Since when, in ms since the epoch. */
  readonly at: number;
  /** The decider's name; null before a decision, and after the decider's own /forget. */
  readonly by: string | null;
  /** JSON of the messages that asked the admins (`questionsOf`); null before that, and once the decision is told. */
  readonly questions: string | null;
  /** Unique, and does not reveal who it is. */
  readonly subject: string;
}

export function questionsOf({ questions }: Admission): SentQuestion[] {
  return questions === null ? [] : sentQuestions.parse(JSON.parse(questions));
}

const COLUMNS = sql.raw('subject, chat as id, name, language, standing, at, decider as by, questions');

export type Decided = Exclude<Admission['standing'], 'asking'>;

interface Redemption {
  /** `over`: used up, expired, or unknown. `in-already`: no use was spent. */
  readonly outcome: 'let-in' | 'in-already' | 'over';
  /** The ids of those subjects who had asked to be let in. */
  readonly asked: readonly string[];
}

/** 128 random bits cannot be guessed, and fit into a deep link (64 characters at most, Bot API). */
const TOKEN_BYTES = 16;

const MAX_GROUPS_ASKING = 100;

/** In UTF-16 units: a name must fit on one line of the admins' list. */
const NAME_LENGTH = 100;

/** The key of a person or a group: a hash, by which they are found after /forget. */
export function subjectOf(id: string): string {
  return hash('sha256', `access ${id}`, 'base64url').slice(0, 22);
}

/** The list. All methods throw `database` when the database is unreachable. */
export class Admissions {
  readonly #database: Pick<EngineDatabase, 'sql' | 'now'>;

  constructor(database: Pick<EngineDatabase, 'sql' | 'now'>) {
    this.#database = database;
  }

  find(id: string): Promise<Admission | undefined> {
    return this.at(subjectOf(id));
  }

  async at(subject: string): Promise<Admission | undefined> {
    const [one] = await this.#rows(sql`select ${COLUMNS} from access where subject = ${subject}`);
    return one;
  }

  /** Stores a request to be let in. `isOwn`: this update made it, now or in an earlier attempt. */
  async ask(subject: Subject, updateId: number): Promise<Admission & { readonly isOwn: boolean }> {
    const { id, name, language } = subject;
    const madeBy = `update ${updateId}`;
    // A conflict changes nothing, and still returns the row.
    const { rows } = await sql<Admission & { madeBy: string | null }>`
      insert into access (subject, chat, name, language, standing, at, decided_by)
      values (${subjectOf(id)}, ${id}, ${shortened(name)}, ${language ?? null}, 'asking', ${this.#database.now()}, ${madeBy})
      on conflict (subject) do update set standing = access.standing
      returning ${COLUMNS}, decided_by as "madeBy"`.execute(this.#database.sql);
    const [row] = rows;
    if (row === undefined) throw new Error('the database gave no admission');
    return { ...row, isOwn: row.madeBy === madeBy };
  }

  /** Records the messages that asked the admins; undefined once they, and who asked, know the decision. */
  async noteQuestions(id: string, questions: readonly SentQuestion[] | undefined): Promise<void> {
    const json = questions === undefined ? null : JSON.stringify(questions);
    await this.#rows(sql`update access set questions = ${json} where subject = ${subjectOf(id)}`);
  }

  /** Lets in or blocks, whatever the previous decision. Keeps the known name or language if the new subject has none. */
  async decide(
    { id, name, language }: Subject,
    standing: Decided,
    by: Decider,
    database: Kysely<Schema> = this.#database.sql,
  ): Promise<void> {
    await sql`
      insert into access (subject, chat, name, language, standing, at, decided_by, decider)
      values (${subjectOf(id)}, ${id}, ${shortened(name)}, ${language ?? null}, ${standing}, ${this.#database.now()},
        ${by.id || null}, ${shortened(by.name)})
      on conflict (subject) do update set
        chat = excluded.chat, name = coalesce(excluded.name, access.name),
        language = coalesce(excluded.language, access.language),
        standing = excluded.standing, at = excluded.at,
        decided_by = excluded.decided_by, decider = excluded.decider`.execute(database);
  }

  /** Returns a page of the list (from 0) of this size, newest first, and whether it is the last. */
  async page(size: number, page: number): Promise<{ entries: readonly Admission[]; isLast: boolean }> {
    const rows = await this.#rows(sql`
      select ${COLUMNS} from access order by at desc, subject desc limit ${size + 1} offset ${size * page}`);
    return { entries: rows.slice(0, size), isLast: rows.length <= size };
  }

  /** Returns the groups whose open request is older than this time (ms since the epoch); oldest first, 100 at most. */
  async groupsAsking(before: number): Promise<string[]> {
    const rows = await this.#rows(sql`
      select ${COLUMNS} from access where standing = 'asking' and at < ${before} and chat like '-%'
      order by at limit ${MAX_GROUPS_ASKING}`);
    return rows.flatMap(({ id }) => id ?? []);
  }

  async remove(subject: string): Promise<void> {
    await this.#rows(sql`delete from access where subject = ${subject}`);
  }

  async withdraw(id: string): Promise<void> {
    await this.#rows(sql`delete from access where subject = ${subjectOf(id)} and standing = 'asking'`);
  }

  /** Creates an invitation for `uses` uses until `until` (ms since the epoch); returns its token. */
  async invite(uses: number, until: number, by: Decider): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await sql`
      insert into invitations (hash, uses_left, expires_at, decided_by, decider)
      values (${hashOf(token)}, ${uses}, ${until}, ${by.id}, ${by.name})`.execute(this.#database.sql);
    return token;
  }

  /** Lets all these subjects in for one use. Exact under concurrency; members stay members, and the blocked stay blocked. */
  async redeem(token: string, subjects: readonly Subject[]): Promise<Redemption> {
    const { sql: database, now } = this.#database;
    const keys = sql.join(subjects.map(({ id }) => subjectOf(id)));
    return database.transaction().execute(async (transaction): Promise<Redemption> => {
      const { rows } = await sql<Pick<Schema['access'], 'subject' | 'standing'>>`
        select subject, standing from access where subject in (${keys})`.execute(transaction);
      const standings = new Map(rows.map(({ subject, standing }) => [subject, standing]));
      const standingOf = ({ id }: Subject) => standings.get(subjectOf(id)) ?? 'asking';
      const outside = subjects.filter((subject) => standingOf(subject) === 'asking');
      const asked = outside.map(({ id }) => id).filter((id) => standings.has(subjectOf(id)));
      if (outside.length === 0) return { outcome: 'in-already', asked };
      // Of two concurrent redemptions, the second waits here and sees the uses that are left.
      const { rows: uses } = await sql<Pick<Schema['invitations'], 'decided_by' | 'decider'>>`
        update invitations set uses_left = uses_left - 1
        where hash = ${hashOf(token)} and uses_left > 0 and expires_at > ${now()}
        returning decided_by, decider`.execute(transaction);
      const [used] = uses;
      if (used === undefined) return { outcome: 'over', asked };
      const by = { id: used.decided_by ?? '', name: used.decider ?? '' };
      for (const subject of outside) await this.decide(subject, 'member', by, transaction);
      return { outcome: 'let-in', asked };
    });
  }

  async #rows(statement: RawBuilder<unknown>): Promise<Admission[]> {
    const { rows } = await statement.$castTo<Admission>().execute(this.#database.sql);
    return rows;
  }
}

/** Moves an admission to a group's new id. If that has one already, a decision wins over a request, and a block over all. */
export async function moveAdmission(
  { sql: database }: Pick<EngineDatabase, 'sql'>,
  from: string,
  to: string,
): Promise<void> {
  const [old, moved] = [subjectOf(from), subjectOf(to)];
  await database.transaction().execute(async (transaction) => {
    await sql`
      delete from access where subject = ${moved} and standing <> 'blocked'
        and exists (select 1 from access where subject = ${old} and standing <> 'asking')`.execute(
      transaction,
    );
    await sql`
      update access set subject = ${moved}, chat = case when chat is null then null else ${to} end
      where subject = ${old} and not exists (select 1 from access where subject = ${moved})`.execute(
      transaction,
    );
    await sql`delete from access where subject = ${old}`.execute(transaction);
  });
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

function shortened(name: string | undefined): string | null {
  return name?.slice(0, NAME_LENGTH) || null;
}
