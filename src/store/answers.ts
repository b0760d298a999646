/** Which answer belongs to which message, so that an edited message has its answer edited. */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { orLedgerFailure } from './ledger-failure.ts';
import type { Schema } from './schema.ts';

/** One message of an answer; `text` can become another text, `other` is replaced, and `shared` holds other answers, too. */
const answerPart = z.object({ id: z.number(), kind: z.enum(['text', 'other', 'shared']) });
export type AnswerPart = z.infer<typeof answerPart>;

export interface GivenAnswer {
  /** A hash of what was asked; empty where it is worth asking the same again. */
  readonly asked: string;
  readonly parts: readonly AnswerPart[];
  /** Nothing that the person asked for later has been answered. */
  readonly isLatest: boolean;
}

export interface GivenAnswers {
  /** The answer to a message, if it is not older than 48 hours. */
  find(chat: number, message: number): Promise<GivenAnswer | undefined>;
  keep(
    chat: number,
    message: number,
    answer: { readonly person: string; readonly asked: string; readonly parts: readonly AnswerPart[] },
  ): Promise<void>;
}

/** How long an answer follows the edits of what it answers, in ms (Telegram lets people edit for 48 hours). */
const EDITABLE_FOR_MS = 48 * 60 * 60 * 1000;

/** `now` gives ms since the epoch. Both methods throw `ledger` when the database does not answer. */
export function createGivenAnswers(database: Kysely<Schema>, now: () => number): GivenAnswers {
  return {
    find: (chat, message) =>
      orLedgerFailure(async () => {
        const row = await database
          .selectFrom('answers')
          .selectAll()
          .where('chat', '=', String(chat))
          .where('message', '=', message)
          .where('answered_at', '>', now() - EDITABLE_FOR_MS)
          .executeTakeFirst();
        if (row === undefined) return undefined;
        const later = await database
          .selectFrom('answers')
          .select('message')
          .where('person', '=', row.person)
          .where('answered_at', '>', row.answered_at)
          .executeTakeFirst();
        return {
          asked: row.asked,
          parts: z.array(answerPart).parse(JSON.parse(row.parts)),
          isLatest: later === undefined,
        };
      }),

    keep: (chat, message, { person, asked, parts }) =>
      orLedgerFailure(async () => {
        const content = { person, asked, parts: JSON.stringify(parts) };
        await database
          .insertInto('answers')
          .values({ chat: String(chat), message, ...content, answered_at: now() })
          .onConflict((conflict) => conflict.columns(['chat', 'message']).doUpdateSet(content))
          .execute();
      }),
  };
}
