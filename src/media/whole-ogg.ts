/** Whether an encoder's file holds all of the speech: one that was killed kindly, or lost its input, ends in good order too soon. */

/** Of one page (RFC 3533 §6), in bytes from its beginning. */
const CAPTURE_PATTERN = 'OggS';
const FLAGS_AT = 5;
const GRANULE_AT = 6;
const PAGE_HEADER_BYTES = 27;
const END_OF_STREAM = 0x04;
/** Opus counts in 48 kHz whatever it was given (RFC 7845 §4); our speech comes at 16 kHz. */
const GRANULES_PER_SAMPLE = 3n;

/** True for an OGG/Opus file whose last page ends the stream, no earlier than after `samples` of 16 kHz. */
export function isWholeOgg(ogg: Buffer, samples: number): boolean {
  const last = ogg.lastIndexOf(CAPTURE_PATTERN);
  if (!ogg.subarray(0, CAPTURE_PATTERN.length).equals(Buffer.from(CAPTURE_PATTERN))) return false;
  if (last + PAGE_HEADER_BYTES > ogg.length) return false;
  const isEnd = ((ogg[last + FLAGS_AT] ?? 0) & END_OF_STREAM) !== 0;
  return isEnd && ogg.readBigInt64LE(last + GRANULE_AT) >= BigInt(samples) * GRANULES_PER_SAMPLE;
}
