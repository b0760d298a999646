/** Invitations (/invite). Each has a number of uses and an end; only a hash of its token is stored. */
import { hash, randomBytes } from 'node:crypto';
import type { EngineDatabase } from '../engine.ts';
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
    await this.#database.sql
      .insertInto('invitations')
      .values({
        hash: hashOf(token),
        uses_left: uses,
        expires_at: until,
        decided_by: by.id,
        decider: by.name,
      })
      .execute();
    return token;
  }

  /** Lets all these subjects in for one use. Exact under concurrency; members stay members, and the blocked stay blocked. */
  async redeem(token: string, subjects: readonly Subject[]): Promise<Redemption> {
    const { sql, now } = this.#database;
    return sql.transaction().execute(async (transaction): Promise<Redemption> => {
      const rows = await transaction
        .selectFrom('access')
        .select(['subject', 'standing'])
        .where(
          'subject',
          'in',
          subjects.map(({ id }) => subjectOf(id)),
        )
        .execute();
      const standings = new Map(rows.map(({ subject, standing }) => [subject, standing]));
      const standingOf = ({ id }: Subject) => standings.get(subjectOf(id)) ?? 'asking';
      const outside = subjects.filter((subject) => standingOf(subject) === 'asking');
      const asked = outside.map(({ id }) => id).filter((id) => standings.has(subjectOf(id)));
      if (outside.length === 0) return { outcome: 'in-already', asked };
      // Of two concurrent redemptions, the second waits here and sees the uses that are left.
      const used = await transaction
        .updateTable('invitations')
        .set((row) => ({ uses_left: row('uses_left', '-', 1) }))
        .where('hash', '=', hashOf(token))
        .where('uses_left', '>', 0)
        .where('expires_at', '>', now())
        .returning(['decided_by', 'decider'])
        .executeTakeFirst();
      if (used === undefined) return { outcome: 'over', asked };
      const by = { id: used.decided_by ?? '', name: used.decider ?? '' };
      for (const subject of outside)
        await admit(transaction, subject, { standing: 'member', at: now(), by, tellsAskers: false });
      return { outcome: 'let-in', asked };
    });
  }
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
