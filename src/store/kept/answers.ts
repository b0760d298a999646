/**
 * Messages of the bot that other processes must find again: answers, which follow edits of what they answer; answers as a guest, which can
 * be edited only by an id that Telegram tells once; and progress messages, which any process may have to remove.
 */
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { orDatabaseFailure, outlastOutage } from '../database-errors.ts';
import type { EngineDatabase } from '../engine.ts';

/** One message of an answer. `text` can be edited, `other` has to be replaced, `shared` belongs to other answers, too. */
const answerPart = z.object({ id: z.number(), kind: z.enum(['text', 'other', 'shared']) });
export type AnswerPart = z.infer<typeof answerPart>;

/** A picture of an album: its message, how to fetch it again, and the caption, which decides the answer. */
const albumPicture = z.object({
  message: z.number(),
  fileId: z.string(),
  uniqueId: z.string(),
  caption: z.string().optional(),
});
export type AlbumPicture = z.infer<typeof albumPicture>;

/** Parses the stored pictures of an album. */
export function parseAlbum(json: string): AlbumPicture[] {
  return z.array(albumPicture).parse(JSON.parse(json));
}

interface GivenAnswer {
  /** A hash of what was asked. */
  readonly asked: string;
  readonly parts: readonly AnswerPart[];
  /** The album that it answers; empty outside albums. */
  readonly album: readonly AlbumPicture[];
  /** The person got no later answer. */
  readonly isLatest: boolean;
}

export interface GivenAnswers {
  /** The answer to a message, if it is less than 48 hours old. */
  find(chat: number, message: number): Promise<GivenAnswer | undefined>;
  /** Whether this message is part of an answer. */
  isAnswer(chat: number, message: number): Promise<boolean>;
  /** Keeps an answer. An album's answer is found by the message of any of its pictures. */
  keep(
    chat: number,
    message: number,
    answer: {
      readonly person: string;
      readonly asked: string;
      readonly parts: readonly AnswerPart[];
      readonly album?: readonly AlbumPicture[];
    },
  ): Promise<void>;
}

/** How long an answer follows edits, in ms: Telegram lets people edit for 48 hours. */
const EDITABLE_FOR_MS = 48 * 60 * 60 * 1000;

/** All methods throw `database` when the database does not answer; `keep` waits for it a while. */
export function createGivenAnswers({
  soon: database,
  now,
}: Pick<EngineDatabase, 'soon' | 'now'>): GivenAnswers {
  return {
    find: (chat, message) =>
      orDatabaseFailure(async () => {
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
          album: parseAlbum(row.album ?? '[]'),
          isLatest: later === undefined,
        };
      }),

    isAnswer: (chat, message) =>
      orDatabaseFailure(async () => {
        const row = await database
          .selectFrom('answers')
          .select('message')
          .where('chat', '=', String(chat))
          // The way JSON writes an AnswerPart.
          .where('parts', 'like', `%"id":${message},%`)
          .executeTakeFirst();
        return row !== undefined;
      }),

    keep: (chat, message, { person, asked, parts, album = [] }) =>
      orDatabaseFailure(async () => {
        const pictures = album.length > 0 ? JSON.stringify(album) : null;
        const messages = new Set([message, ...album.map((picture) => picture.message)]);
        const answeredAt = now();
        const rows = [...messages].map(
          (id) =>
            sql`(${String(chat)}, ${id}, ${person}, ${asked}, ${JSON.stringify(parts)}, ${pictures}, ${answeredAt})`,
        );
        await outlastOutage(() =>
          sql`
            insert into answers (chat, message, person, asked, parts, album, answered_at)
            values ${sql.join(rows)}
            on conflict (chat, message) do update set
              person = excluded.person, asked = excluded.asked, parts = excluded.parts, album = excluded.album
          `.execute(database),
        );
      }),
  };
}

/** Both methods throw `database` when the database does not answer. */
export interface GuestAnswers {
  /** Telegram's id of the message that answers this query; undefined before there is one. */
  find(query: string): Promise<string | undefined>;
  keep(query: string, person: string, inlineMessage: string): Promise<void>;
}

/** The guest answers of all processes on this database. */
export function createGuestAnswers({
  promptly: database,
  now,
}: Pick<EngineDatabase, 'promptly' | 'now'>): GuestAnswers {
  return {
    find: (query) =>
      orDatabaseFailure(async () => {
        const row = await database
          .selectFrom('guest_answers')
          .select('inline_message')
          .where('query', '=', keyOf(query))
          .executeTakeFirst();
        return row?.inline_message;
      }),
    keep: (query, person, inlineMessage) =>
      orDatabaseFailure(async () => {
        const row = { person, inline_message: inlineMessage, answered_at: now() };
        await database
          .insertInto('guest_answers')
          .values({ query: keyOf(query), ...row })
          .onConflict((conflict) => conflict.column('query').doUpdateSet(row))
          .execute();
      }),
  };
}

/** Hashes the id of a guest query: Telegram limits its length nowhere. */
function keyOf(query: string): string {
  return hash('sha256', query, 'base64url');
}

/** A message that shows how far a request is. */
export interface ProgressMessage {
  readonly chat: number;
  readonly message: number;
}

export interface ProgressMessages {
  /** The messages that an earlier attempt at this update left behind. */
  ofUpdate(updateId: number): Promise<ProgressMessage[]>;
  keep(progress: ProgressMessage, updateId: number): Promise<void>;
  /** Forgets a message that has been removed. */
  drop(progress: ProgressMessage): Promise<void>;
}

/** The progress messages of all processes on this database. */
export function createProgressMessages({
  soon: database,
  now,
}: Pick<EngineDatabase, 'soon' | 'now'>): ProgressMessages {
  return {
    ofUpdate: (updateId) =>
      database
        .selectFrom('progress_messages')
        .select(['chat', 'message'])
        .where('update_id', '=', updateId)
        .execute(),
    keep: async (progress, updateId) => {
      await database
        .insertInto('progress_messages')
        .values({ ...progress, update_id: updateId, shown_at: now() })
        .execute();
    },
    drop: async ({ chat, message }) => {
      await database
        .deleteFrom('progress_messages')
        .where('chat', '=', chat)
        .where('message', '=', message)
        .execute();
    },
  };
}
