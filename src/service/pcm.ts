/** PCM in whole samples: signed 16-bit little-endian, 16000 samples a second, one channel (service-interface §4.4). */
import { ServiceFailure } from './failure.ts';

const SAMPLE_BYTES = 2;

/** Far beyond what 3000 code points take to say: 50 minutes. */
const MAX_SPEECH_BYTES = 50 * 60 * 16_000 * SAMPLE_BYTES;

/**
 * The same bytes, cut between samples: one that was torn across two chunks is joined again.
 * Throws `malformed` when the end is not the end of a sample, when there is nothing at all, or no end in sight.
 */
export async function* wholeSamples(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let torn: Buffer = Buffer.alloc(0);
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > MAX_SPEECH_BYTES) throw unusable('the speech does not end');
    const joined = torn.length === 0 ? chunk : Buffer.concat([torn, chunk]);
    const whole = joined.length - (joined.length % SAMPLE_BYTES);
    torn = joined.subarray(whole);
    if (whole > 0) yield joined.subarray(0, whole);
  }
  if (torn.length > 0) throw unusable('the speech ends within a sample');
  if (length === 0) throw unusable('the speech is empty');
}

function unusable(message: string): ServiceFailure {
  return new ServiceFailure('malformed', message, { outcome: 'in-doubt' });
}
