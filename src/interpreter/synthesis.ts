/** From one piece of text to its voice note, encoded while it comes. */
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

export interface Speaker {
  readonly variety: Variety;
  /** For Chinese alone. */
  readonly voice?: Voice;
}

export interface SynthesisOptions {
  readonly signal: AbortSignal;
  readonly meter: Meter;
}

/** The voice note of a text of one call. If its speech breaks off, a new encoder starts from the beginning. */
export async function synthesise(
  { service, voices }: { service: Service; voices: VoiceEncoder },
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
