/** Speech of several paid calls: each piece is kept as soon as it is there, so that whatever stops the rest, only that is paid later. */
import type { Speaker } from '../language/speaker.ts';
import { joinNotes } from '../media/voice/joined-note.ts';
import type { VoiceNote } from '../media/voice/voice-note.ts';
import { ifReadable } from './if-readable.ts';
import { noteReuse } from './note-reuse.ts';
import type { Asked } from './request.ts';
import { soundKey } from './result-key.ts';
import { type Piece, synthesise } from './synthesis.ts';
import type { Tools } from './tools.ts';

/** One piece is fetched while the one before it comes. */
const CALLS_AT_ONCE = 2;

/**
 * One voice note of all pieces in order: those that are kept are used again, the others are bought, each once however often it
 * occurs. Nothing is bought where the limits do not allow all that is missing. Throws the failure of any piece, but not before the one
 * that was being bought beside it is there and kept, since that is paid for.
 */
export async function speakPieces(
  tools: Tools,
  pieces: readonly Piece[],
  speaker: Speaker,
  { asker, signal, onProgress }: Asked,
): Promise<VoiceNote> {
  const { results, log } = tools;
  const texts = new Map(pieces.map(({ key, text }) => [key, text]));
  const kept = await keptOf(tools, [...texts.keys()]);
  if (kept.size < texts.size)
    await checkLimits(
      tools,
      texts.keys().filter((key) => !kept.has(key)),
      asker,
    );
  const notes = await recalled(tools, kept, asker);
  const tell = (): void => onProgress?.(notes.size, texts.size);

  const buy = async (key: string, text: string): Promise<void> => {
    const { ogg } = await synthesise(tools, { text, key }, speaker, { asker, signal });
    notes.set(key, ogg);
    tell();
    // The last piece is not kept by itself: now the whole speech is.
    if (notes.size === texts.size) return;
    await results.pieces.keep(key, asker.person, ogg).catch((error: unknown) => {
      log.error({ error }, 'a piece of speech was not kept');
    });
  };

  const toBuy = [...texts].filter(([key]) => !notes.has(key));
  if (toBuy.length > 0) tell();
  const buyInTurn = async (): Promise<void> => {
    for (let next = toBuy.shift(); next !== undefined; next = toBuy.shift()) {
      await buy(...next).catch((error: unknown) => {
        // Half a speech is of no use: nothing more is begun, nor paid for.
        toBuy.length = 0;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: CALLS_AT_ONCE }, buyInTurn));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return joinNotes(pieces.flatMap(({ key }) => notes.get(key) ?? []));
}

/** Deletes the pieces of a speech that is kept as one; nobody waits for it, and what it leaves is pruned. */
export function dropPieces({ results, log }: Tools, pieces: readonly Piece[]): void {
  results.pieces
    .drop(pieces.map(({ key }) => key))
    .catch((error: unknown) => log.warn({ error }, 'pieces of speech were not deleted'));
}

/** Throws where the limits do not allow all of these, but for those whose sound is there already. */
async function checkLimits(tools: Tools, missing: Iterable<string>, asker: Asked['asker']): Promise<void> {
  const sounds = [...missing].map(soundKey);
  const kept = await keptOf(tools, sounds);
  if (kept.size < sounds.length) await tools.ledger.check(asker, sounds.length - kept.size);
}

async function recalled(
  tools: Tools,
  kept: ReadonlyMap<string, string>,
  asker: Asked['asker'],
): Promise<Map<string, Buffer>> {
  const { results, log } = tools;
  const notes = new Map<string, Buffer>();
  for (const [key, copy] of kept) {
    const ogg = await ifReadable(
      results.pieces.recall(key, copy),
      log,
      'a kept piece of speech cannot be read',
    );
    if (ogg === undefined) continue;
    notes.set(key, ogg);
    noteReuse(tools, asker, 'speech');
  }
  return notes;
}

async function keptOf(
  { results, log }: Tools,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const kept = await ifReadable(results.pieces.kept(keys), log, 'kept pieces of speech cannot be read');
  return kept ?? new Map();
}
