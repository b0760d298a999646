/** Invitations (/invite): each lets in whoever has its token, so often and so long. The token itself is not kept. */
import { createHash, randomBytes } from 'node:crypto';
import type { EngineDatabase } from '../engine.ts';
import { orDatabaseFailure } from '../trouble.ts';
import { admit, changing, type Decider, type Subject, subjectOf } from './admissions.ts';

interface Redemption {
  /** `over`: used up, too old, or never there. `in-already`: nothing was used up. */
  readonly outcome: 'let-in' | 'in-already' | 'over';
  /** The ids of those who had asked to be let in before. */
  readonly asked: readonly string[];
}

/** All methods throw `database` when the database does not answer. */
export interface Invitations {
  /** Gives the token of a new one, which lets in `uses` times, until `until` (ms since the epoch). */
  make(uses: number, until: number, by: Decider): Promise<string>;
  /** Lets all of these in for one use, in one step however many try; whoever is in already, or blocked, stays what they are. */
  redeem(token: string, subjects: readonly Subject[]): Promise<Redemption>;
}

/** 128 random bits: nobody guesses it, and it fits into a link (64 characters at most, Bot API). */
const TOKEN_BYTES = 16;

/** `onChange` is told as soon as somebody was let in, here. */
export function createInvitations(
  { sql, now }: Pick<EngineDatabase, 'sql' | 'now'>,
  onChange: () => void,
): Invitations {
  return {
    make: (uses, until, by) =>
      orDatabaseFailure(async () => {
        const token = randomBytes(TOKEN_BYTES).toString('base64url');
        await sql
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
      }),

    redeem: async (token, subjects) => {
      const redemption = await changing(sql, async (transaction): Promise<Redemption> => {
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
        // Of two who come at once the second waits here for the first, and finds what that one has left.
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
          await admit(transaction, subject, { standing: 'member', at: now(), by, isToHear: false });
        return { outcome: 'let-in', asked };
      });
      onChange();
      return redemption;
    },
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
