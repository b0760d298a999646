/**
 * Stores sound of any length in rows of bounded size, so that writing, reading and erasing it blocks nobody. Paid pieces of a long speech
 * stay here until the speech is complete, and paid sound until it is encoded: after a kill or a failure the work goes on from them.
 */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { changeRows } from '../batches.ts';
import type { EngineDatabase } from '../engine.ts';
import type { Schema } from '../schema.ts';

type SoundTable = 'speech_pieces' | 'note_parts';

interface SoundParts {
  /** Writes a copy row by row; gives its name. A copy that a killed process left unfinished does not count. */
  write(copy: { key: string; person: string; sound: Buffer; keptAt: number }): Promise<string>;
  /** Reads a copy; undefined if it is incomplete. */
  read(key: string, copy: string): Promise<Buffer | undefined>;
}

/** 40 s of speech. Writing or overwriting such a row takes less than 1 ms; a whole note may have 8 MB. */
export const PART_BYTES = 128 * 1024;
/** Bounds how long one read, change or erasure blocks the process. */
export const PARTS_AT_ONCE = 4;

/** Sound in one of these two tables. */
export function createSoundParts(database: Kysely<Schema>, table: SoundTable): SoundParts {
  return {
    write: async ({ key, person, sound, keptAt }) => {
      const copy = randomUUID();
      const parts = Math.ceil(sound.length / PART_BYTES);
      for (let part = 0; part < parts; part += 1) {
        const audio = sound.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
        await database
          .insertInto(table)
          .values({ key, copy, part, parts, person, audio, kept_at: keptAt })
          .execute();
      }
      return copy;
    },

    read: async (key, copy) => {
      const sound: Buffer[] = [];
      for (let known = 1; sound.length < known; ) {
        const rows = await database
          .selectFrom(table)
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
    },
  };
}

export interface SpeechPieces {
  /** Finds which of these pieces are complete; gives the name of a copy for each. */
  kept(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Reads a copy; undefined if it is gone. */
  recall(key: string, copy: string): Promise<Buffer | undefined>;
  keep(key: string, person: string, sound: Buffer): Promise<void>;
  drop(keys: readonly string[]): Promise<void>;
}

/** How long pieces are kept, in ms: as long as a button can repeat the request. */
export const PIECES_FOR_MS = 24 * 60 * 60 * 1000;

/** The pieces of all processes on this database. */
export function createSpeechPieces(
  engine: Pick<EngineDatabase, 'sql' | 'engine' | 'now' | 'keptUp'>,
): SpeechPieces {
  const { sql: database, now } = engine;
  const parts = createSoundParts(database, 'speech_pieces');

  return {
    kept: async (keys) => {
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
    },

    recall: (key, copy) => parts.read(key, copy),

    keep: async (key, person, sound) => {
      await parts.write({ key, person, sound, keptAt: now() });
    },

    drop: (keys) =>
      changeRows(
        engine,
        { name: 'speech_pieces', key: ['id'], atOnce: PARTS_AT_ONCE },
        { where: [sql`key in (${sql.join(keys)})`], order: 'key' },
      ),
  };
}
