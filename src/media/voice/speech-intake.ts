/** Reads speech as fast as it arrives, even if no encoder is free yet, and checks that it is complete. */
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { Failure } from '../../errors.ts';
import { unlessCancelled } from '../../patience.ts';

// How speech comes from the service (service-interface §4.4): PCM, signed 16-bit little-endian, one channel.
/** Samples per second. */
export const SAMPLE_RATE = 16_000;
export const SAMPLE_BYTES = 2;
export const CHANNELS = 1;

/**
 * Bytes buffered while no encoder reads them: 17 minutes of speech, more than the longest text (3000 characters) gives. So a paid call
 * never waits for an encoder. Beyond this the source waits.
 */
export const BACKLOG_BYTES = 32 * 1024 * 1024;

interface SpeechIntake {
  /** The bytes in order; never emits an error, and ends only if the speech is complete. */
  readonly stream: Readable;
  /** Resolves with the first bytes; rejects like `samples`. */
  readonly begun: Promise<void>;
  /**
   * The number of samples, once the source has ended. Rejects with the source's own error, with `audio` if it is empty or ends in the
   * middle of a sample, and as soon as `stop` aborts.
   */
  readonly samples: Promise<number>;
}

/**
 * Starts at once to read `pcm` (s16le, 16 kHz, mono, in chunks of any length). After `stop` it closes the source at the next chunk: a
 * source that waits for its network cannot be interrupted.
 */
export function takeIn(pcm: AsyncIterable<Uint8Array>, stop: AbortSignal): SpeechIntake {
  const stream = new PassThrough({ writableHighWaterMark: BACKLOG_BYTES });
  const begun = Promise.withResolvers<void>();
  const samples = unlessCancelled(readAll(pcm, stream, begun.resolve, stop), stop);
  samples.catch(begun.reject);
  return { stream, begun: begun.promise, samples };
}

async function readAll(
  pcm: AsyncIterable<Uint8Array>,
  stream: PassThrough,
  onFirstBytes: () => void,
  stop: AbortSignal,
): Promise<number> {
  let bytes = 0;
  for await (const chunk of pcm) {
    stop.throwIfAborted();
    if (chunk.length === 0) continue;
    bytes += chunk.length;
    const room = stream.write(chunk);
    onFirstBytes();
    if (!room) await once(stream, 'drain', { signal: stop });
  }
  if (bytes === 0) throw new Failure('audio', 'the speech is empty');
  if (bytes % SAMPLE_BYTES !== 0) throw new Failure('audio', 'the speech ends in the middle of a sample');
  stream.end();
  return bytes / SAMPLE_BYTES;
}
