/** What was paid for, kept for re-use: texts as they are, voice notes with their id at Telegram. */
import type { Kysely } from 'kysely';
import { inBatches } from './batches.ts';
import type { Schema } from './schema.ts';
import { createSpeechPieces, type SpeechPieces } from './speech-pieces.ts';

export interface KeptVoiceNote {
  readonly ogg: Buffer;
  readonly durationSeconds: number;
  /** Its id at Telegram, once it was uploaded. */
  readonly fileId: string | undefined;
}

export interface Results {
  text(key: string): Promise<string | undefined>;
  keepText(key: string, person: string, text: string): Promise<void>;
  voiceNote(key: string): Promise<KeptVoiceNote | undefined>;
  keepVoiceNote(key: string, person: string, note: { ogg: Buffer; durationSeconds: number }): Promise<void>;
  /** Notes under which id Telegram has a voice note, so that it need not be uploaded again. */
  keepFileId(key: string, fileId: string): Promise<void>;
  /** Of long speeches that are not whole yet. */
  readonly pieces: SpeechPieces;
  /** Deletes what is older than its time; gives how many results that were. */
  prune(): Promise<number>;
}

export interface ResultsOptions {
  readonly database: Kysely<Schema>;
  /** How long a result is kept, in ms. */
  readonly ttlMs: number;
  /** ms since the epoch */
  readonly now: () => number;
}

export function createResults({ database, ttlMs, now }: ResultsOptions): Results {
  const pieces = createSpeechPieces(database, now);
  const young = (key: string) =>
    database
      .selectFrom('results')
      .where('key', '=', key)
      .where('kept_at', '>', now() - ttlMs);

  /** A result that is there again (its file was forgotten, its time had passed) takes the place of the old one. */
  const keep = async (
    key: string,
    person: string,
    value: Pick<Schema['results'], 'text' | 'audio' | 'duration_ms'>,
  ): Promise<void> => {
    const row = { ...value, person, file_id: null, kept_at: now() };
    await database
      .insertInto('results')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute();
  };

  return {
    text: async (key) => (await young(key).select('text').executeTakeFirst())?.text ?? undefined,

    keepText: (key, person, text) => keep(key, person, { text, audio: null, duration_ms: null }),

    voiceNote: async (key) => {
      const row = await young(key).select(['audio', 'duration_ms', 'file_id']).executeTakeFirst();
      if (row?.audio == null || row.duration_ms === null) return undefined;
      return {
        ogg: Buffer.from(row.audio),
        durationSeconds: row.duration_ms / 1000,
        fileId: row.file_id ?? undefined,
      };
    },

    keepVoiceNote: (key, person, { ogg, durationSeconds }) =>
      keep(key, person, { text: null, audio: ogg, duration_ms: Math.round(durationSeconds * 1000) }),

    keepFileId: async (key, fileId) => {
      await database.updateTable('results').set({ file_id: fileId }).where('key', '=', key).execute();
    },

    pieces,

    prune: async () => {
      await pieces.prune();
      return inBatches((limit) =>
        database
          .deleteFrom('results')
          .where('key', 'in', (rows) =>
            rows
              .selectFrom('results')
              .select('key')
              .where('kept_at', '<=', now() - ttlMs)
              .limit(limit),
          )
          .executeTakeFirst(),
      );
    },
  };
}
