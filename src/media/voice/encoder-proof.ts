/** An encoder that has failed has to prove itself: silence is encoded before more speech is paid for. */
import { isFailure } from '../../errors.ts';
import { SAMPLE_BYTES, SAMPLE_RATE } from '../../pcm-format.ts';
import { unlessCancelled } from '../cancelled.ts';

type Encode<Note> = (
  pcm: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
  onWaiting?: () => void,
) => Promise<Note>;

interface Proven<Note> {
  /** As the encoder given, and watched. */
  readonly encode: Encode<Note>;
  /** See `VoiceEncoder.prove`. */
  prove(signal: AbortSignal): Promise<void>;
}

/** A tenth of a second: enough for an encoder to show that it works. */
const SILENCE_BYTES = (SAMPLE_RATE / 10) * SAMPLE_BYTES;

/** Watches an encoder; whoever asks for a proof while one is under way gets that one. */
export function withProof<Note>(encode: Encode<Note>): Proven<Note> {
  /** True while the encoding that ended last had failed. */
  let isInDoubt = false;
  let proof: Promise<Note> | undefined;

  const watched: Encode<Note> = async (pcm, signal, onWaiting) => {
    try {
      const note = await encode(pcm, signal, onWaiting);
      isInDoubt = false;
      return note;
    } catch (error) {
      isInDoubt ||= isFailure(error, 'audio');
      throw error;
    }
  };

  return {
    encode: watched,
    prove: async (signal) => {
      if (!isInDoubt) return;
      proof ??= watched(silence()).finally(() => {
        proof = undefined;
      });
      await unlessCancelled(proof, signal);
    },
  };
}

async function* silence(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(SILENCE_BYTES);
}
