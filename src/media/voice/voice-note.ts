/** Makes a voice note of speech while it is still arriving. */
import { Failure } from '../../errors.ts';
import { SAMPLE_RATE } from '../../pcm-format.ts';
import { cancellation } from '../cancelled.ts';
import { withProof } from './encoder-proof.ts';
import { createEncoderSlots } from './encoder-slots.ts';
import { takeIn } from './speech-intake.ts';

export interface VoiceNote {
  /** OGG/Opus, mono: what Telegram shows as a voice message. */
  readonly ogg: Buffer;
  /** Exact: samples by sample rate. */
  readonly durationSeconds: number;
}

export interface VoiceEncoder {
  /**
   * Makes the first speech as quick as the others, and throws `audio`, in words for the operator, if none
   * could be made.
   */
  warm(): Promise<void>;
  /** After an encoder has failed: makes a note of silence first, and throws as `encode` does where that fails, too. At once otherwise. */
  prove(signal: AbortSignal): Promise<void>;
  /**
   * The voice note of `pcm` (s16le, 16 kHz, mono, cut into chunks anywhere), a few ms after its last byte.
   *
   * Whatever goes wrong first ends all of it: no ffmpeg is left when this settles, and there is never a
   * shortened note. Throws the source's own error untouched; `audio` when the speech is empty or ends in the
   * middle of a sample, or ffmpeg fails; `cancelled` (or the signal's own Failure) when the signal aborts.
   *
   * `onWaiting` is told where all of the speech is there and waits for others to be encoded before it.
   */
  encode(pcm: AsyncIterable<Uint8Array>, signal?: AbortSignal, onWaiting?: () => void): Promise<VoiceNote>;
}

/** From the last sample to the end of the file, waiting for its turn included, in ms: a moment, unless the encoder hangs. */
const LONGEST_END_MS = 3 * 60 * 1000;

/** `concurrency`: best one more than there are cores; see `createEncoderSlots`. `ffmpegPath`: see `useFfmpeg`. */
export function createVoiceEncoder(options: { concurrency: number; ffmpegPath?: string }): VoiceEncoder {
  const slots = createEncoderSlots(options.concurrency);
  /** Loaded when it is first needed: the start does not wait for fluent-ffmpeg. */
  const loadOpus = async () => {
    const opus = await import('./opus.ts').catch((cause: unknown) => {
      throw new Failure('audio', 'the encoder cannot be loaded', { cause });
    });
    if (options.ffmpegPath) opus.useFfmpeg(options.ffmpegPath);
    return opus;
  };

  const encode: VoiceEncoder['encode'] = async (pcm, signal, onWaiting) => {
    if (signal?.aborted) throw cancellation(signal);
    const fault = new AbortController();
    const onFault = (reason: unknown) => fault.abort(reason);
    const onAbort = () => signal && onFault(cancellation(signal));
    signal?.addEventListener('abort', onAbort, { once: true });

    const { stream, begun, samples } = takeIn(pcm, fault.signal);
    const encodeOpus = async () => (await loadOpus()).encodeOpus(stream, samples, fault.signal);
    const ogg = begun.then(() => slots.run(encodeOpus, samples, fault.signal, onWaiting));
    samples.catch(onFault);
    ogg.catch(onFault);
    let hanging: NodeJS.Timeout | undefined;
    const expectEnd = (): void => {
      const reason = new Failure('audio', 'the encoder does not come to an end');
      hanging = setTimeout(onFault, LONGEST_END_MS, reason);
    };
    samples.then(expectEnd, () => {});
    try {
      await Promise.allSettled([samples, ogg]);
      fault.signal.throwIfAborted();
      return { ogg: await ogg, durationSeconds: (await samples) / SAMPLE_RATE };
    } finally {
      clearTimeout(hanging);
      signal?.removeEventListener('abort', onAbort);
      stream.destroy();
    }
  };

  return {
    warm: async () => (await loadOpus()).probeFfmpeg(),
    ...withProof(encode),
  };
}
