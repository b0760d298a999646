/** PCM in whole samples. */
import { SAMPLE_BYTES } from '../../pcm-format.ts';
import { ServiceFailure } from '../failure.ts';

/**
 * The same bytes, cut between samples: one that was torn across two chunks is joined again.
 * Throws `malformed` when the end is not the end of a sample, or when there is nothing at all.
 */
export async function* wholeSamples(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let torn: Buffer = Buffer.alloc(0);
  let isEmpty = true;
  for await (const chunk of chunks) {
    if (chunk.length > 0) isEmpty = false;
    const joined = torn.length === 0 ? chunk : Buffer.concat([torn, chunk]);
    const whole = joined.length - (joined.length % SAMPLE_BYTES);
    torn = joined.subarray(whole);
    if (whole > 0) yield joined.subarray(0, whole);
  }
  if (torn.length > 0) throw unusable('the speech ends within a sample');
  if (isEmpty) throw unusable('the speech is empty');
}

function unusable(message: string): ServiceFailure {
  return new ServiceFailure('malformed', message, { outcome: 'in-doubt' });
}
