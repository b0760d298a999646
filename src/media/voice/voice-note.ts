/** Makes a voice note of speech while it is still arriving. */
import PQueue from 'p-queue';
import { Failure, isFailure } from '../../errors.ts';
import { cancellation, unlessCancelled } from '../../patience.ts';
import { SAMPLE_BYTES, SAMPLE_RATE, takeIn } from './speech-intake.ts';

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
   * The first thing that goes wrong ends all of it: no ffmpeg is left when this settles, and there is never a
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
  const inSlot = createEncoderSlots(options.concurrency);
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
    const ogg = begun.then(() => inSlot(encodeOpus, samples, fault.signal, onWaiting));
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

/** A tenth of a second: enough for an encoder to show that it works. */
const SILENCE_BYTES = (SAMPLE_RATE / 10) * SAMPLE_BYTES;

/**
 * The same `encode`, and the `prove` of `VoiceEncoder`: an encoder that has failed encodes silence before more speech is paid for.
 * All who ask at the same time share one proof.
 */
function withProof(encode: VoiceEncoder['encode']): Pick<VoiceEncoder, 'encode' | 'prove'> {
  /** True while the encoding that ended last had failed. */
  let isInDoubt = false;
  let proof: Promise<VoiceNote> | undefined;

  const watched: VoiceEncoder['encode'] = async (pcm, signal, onWaiting) => {
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

/** In ms. What is done for those who wait costs the others time: with 300 speech was a tenth slower where all slots are busy. */
const LONG_WAIT_MS = 1000;

/**
 * `concurrency` slots for speech that is still arriving, and one more for speech that is all there. An
 * encoder mostly waits for its source, so the first could be held for as long as slow sources talk; the last
 * is left within a moment (10 s of speech take 0.1 s), so a caller that finds the others held loses that moment and
 * never waits for another's source. A speech queues for the first, to be ready with its last byte, and from
 * its end on also for the last.
 *
 * Gives a function that runs `encode` in the first slot that is free for it, and gives what it gives. `complete` settles when all of
 * the speech is there. Once `stop` aborts, an `encode` that has not begun never does. `onWaiting` is told when all of the speech has
 * been there for `LONG_WAIT_MS` and no slot was free.
 */
function createEncoderSlots(concurrency: number) {
  const arriving = new PQueue({ concurrency });
  const arrived = new PQueue({ concurrency: 1 });

  return <T>(
    encode: () => Promise<T>,
    complete: Promise<unknown>,
    stop: AbortSignal,
    onWaiting = () => {},
  ): Promise<T> => {
    const outcome = Promise.withResolvers<T>();
    let taken = false;
    let waiting: NodeJS.Timeout | undefined;
    const take = (begin: () => Promise<T>) => async () => {
      if (taken) return;
      taken = true;
      clearTimeout(waiting);
      stop.removeEventListener('abort', giveUp);
      await begin().then(outcome.resolve, outcome.reject);
    };
    const giveUp = take(() => Promise.reject(stop.reason));

    if (stop.aborted) void giveUp();
    else stop.addEventListener('abort', giveUp, { once: true });
    void arriving.add(take(encode));
    complete.then(
      () => {
        if (taken) return;
        waiting = setTimeout(onWaiting, LONG_WAIT_MS);
        void arrived.add(take(encode));
      },
      () => {},
    );
    return outcome.promise;
  };
}
