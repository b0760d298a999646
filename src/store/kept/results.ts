/**
 * Paid results, kept for re-use: texts, and voice notes with their Telegram ids. Also whole texts that a message shows only in part, since
 * its buttons and replies to it mean all of it.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { orDatabaseFailure } from '../database-errors.ts';
import type { EngineDatabase } from '../engine.ts';
import type { Schema } from '../schema.ts';
import { createSoundParts, createSpeechPieces, PART_BYTES, type SpeechPieces } from './sound-parts.ts';

export interface KeptVoiceNote {
  readonly ogg: Buffer;
  readonly durationSeconds: number;
  /** Telegram's `file_id`, once it was uploaded. */
  readonly fileId: string | undefined;
}

export interface Results {
  text(key: string): Promise<string | undefined>;
  keepText(key: string, person: string, text: string): Promise<void>;
  voiceNote(key: string): Promise<KeptVoiceNote | undefined>;
  keepVoiceNote(key: string, person: string, note: { ogg: Buffer; durationSeconds: number }): Promise<void>;
  /** The `file_id` of this key's file, if noted. */
  fileId(key: string): Promise<string | undefined>;
  /** Notes the `file_id` of a voice note, or of the photo that was read, so that it need not be uploaded again. */
  keepFileId(key: string, fileId: string): Promise<void>;
  /** Pieces of long speeches that are not complete yet. */
  readonly pieces: SpeechPieces;
}

/** Results that expire after `ttlMs`; a new one replaces the old one of the same key. */
export function createResults(
  engine: Pick<EngineDatabase, 'sql' | 'engine' | 'now' | 'keptUp'>,
  ttlMs: number,
): Results {
  const { sql: database, now } = engine;
  const pieces = createSpeechPieces(engine);
  const noteParts = createSoundParts(database, 'note_parts');
  const young = (key: string) =>
    database
      .selectFrom('results')
      .where('key', '=', key)
      .where('kept_at', '>', now() - ttlMs);

  /** Replaces an old result of this key whole: its file may be gone, its time over. Frees the claim, whose row tells who pays by now. */
  const keep = async (
    key: string,
    person: string,
    value: Partial<Pick<Schema['results'], 'text' | 'audio' | 'copy' | 'duration_ms'>>,
    keptAt = now(),
  ): Promise<void> => {
    const { text = null, audio = null, copy = null, duration_ms = null } = value;
    await sql`
      insert into results (key, person, text, audio, copy, duration_ms, kept_at)
      values (${key}, ${person}, ${text}, ${audio}, ${copy}, ${duration_ms}, ${keptAt})
      on conflict (key) do update set
        person = case when results.process is null then excluded.person else results.person end,
        process = null, text = excluded.text, audio = excluded.audio, copy = excluded.copy,
        duration_ms = excluded.duration_ms, kept_at = excluded.kept_at, file_id = null`.execute(database);
  };

  return {
    text: async (key) => {
      const { rows } = await sql<{ text: string | null }>`
        select text from results where key = ${key} and kept_at > ${now() - ttlMs}`.execute(database);
      return rows[0]?.text ?? undefined;
    },

    keepText: (key, person, text) => keep(key, person, { text }),

    voiceNote: async (key) => {
      const row = await young(key).select(['audio', 'copy', 'duration_ms', 'file_id']).executeTakeFirst();
      if (row === undefined || row.duration_ms === null) return undefined;
      const ogg = row.copy === null ? row.audio : await noteParts.read(key, row.copy);
      if (ogg == null) return undefined;
      return {
        ogg: Buffer.from(ogg),
        durationSeconds: row.duration_ms / 1000,
        fileId: row.file_id ?? undefined,
      };
    },

    keepVoiceNote: async (key, person, { ogg, durationSeconds }) => {
      const duration = { duration_ms: Math.round(durationSeconds * 1000) };
      if (ogg.length <= PART_BYTES) return keep(key, person, { ...duration, audio: ogg });
      const keptAt = now();
      const copy = await noteParts.write({ key, person, sound: ogg, keptAt });
      await keep(key, person, { ...duration, copy }, keptAt);
    },

    fileId: async (key) => (await young(key).select('file_id').executeTakeFirst())?.file_id ?? undefined,

    keepFileId: async (key, fileId) => {
      await database.updateTable('results').set({ file_id: fileId }).where('key', '=', key).execute();
    },

    pieces,
  };
}

/**
 * What is kept whole: a text, or the files of a request (JSON) for their button; the text of a voice note, under its `file_unique_id`. An id
 * is good for its own kind alone.
 */
export type WholeKind = 'text' | 'pictures' | 'document' | 'voice-note';

/** Both methods throw `database` when the database does not answer. */
export interface Wholes {
  /** Keeps it on a person's account for as long as results. The id, which is given back, cannot be guessed unless it was given. */
  keep(kind: WholeKind, person: string, whole: string, id?: string): Promise<string>;
  find(kind: WholeKind, id: string): Promise<string | undefined>;
}

/** Whole texts, stored as results: they expire and are erased with them. */
export function createWholes(results: Pick<Results, 'text' | 'keepText'>): Wholes {
  return {
    keep: (kind, person, whole, id = newId()) =>
      orDatabaseFailure(async () => {
        await results.keepText(keyOf(kind, id), person, whole);
        return id;
      }),
    find: (kind, id) => orDatabaseFailure(() => results.text(keyOf(kind, id))),
  };
}

/** 22 characters, so that a button's data (64 bytes) has room for more. */
function newId(): string {
  return randomBytes(16).toString('base64url');
}

function keyOf(kind: WholeKind, id: string): string {
  return `whole:${kind}:${id}`;
}
