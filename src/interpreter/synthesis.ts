/** From one piece of text to its voice note, encoded while it comes. */
import { isFailure } from '../errors.ts';
import type { Speaker } from '../language/speaker.ts';
import type { VoiceEncoder, VoiceNote } from '../media/voice/voice-note.ts';
import type { Service } from '../service/client.ts';
import { isBrokenOff } from '../service/failure.ts';
import type { Meter } from '../service/meter.ts';
import { isShortage, outlastShortage } from '../shortage.ts';
import { createReplay } from './replay.ts';

/** Speech that breaks off midway is tried once more, never oftener: each try is paid for (spec §3). */
const TRIES = 2;
/** For how long an encoder is waited for that the machine has no room for: longer than idle connections hold a file descriptor. */
const SHORTAGE = { firstMs: 250, mostMs: 8000, withinMs: 100_000 };
/** Sound of four minutes, kept until its voice note is made. */
const MOST_KEPT_BYTES = 8 * 1024 * 1024;

export interface SynthesisOptions {
  readonly signal: AbortSignal;
  readonly meter: Meter;
}

/** The voice note of a text of one call. If its speech breaks off, a new encoder starts from the beginning. */
export async function synthesise(
  { service, voiceEncoder }: { service: Service; voiceEncoder: VoiceEncoder },
  text: string,
  speaker: Speaker,
  { signal, meter }: SynthesisOptions,
): Promise<VoiceNote> {
  const ended = new AbortController();
  const options = { signal: AbortSignal.any([signal, ended.signal]), meter };
  async function* pcm(): AsyncGenerator<Buffer> {
    yield* await service.speak({ text, ...speaker }, options);
  }
  try {
    return await onceMoreIfBrokenOff(() => encodeRepeatably(voiceEncoder, pcm(), signal));
  } finally {
    ended.abort();
  }
}

/**
 * A failing encoder is no reason to pay again: the next one is given what has come already, and the rest. A shortage of the machine's is
 * waited out; after any other failure there is one more encoder.
 */
async function encodeRepeatably(
  voiceEncoder: VoiceEncoder,
  pcm: AsyncGenerator<Buffer>,
  signal: AbortSignal,
): Promise<VoiceNote> {
  const sound = createReplay(pcm, MOST_KEPT_BYTES);
  // Any other kind of failure comes from the speech itself, and no more of that can be had.
  const mayRepeat = (error: unknown): boolean => isFailure(error, 'audio') && sound.canRepeat();
  const encode = (): Promise<VoiceNote> =>
    outlastShortage(() => voiceEncoder.encode(sound.listen(), signal), { ...SHORTAGE, signal, mayRepeat });
  try {
    return await encode().catch((error: unknown) => {
      if (isShortage(error) || !mayRepeat(error)) throw error;
      return encode();
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
