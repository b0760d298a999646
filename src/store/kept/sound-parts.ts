/**
 * Stores sound of any length in rows of bounded size, so that writing, reading and erasing it blocks nobody. Paid pieces of a long speech
 * stay here until the speech is complete, and paid sound until it is encoded: after a kill or a failure the work goes on from them.
 */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { changeRows } from '../batches.ts';
import type { EngineDatabase } from '../engine.ts';
import type { Schema } from '../schema.ts';

/** 40 s of speech. Writing or overwriting such a row takes less than 1 ms; a whole note may have 8 MB. */
export const PART_BYTES = 128 * 1024;
/** Bounds how long one read, change or erasure blocks the process. */
export const PARTS_AT_ONCE = 4;

type SoundTable = 'speech_pieces' | 'note_parts';

/** Sound in one of these two tables. */
export class SoundParts {
  readonly #sql: Kysely<Schema>;
  readonly #table: SoundTable;

  constructor(sql: Kysely<Schema>, table: SoundTable) {
    this.#sql = sql;
    this.#table = table;
  }

  /** Writes a copy row by row; gives its name. A copy that a killed process left unfinished does not count. */
  async write(whose: { key: string; person: string; sound: Buffer; keptAt: number }): Promise<string> {
    const { key, person, sound, keptAt } = whose;
    const copy = randomUUID();
    const parts = Math.ceil(sound.length / PART_BYTES);
    for (let part = 0; part < parts; part += 1) {
      const audio = sound.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
      await this.#sql
        .insertInto(this.#table)
        .values({ key, copy, part, parts, person, audio, kept_at: keptAt })
        .execute();
    }
    return copy;
  }

  /** Reads a copy; undefined if it is incomplete. */
  async read(key: string, copy: string): Promise<Buffer | undefined> {
    const sound: Buffer[] = [];
    for (let known = 1; sound.length < known; ) {
      const rows = await this.#sql
        .selectFrom(this.#table)
        .select(['part', 'parts', 'audio'])
        .where('key', '=', key)
        .where('copy', '=', copy)
        .where('part', '>=', sound.length)
        .where('part', '<', sound.length + PARTS_AT_ONCE)
        .orderBy('part')
        .execute();
      for (const { part, parts, audio } of rows) {
        if (part !== sound.length) return undefined;
        known = parts;
        sound.push(Buffer.from(audio));
      }
      if (rows.length === 0) return undefined;
    }
    return Buffer.concat(sound);
  }
}

/** How long pieces are kept, in ms: as long as a button can repeat the request. */
export const PIECES_FOR_MS = 24 * 60 * 60 * 1000;

/** The pieces of all processes on this database. All methods throw `database`. */
export class SpeechPieces {
  readonly #database: EngineDatabase;
  readonly #parts: SoundParts;

  constructor(database: EngineDatabase) {
    this.#database = database;
    this.#parts = new SoundParts(database.sql, 'speech_pieces');
  }

  /** Finds which of these pieces are complete; gives the name of a copy for each. */
  async kept(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { sql: database, now } = this.#database;
    const copies = await database
      .selectFrom('speech_pieces')
      .select(['key', 'copy'])
      .where('key', 'in', keys)
      .where('kept_at', '>', now() - PIECES_FOR_MS)
      .groupBy(['key', 'copy', 'parts'])
      // Leaves out copies that a killed process did not finish.
      .having(({ eb, fn, ref }) => eb(fn.countAll(), '=', ref('parts')))
      .execute();
    return new Map(copies.map(({ key, copy }) => [key, copy]));
  }

  /** Reads a copy; undefined if it is gone. */
  recall(key: string, copy: string): Promise<Buffer | undefined> {
    return this.#parts.read(key, copy);
  }

  async keep(key: string, person: string, sound: Buffer): Promise<void> {
    await this.#parts.write({ key, person, sound, keptAt: this.#database.now() });
  }

  async drop(keys: readonly string[]): Promise<void> {
    const table = { name: 'speech_pieces', key: ['id'], atOnce: PARTS_AT_ONCE };
    await changeRows(this.#database, table, { where: [sql`key in (${sql.join(keys)})`], order: 'key' });
  }
}
