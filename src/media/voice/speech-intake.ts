/** Reads speech as fast as it arrives, even if no encoder is free yet; keeps it; checks that it is complete. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { Failure } from '../../errors.ts';
import { unlessAborted } from '../../patience.ts';

// How speech comes from the service (service-interface §4.4): PCM, signed 16-bit little-endian, one channel.
/** Samples per second. */
export const SAMPLE_RATE = 16_000;
export const SAMPLE_BYTES = 2;
export const CHANNELS = 1;

/** In bytes: 17 minutes of speech, more than the longest text (3000 characters) gives. Beyond this the source waits for an encoder. */
export const BACKLOG_BYTES = 32 * 1024 * 1024;
/** Four minutes of speech, kept so that a failed encoder costs no second call. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/** Reads `pcm` (s16le, 16 kHz, mono) at once; after `stop`, closes it at the next chunk: a source that waits cannot be interrupted. */
export class SpeechIntake {
  /** Resolves with the first bytes; rejects like `samples`. */
  readonly begun: Promise<void>;
  /** The number of samples. Rejects with the source's error, `audio` if empty or cut within a sample, and when `stop` aborts. */
  readonly samples: Promise<number>;
  readonly #tooLong = Promise.withResolvers<undefined>();
  /** Undefined once it is too much to keep. */
  #kept: Uint8Array[] | undefined = [];
  /** The bytes in order; never emits an error, and ends only if the speech is complete. */
  readonly stream = new PassThrough({ writableHighWaterMark: BACKLOG_BYTES });

  constructor(pcm: AsyncIterable<Uint8Array>, stop: AbortSignal) {
    const begun = Promise.withResolvers<void>();
    this.begun = begun.promise;
    this.samples = unlessAborted(this.#readAll(pcm, begun.resolve, stop), stop);
    this.samples.catch(begun.reject);
  }

  /** All of the speech at its end; undefined if it is too long to keep. Rejects like `samples`. */
  async whole(): Promise<Buffer | undefined> {
    await Promise.race([this.samples, this.#tooLong.promise]);
    return this.#kept && Buffer.concat(this.#kept);
  }

  async #readAll(
    pcm: AsyncIterable<Uint8Array>,
    onFirstBytes: () => void,
    stop: AbortSignal,
  ): Promise<number> {
    let bytes = 0;
    for await (const chunk of pcm) {
      stop.throwIfAborted();
      if (chunk.length === 0) continue;
      bytes += chunk.length;
      this.#kept?.push(chunk);
      if (bytes > MAX_KEPT_BYTES) {
        this.#kept = undefined;
        this.#tooLong.resolve(undefined);
      }
      const room = this.stream.write(chunk);
      onFirstBytes();
      if (!room) await once(this.stream, 'drain', { signal: stop });
    }
    if (bytes === 0) throw new Failure('audio', 'the speech is empty');
    if (bytes % SAMPLE_BYTES !== 0) throw new Failure('audio', 'the speech ends in the middle of a sample');
    this.stream.end();
    return bytes / SAMPLE_BYTES;
  }
}
