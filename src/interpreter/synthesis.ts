/** From one piece of text to its voice note, encoded while it comes. */
import { setTimeout as delay } from 'node:timers/promises';
import { isFailure } from '../errors.ts';
import type { Variety } from '../language/variety.ts';
import type { Voice } from '../language/voice.ts';
import type { VoiceEncoder, VoiceNote } from '../media/voice-note.ts';
import type { Service } from '../service/client.ts';
import { isBrokenOff } from '../service/failure.ts';
import type { Meter } from '../service/meter.ts';
import { isShortage } from '../shortage.ts';
import { createReplay } from './replay.ts';

/** Speech that breaks off midway is tried once more, never oftener: each try is paid for (spec §3). */
const TRIES = 2;
/** An encoder that fails for another reason than a shortage of the machine's is replaced once. */
const ENCODERS = 2;
/** What there is too little of for an encoder is waited for, in ms: longer than connections idle that hold a file descriptor. */
const SHORTAGE_MS = 100_000;
const LONGEST_WAIT_MS = 8000;
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

/** An encoder that fails is no reason to pay again: another one is given what has come, and the rest. */
async function encodeRepeatably(
  voiceEncoder: VoiceEncoder,
  pcm: AsyncGenerator<Buffer>,
  signal: AbortSignal,
): Promise<VoiceNote> {
  const sound = createReplay(pcm, MOST_KEPT_BYTES);
  try {
    let failures = 0;
    let until = Number.POSITIVE_INFINITY;
    for (let waitMs = 250; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      try {
        return await voiceEncoder.encode(sound.listen(), signal);
      } catch (error) {
        if (!isFailure(error, 'audio') || !sound.canRepeat()) throw error;
        until = Math.min(until, performance.now() + SHORTAGE_MS);
        const mayPass = isShortage(error) && performance.now() < until;
        if (!mayPass) failures += 1;
        if (failures >= ENCODERS) throw error;
        if (mayPass) await delay(waitMs, undefined, { signal }).catch(() => {});
      }
    }
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
