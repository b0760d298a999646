/** Sound of any length in rows of bounded size, so that neither writing, reading nor erasing it holds anybody up. */
import { randomUUID } from 'node:crypto';
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import { inBatches } from '../batches.ts';
import type { Schema } from '../schema.ts';

export const SOUND_TABLES = ['speech_pieces', 'note_parts'] as const;
export type SoundTable = (typeof SOUND_TABLES)[number];

export interface SoundParts {
  /** Writes a copy, a row at a time; gives the name by which it is found. What a killed process did not finish does not count. */
  write(sound: { key: string; person: string; ogg: Buffer; keptAt: number }): Promise<string>;
  /** A copy byte for byte; undefined where it is not whole. */
  read(key: string, copy: string): Promise<Buffer | undefined>;
  /** Erases the parts that are meant. */
  erase(isMeant: (row: ExpressionBuilder<Schema, SoundTable>) => Expression<SqlBool>): Promise<void>;
}

/** 40 s of speech. A row is written, and overwritten, in less than a ms; a whole note may have 8 MB. */
export const PART_BYTES = 128 * 1024;
/** So that reading, changing and erasing take no longer at once than writing does. */
export const PARTS_AT_ONCE = 4;

/** Sound in the rows of one of these tables. */
export function createSoundParts(database: Kysely<Schema>, table: SoundTable): SoundParts {
  return {
    write: async ({ key, person, ogg, keptAt }) => {
      const copy = randomUUID();
      const parts = Math.ceil(ogg.length / PART_BYTES);
      for (let part = 0; part < parts; part += 1) {
        const audio = ogg.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
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

    erase: async (isMeant) => {
      await inBatches(
        (limit) =>
          database
            .deleteFrom(table)
            .where('id', 'in', (rows) => rows.selectFrom(table).select('id').where(isMeant).limit(limit))
            .executeTakeFirst(),
        PARTS_AT_ONCE,
      );
    },
  };
}
