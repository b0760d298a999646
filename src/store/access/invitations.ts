/** Invitations (/invite). Each has a number of uses and an end; only a hash of its token is stored. */
import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { EngineDatabase } from '../engine.ts';
import type { Schema } from '../schema.ts';
import { admit, type Decider, type Subject, subjectOf } from './admissions.ts';

interface Redemption {
  /** `over`: used up, expired, or unknown. `in-already`: no use was spent. */
  readonly outcome: 'let-in' | 'in-already' | 'over';
  /** The ids of those subjects who had asked to be let in. */
  readonly asked: readonly string[];
}

/** 128 random bits cannot be guessed, and fit into a deep link (64 characters at most, Bot API). */
const TOKEN_BYTES = 16;

/** The invitations. All methods throw `database` when the database is unreachable. */
export class Invitations {
  readonly #database: Pick<EngineDatabase, 'sql' | 'now'>;

  constructor(database: Pick<EngineDatabase, 'sql' | 'now'>) {
    this.#database = database;
  }

  /** Creates an invitation for `uses` uses until `until` (ms since the epoch); returns its token. */
  async make(uses: number, until: number, by: Decider): Promise<string> {
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
      for (const subject of outside) await admit(transaction, subject, { standing: 'member', at: now(), by });
      return { outcome: 'let-in', asked };
    });
  }
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
