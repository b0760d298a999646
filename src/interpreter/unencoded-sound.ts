/** Sound that was paid for and that no encoder took: kept for a day, so that whoever asks again gets it and pays nothing. */
import { ifReadable } from './if-readable.ts';
import { soundKey } from './result-key.ts';
import type { Tools } from './tools.ts';

type Parts = Pick<Tools, 'results' | 'log'>;

/** The whole sound of the speech with this key; undefined where none is kept, or it cannot be read. */
export async function recallSound({ results, log }: Parts, speech: string): Promise<Buffer | undefined> {
  const key = soundKey(speech);
  const recall = async (): Promise<Buffer | undefined> => {
    const copy = (await results.pieces.kept([key])).get(key);
    return copy === undefined ? undefined : results.pieces.recall(key, copy);
  };
  return ifReadable(recall(), log, 'kept sound cannot be read');
}

/** Keeps the sound once all of it is there, and nothing where it never is, or is too long. Never throws. */
export async function keepSound(
  { results, log }: Parts,
  speech: string,
  person: string,
  sound: Promise<Buffer | undefined>,
): Promise<void> {
  const pcm = await sound.catch(() => undefined);
  if (pcm === undefined) return;
  await results.pieces.keep(soundKey(speech), person, pcm).catch((error: unknown) => {
    log.error({ error }, 'sound that was paid for was not kept');
  });
}

/** Deletes it: the voice note is there. Nobody waits for it, and what it leaves is pruned. */
export function dropSound({ results, log }: Parts, speech: string): void {
  results.pieces
    .drop([soundKey(speech)])
    .catch((error: unknown) => log.warn({ error }, 'kept sound was not deleted'));
}
