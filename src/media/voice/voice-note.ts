/** Makes a voice note from speech as it arrives. */
import PQueue from 'p-queue';
import { Failure, isFailure } from '../../errors.ts';
import { cancellation, standAside, throwIfCancelled, unlessAborted } from '../../patience.ts';
import { SAMPLE_BYTES, SAMPLE_RATE, SpeechIntake } from './speech-intake.ts';

export interface VoiceNote {
  /** OGG/Opus, mono, as Telegram's voice messages. */
  readonly ogg: Buffer;
  /** The number of samples divided by the sample rate; of a slowed note its original's by the tempo, some 10 ms off. */
  readonly durationSeconds: number;
}

/** In ms. Storing the sound of waiting speech costs the others time: with 300 ms, speech was a tenth slower when all slots were busy. */
const LONG_WAIT_MS = 1000;

/** The silence that proves that an encoder works, in seconds. */
const PROOF_S = 0.1;
/** The silence between two speakers, in seconds. */
export const PAUSE_S = 0.6;

export class VoiceEncoder {
  /** For speech that is still arriving: slow sources can hold these slots for long. */
  readonly #arriving: PQueue;
  /** One slot more for complete speech, free again within a moment (10 s take 0.1 s), so no speech waits for another's source. */
  readonly #arrived = new PQueue({ concurrency: 1 });
  #isInDoubt = false;
  #pause: VoiceNote | undefined;

  /** `concurrency`: of speech that is still arriving; ideally the number of cores plus one. */
  constructor(concurrency: number) {
    this.#arriving = new PQueue({ concurrency });
  }

  /** Loads the encoder ahead of the first speech. Throws `audio`, with a message for the operator, if the encoder does not work. */
  async warm(): Promise<void> {
    await (await loadOpus()).probeFfmpeg();
  }

  /** If the last encoding failed, encodes silence before more speech is paid for, and throws as `encode` does if that fails, too. */
  async prove(signal: AbortSignal): Promise<void> {
    if (this.#isInDoubt) await this.encode(silence(PROOF_S), signal);
  }

  /**
   * Encodes `pcm` (s16le, 16 kHz, mono, in chunks of any length), to be ready a few ms after its last byte. No ffmpeg is left when this
   * settles, and a note is never shortened.
   * Throws the source's own error untouched; `audio` if the speech is empty or ends within a sample, or the encoder fails; `cancelled` (or
   * the signal's own Failure) if the signal aborts.
   * `onDelay` is called if the encoder fails, and if the complete speech waits for a free one. `whole` gives the speech
   * (`SpeechIntake.whole`), which is read to its end even if the encoder does not work.
   */
  async encode(
    pcm: AsyncIterable<Uint8Array>,
    signal?: AbortSignal,
    onDelay: (whole: () => Promise<Buffer | undefined>) => void = () => {},
  ): Promise<VoiceNote> {
    throwIfCancelled(signal);
    const stop = new AbortController();
    const onAbort = () => signal && stop.abort(cancellation(signal));
    signal?.addEventListener('abort', onAbort, { once: true });
    const intake = new SpeechIntake(pcm, stop.signal);
    const { begun, samples } = intake;
    samples.catch((reason: unknown) => stop.abort(reason));
    const whole = () => intake.whole();
    const encode = async () => (await loadOpus()).encodeOpus(intake.stream, stop.signal);
    try {
      await begun;
      const ogg = await this.#inSlot(encode, samples, stop.signal, () => onDelay(whole));
      this.#isInDoubt = false;
      return { ogg, durationSeconds: (await samples) / SAMPLE_RATE };
    } catch (error) {
      // What is still to come is paid for, too.
      if (!stop.signal.aborted) {
        onDelay(whole);
        await whole().catch(() => {});
      }
      const fault: unknown = stop.signal.aborted ? stop.signal.reason : error;
      this.#isInDoubt ||= isFailure(fault, 'audio');
      throw fault;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      stop.abort();
      intake.stream.destroy();
    }
  }

  /** Encoded once. Throws like `encode`. */
  async pause(signal: AbortSignal): Promise<VoiceNote> {
    this.#pause ??= await this.encode(silence(PAUSE_S), signal);
    return this.#pause;
  }

  /** Keeps the pitch. Throws `audio` if ffmpeg fails; `cancelled` like `encode`. */
  async slow({ ogg, durationSeconds }: VoiceNote, signal: AbortSignal): Promise<VoiceNote> {
    const { slowed, SLOW_TEMPO } = await loadOpus();
    const slow = await this.#made(() => slowed(ogg, signal), signal);
    return { ogg: slow, durationSeconds: durationSeconds / SLOW_TEMPO };
  }

  /** Throws like `slow`. */
  async join(notes: readonly VoiceNote[], signal: AbortSignal): Promise<Buffer> {
    const { joined } = await loadOpus();
    const oggs = notes.map(({ ogg }) => ogg);
    return this.#made(() => joined(oggs, signal), signal);
  }

  #made(make: () => Promise<Buffer>, signal: AbortSignal): Promise<Buffer> {
    throwIfCancelled(signal);
    return unlessAborted(this.#inSlot(make, Promise.resolve(), signal), signal);
  }

  /**
   * Runs `encode` in the first free slot. `complete` settles when the whole speech has arrived. After `stop` aborts, an `encode` that has not
   * begun never does. `onWaiting` is called if no slot was free for `LONG_WAIT_MS` after the speech was complete.
   */
  #inSlot<T>(
    encode: () => Promise<T>,
    complete: Promise<unknown>,
    stop: AbortSignal,
    onWaiting = () => {},
  ): Promise<T> {
    const outcome = Promise.withResolvers<T>();
    const begun = Promise.withResolvers<void>();
    let taken = false;
    let waiting: NodeJS.Timeout | undefined;
    const take = (begin: () => Promise<T>) => async () => {
      if (taken) return;
      taken = true;
      begun.resolve();
      clearTimeout(waiting);
      stop.removeEventListener('abort', giveUp);
      await begin().then(outcome.resolve, outcome.reject);
    };
    const giveUp = take(() => Promise.reject(stop.reason));

    if (stop.aborted) void giveUp();
    else stop.addEventListener('abort', giveUp, { once: true });
    void this.#arriving.add(take(encode));
    complete.then(
      () => {
        if (taken) return;
        waiting = setTimeout(onWaiting, LONG_WAIT_MS);
        void this.#arrived.add(take(encode));
        if (!taken) void standAside(begun.promise, { mayHold: true });
      },
      () => {},
    );
    return outcome.promise;
  }
}

/** On first use, so that the start does not wait for fluent-ffmpeg. */
function loadOpus() {
  return import('./opus.ts').catch((cause: unknown) => {
    throw new Failure('audio', 'the encoder cannot be loaded', { cause });
  });
}

async function* silence(seconds: number): AsyncGenerator<Buffer> {
  yield Buffer.alloc(Math.round(seconds * SAMPLE_RATE) * SAMPLE_BYTES);
}
