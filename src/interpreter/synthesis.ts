/** From pieces of text to one voice note: the first is encoded while it comes, the next is fetched ahead. */
import { isFailure } from '../errors.ts';
import type { Variety } from '../language/variety.ts';
import type { Voice } from '../language/voice.ts';
import type { VoiceEncoder, VoiceNote } from '../media/voice-note.ts';
import type { Service } from '../service/client.ts';
import { isBrokenOff } from '../service/failure.ts';
import type { Meter } from '../service/meter.ts';
import { createReplay } from './replay.ts';

/** Speech that breaks off midway is tried once more, never oftener: each try is paid for (spec §3). */
const TRIES = 2;
/** Sound of four minutes, kept until its voice note is made. */
const MOST_KEPT_BYTES = 8 * 1024 * 1024;

export interface SynthesisOptions {
  readonly signal: AbortSignal;
  readonly meter: Meter;
  readonly onProgress: ((done: number, total: number) => void) | undefined;
}

/** One voice note of all pieces, in order. Throws the failure of any of them. */
export async function synthesise(
  { service, voices }: { service: Service; voices: VoiceEncoder },
  pieces: readonly string[],
  speaker: { variety: Variety; voice?: Voice },
  { signal, meter, onProgress }: SynthesisOptions,
): Promise<VoiceNote> {
  const ended = new AbortController();
  const options = { signal: AbortSignal.any([signal, ended.signal]), meter };
  const call = (text: string) => service.speak({ text, ...speaker }, options);

  /** Pieces that are fetched whole while the one before them is encoded; they are kept if the first has to be repeated. */
  const whole = new Map<number, Promise<Buffer[]>>();
  const fetchAhead = (index: number): void => {
    const piece = pieces[index];
    if (piece === undefined || whole.has(index)) return;
    const fetched = onceMoreIfBrokenOff(async () => Array.fromAsync<Buffer>(await call(piece)));
    // It is thrown where the piece is waited for; until then it must not count as unhandled.
    fetched.catch(() => {});
    whole.set(index, fetched);
  };

  async function* pcm(): AsyncGenerator<Buffer> {
    onProgress?.(0, pieces.length);
    for (const [index, piece] of pieces.entries()) {
      fetchAhead(index + 1);
      yield* (await whole.get(index)) ?? (await call(piece));
      whole.delete(index);
      onProgress?.(index + 1, pieces.length);
    }
  }

  try {
    // Only the first piece reaches the encoder before it is whole: if it breaks off, a new encoder starts from the beginning.
    return await onceMoreIfBrokenOff(() => encodeRepeatably(voices, pcm(), signal));
  } finally {
    ended.abort();
  }
}

/** An encoder that fails is no reason to pay again: another one is given what has come, and the rest. */
async function encodeRepeatably(
  voices: VoiceEncoder,
  pcm: AsyncGenerator<Buffer>,
  signal: AbortSignal,
): Promise<VoiceNote> {
  const sound = createReplay(pcm, MOST_KEPT_BYTES);
  try {
    return await voices.encode(sound.listen(), signal).catch((error: unknown) => {
      if (!isFailure(error, 'audio') || !sound.canRepeat()) throw error;
      return voices.encode(sound.listen(), signal);
    });
  } finally {
    // Not waited for: it ends with what it is waiting for itself, and that ends with the call.
    sound.close().catch(() => {});
  }
}

async function onceMoreIfBrokenOff<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isBrokenOff(error) || attempt >= TRIES) throw error;
    }
  }
}
