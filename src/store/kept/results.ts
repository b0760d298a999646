/**
 * Paid results, kept for re-use: texts, and voice notes with their Telegram ids. Also whole texts that a message shows only in part, since
 * its buttons and replies to it mean all of it.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { EngineDatabase } from '../engine.ts';
import { PART_BYTES, SoundParts, SpeechPieces } from './sound-parts.ts';

export interface KeptVoiceNote {
  readonly ogg: Buffer;
  readonly durationSeconds: number;
  /** Telegram's `file_id`, once it was uploaded. */
  readonly fileId: string | undefined;
}

interface ResultValue {
  readonly text?: string;
  readonly audio?: Buffer;
  /** The copy in `note_parts`. */
  readonly copy?: string;
  readonly durationMs?: number;
}

/** Results, each by a key; a new one replaces the old one of the same key. All methods throw `database`. */
export class Results {
  /** Pieces of long speeches that are not complete yet. */
  readonly pieces: SpeechPieces;
  readonly #database: Pick<EngineDatabase, 'sql' | 'now'>;
  readonly #ttlMs: number;
  readonly #noteParts: SoundParts;

  /** Results expire after `ttlMs`. */
  constructor(database: EngineDatabase, ttlMs: number) {
    this.#database = database;
    this.#ttlMs = ttlMs;
    this.pieces = new SpeechPieces(database);
    this.#noteParts = new SoundParts(database.sql, 'note_parts');
  }

  async text(key: string): Promise<string | undefined> {
    const { rows } = await sql<{ text: string | null }>`
      select text from results where key = ${key} and kept_at > ${this.#expired()}`.execute(
      this.#database.sql,
    );
    return rows[0]?.text ?? undefined;
  }

  keepText(key: string, person: string, text: string): Promise<void> {
    return this.#keep(key, person, { text });
  }

  async voiceNote(key: string): Promise<KeptVoiceNote | undefined> {
    const row = await this.#young(key).select(['audio', 'copy', 'duration_ms', 'file_id']).executeTakeFirst();
    if (row === undefined || row.duration_ms === null) return undefined;
    const ogg = row.copy === null ? row.audio : await this.#noteParts.read(key, row.copy);
    if (ogg == null) return undefined;
    return {
      ogg: Buffer.from(ogg),
      durationSeconds: row.duration_ms / 1000,
      fileId: row.file_id ?? undefined,
    };
  }

  async keepVoiceNote(
    key: string,
    person: string,
    { ogg, durationSeconds }: { ogg: Buffer; durationSeconds: number },
  ): Promise<void> {
    const durationMs = Math.round(durationSeconds * 1000);
    if (ogg.length <= PART_BYTES) return this.#keep(key, person, { durationMs, audio: ogg });
    const keptAt = this.#database.now();
    const copy = await this.#noteParts.write({ key, person, sound: ogg, keptAt });
    await this.#keep(key, person, { durationMs, copy }, keptAt);
  }

  /** The `file_id` of this key's file, if noted. */
  async fileId(key: string): Promise<string | undefined> {
    return (await this.#young(key).select('file_id').executeTakeFirst())?.file_id ?? undefined;
  }

  /** Notes the `file_id` of a voice note, or of the photo that was read, so that it need not be uploaded again. */
  async keepFileId(key: string, fileId: string): Promise<void> {
    await this.#database.sql.updateTable('results').set({ file_id: fileId }).where('key', '=', key).execute();
  }

  #expired(): number {
    return this.#database.now() - this.#ttlMs;
  }

  #young(key: string) {
    return this.#database.sql
      .selectFrom('results')
      .where('key', '=', key)
      .where('kept_at', '>', this.#expired());
  }

  /** Replaces an old result of this key whole: its file may be gone, its time over. Frees the claim, whose row tells who pays by now. */
  async #keep(
    key: string,
    person: string,
    { text, audio, copy, durationMs }: ResultValue,
    keptAt = this.#database.now(),
  ): Promise<void> {
    await sql`
      insert into results (key, person, text, audio, copy, duration_ms, kept_at)
      values (${key}, ${person}, ${text ?? null}, ${audio ?? null}, ${copy ?? null}, ${durationMs ?? null}, ${keptAt})
      on conflict (key) do update set
        person = case when results.process is null then excluded.person else results.person end,
        process = null, text = excluded.text, audio = excluded.audio, copy = excluded.copy,
        duration_ms = excluded.duration_ms, kept_at = excluded.kept_at, file_id = null`.execute(
      this.#database.sql,
    );
  }
}

/**
 * What is kept whole: a text, or the files of a request (JSON) for their button; the text of a voice note, under its `file_unique_id`. An id
 * is good for its own kind alone.
 */
export type WholeKind = 'text' | 'pictures' | 'document' | 'voice-note';

/** Whole texts, stored as results: they expire and are erased with them. Both methods throw `database`. */
export class Wholes {
  readonly #results: Results;

  constructor(results: Results) {
    this.#results = results;
  }

  /** Keeps it on a person's account for as long as results. The id, which is given back, cannot be guessed unless it was given. */
  async keep(kind: WholeKind, person: string, whole: string, id = newId()): Promise<string> {
    await this.#results.keepText(keyOf(kind, id), person, whole);
    return id;
  }

  find(kind: WholeKind, id: string): Promise<string | undefined> {
    return this.#results.text(keyOf(kind, id));
  }
}

/** 22 characters, so that a button's data (64 bytes) has room for more. */
function newId(): string {
  return randomBytes(16).toString('base64url');
}

function keyOf(kind: WholeKind, id: string): string {
  return `whole:${kind}:${id}`;
}
