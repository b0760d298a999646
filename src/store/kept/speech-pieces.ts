/** Pieces of a long speech that were paid for, kept until all of it is there: what a kill or a failure cuts off goes on from them. */
import type { EngineDatabase } from '../engine.ts';
import { PARKED_FOR_MS } from './parked-updates.ts';
import { createSoundParts } from './sound-parts.ts';

export interface SpeechPieces {
  /** Which of these pieces are kept whole, each with the name of a copy of it. */
  kept(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** A copy as it was kept, OGG/Opus; undefined where it is gone. */
  recall(key: string, copy: string): Promise<Buffer | undefined>;
  keep(key: string, person: string, ogg: Buffer): Promise<void>;
  /** Deletes pieces that are not needed any more. */
  drop(keys: readonly string[]): Promise<void>;
  /** Deletes what is older than a day. */
  prune(): Promise<void>;
}

/** As long as the request can be repeated with its button. */
const KEPT_MS = PARKED_FOR_MS;

/** Those of all processes on this database. */
export function createSpeechPieces({
  promptly: database,
  now,
}: Pick<EngineDatabase, 'promptly' | 'now'>): SpeechPieces {
  const parts = createSoundParts(database, 'speech_pieces');

  return {
    kept: async (keys) => {
      const copies = await database
        .selectFrom('speech_pieces')
        .select(['key', 'copy'])
        .where('key', 'in', keys)
        .where('kept_at', '>', now() - KEPT_MS)
        .groupBy(['key', 'copy', 'parts'])
        // A copy that a killed process did not finish does not count.
        .having(({ eb, fn, ref }) => eb(fn.countAll(), '=', ref('parts')))
        .execute();
      return new Map(copies.map(({ key, copy }) => [key, copy]));
    },

    recall: (key, copy) => parts.read(key, copy),

    keep: async (key, person, ogg) => {
      await parts.write({ key, person, ogg, keptAt: now() });
    },

    drop: (keys) => parts.erase((row) => row('key', 'in', keys)),

    prune: () => parts.erase((row) => row('kept_at', '<=', now() - KEPT_MS)),
  };
}
