/** Pieces of a long speech that were paid for, kept until all of it is there: what a kill or a failure cuts off goes on from them. */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import { inBatches } from './batches.ts';
import type { Schema } from './schema.ts';

export interface SpeechPieces {
  /** Which of these pieces are kept whole. */
  kept(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** A piece as it was kept, OGG/Opus. */
  recall(key: string): Promise<Buffer | undefined>;
  keep(key: string, person: string, ogg: Buffer): Promise<void>;
  /** Deletes pieces that are not needed any more. */
  drop(keys: readonly string[]): Promise<void>;
  /** Deletes what is older than a day. */
  prune(): Promise<void>;
}

/** As long as the request can be repeated with its button (parked-updates.ts), in ms. */
const KEPT_MS = 24 * 60 * 60 * 1000;
/** 40 s of speech. A row is written, and overwritten, in less than a ms; a whole piece may have 2 MB. */
const PART_BYTES = 128 * 1024;
/** So that deleting takes no longer at once than writing does. */
const PARTS_AT_ONCE = 4;

/** `now` gives ms since the epoch. */
export function createSpeechPieces(database: Kysely<Schema>, now: () => number): SpeechPieces {
  /** A copy that a killed process did not finish is none. */
  const wholeCopies = (keys: readonly string[]) =>
    database
      .selectFrom('speech_pieces')
      .select(['key', 'copy'])
      .where('key', 'in', keys)
      .where('kept_at', '>', now() - KEPT_MS)
      .groupBy(['key', 'copy', 'parts'])
      .having(({ eb, fn, ref }) => eb(fn.countAll(), '=', ref('parts')));

  const deleteParts = async (
    isMeant: (row: ExpressionBuilder<Schema, 'speech_pieces'>) => Expression<SqlBool>,
  ): Promise<void> => {
    await inBatches(
      (limit) =>
        database
          .deleteFrom('speech_pieces')
          .where('id', 'in', (rows) =>
            rows.selectFrom('speech_pieces').select('id').where(isMeant).limit(limit),
          )
          .executeTakeFirst(),
      PARTS_AT_ONCE,
    );
  };

  return {
    kept: async (keys) => new Set((await wholeCopies(keys).execute()).map(({ key }) => key)),

    recall: async (key) => {
      const whole = await wholeCopies([key]).executeTakeFirst();
      if (whole === undefined) return undefined;
      const parts = await database
        .selectFrom('speech_pieces')
        .select('audio')
        .where('key', '=', key)
        .where('copy', '=', whole.copy)
        .orderBy('part')
        .execute();
      return Buffer.concat(parts.map(({ audio }) => Buffer.from(audio)));
    },

    keep: async (key, person, ogg) => {
      const copy = randomUUID();
      const keptAt = now();
      const parts = Math.ceil(ogg.length / PART_BYTES);
      for (let part = 0; part < parts; part += 1) {
        const audio = ogg.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
        await database
          .insertInto('speech_pieces')
          .values({ key, copy, part, parts, person, audio, kept_at: keptAt })
          .execute();
        await nextTurn();
      }
    },

    drop: (keys) => deleteParts((row) => row('key', 'in', keys)),

    prune: () => deleteParts((row) => row('kept_at', '<=', now() - KEPT_MS)),
  };
}
