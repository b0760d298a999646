/** Whether an encoder's file holds all of the speech: one that was killed kindly, or lost its input, ends in good order too soon. */
import { CAPTURE_PATTERN, endsStream, granuleOf, HEADER_BYTES } from './ogg-pages.ts';

/** Opus counts in 48 kHz whatever it was given (RFC 7845 §4); our speech comes at 16 kHz. */
const GRANULES_PER_SAMPLE = 3n;

/** True for an OGG/Opus file whose last page ends the stream, no earlier than after `samples` of 16 kHz. */
export function isWholeOgg(ogg: Buffer, samples: number): boolean {
  if (!ogg.subarray(0, CAPTURE_PATTERN.length).equals(CAPTURE_PATTERN)) return false;
  const last = ogg.subarray(ogg.lastIndexOf(CAPTURE_PATTERN));
  if (last.length < HEADER_BYTES) return false;
  return endsStream(last) && granuleOf(last) >= BigInt(samples) * GRANULES_PER_SAMPLE;
}
