/** The voice note of sound that can be heard again: an encoder that fails costs another encoder, and no second call. */
import { isFailure } from '../errors.ts';
import type { VoiceEncoder, VoiceNote } from '../media/voice/voice-note.ts';
import { isShortage, outlastShortage } from '../shortage.ts';
import type { Replay } from './replay.ts';

/** For how long an encoder is waited for that the machine has no room for: longer than idle connections hold a file descriptor. */
const SHORTAGE = { firstMs: 250, mostMs: 8000, withinMs: 100_000 };

/** Resolves once an encoder can be had that works; throws as `VoiceEncoder.prove` does where none can. */
export async function proveEncoder(voiceEncoder: VoiceEncoder, signal: AbortSignal): Promise<void> {
  await outlastShortage(() => voiceEncoder.prove(signal), { ...SHORTAGE, signal });
}

/**
 * Throws as `VoiceEncoder.encode` does. After a failure of the encoder, the next one is given what has come already, and the rest: a
 * shortage of the machine's is waited out, after any other failure there is one more encoder. `onDelay` is told of each, and where
 * others are encoded first: the note may be long in coming.
 */
export async function encodeRepeatably(
  voiceEncoder: VoiceEncoder,
  sound: Replay,
  signal: AbortSignal,
  onDelay: () => void = () => {},
): Promise<VoiceNote> {
  // Any other kind of failure comes from the speech itself, and no more of that can be had.
  const mayRepeat = (error: unknown): boolean => isFailure(error, 'audio') && sound.canRepeat();
  const patience = { ...SHORTAGE, signal, mayRepeat, onShortage: onDelay };
  const encode = (): Promise<VoiceNote> =>
    outlastShortage(() => voiceEncoder.encode(sound.listen(), signal, onDelay), patience).catch(
      (error: unknown) => {
        if (isFailure(error, 'audio')) onDelay();
        throw error;
      },
    );
  return encode().catch((error: unknown) => {
    if (isShortage(error) || !mayRepeat(error)) throw error;
    return encode();
  });
}
