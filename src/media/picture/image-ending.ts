/** Cheap proof, without decoding, that a JPEG or PNG file was not cut off on its way here. */

const JPEG_END_OF_IMAGE = 0xd9;
const JPEG_START_OF_SCAN = 0xda;
const PNG_SIGNATURE_BYTES = 8;
const PNG_CHUNK_OVERHEAD_BYTES = 12;
/** Of chunks or segments: more than any program writes, and looked at in a ms. A file with more is proved by decoding it. */
const MOST_PARTS = 20_000;

/**
 * Whether a JPEG has an end-of-image marker after its first scan begins. The end of the file is not asked for
 * it: cameras append previews, depth maps and videos. Markers before the scan do not count either: an EXIF
 * thumbnail is a whole JPEG of its own.
 */
export function jpegIsWhole(bytes: Buffer): boolean {
  let at = 2;
  for (let parts = 0; parts < MOST_PARTS && at + 4 <= bytes.length && bytes[at] === 0xff; parts += 1) {
    const marker = bytes[at + 1];
    if (marker === 0xff) at += 1;
    else if (marker === JPEG_START_OF_SCAN) return hasEndAfter(bytes, at);
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return false;
}

/** From the end, by single bytes: looking for two at once takes many times as long. */
function hasEndAfter(jpeg: Buffer, start: number): boolean {
  let at = jpeg.lastIndexOf(JPEG_END_OF_IMAGE);
  for (let looks = 0; looks < MOST_PARTS && at > start + 1; looks += 1) {
    if (jpeg[at - 1] === 0xff) return true;
    at = jpeg.lastIndexOf(JPEG_END_OF_IMAGE, at - 1);
  }
  return false;
}

/**
 * Whether a PNG's chunks lead to its end without a gap, and it is a still picture (an APNG has an `acTL`
 * chunk).
 */
export function pngIsWholeAndStill(bytes: Buffer): boolean {
  let at = PNG_SIGNATURE_BYTES;
  for (let parts = 0; parts < MOST_PARTS && at + PNG_CHUNK_OVERHEAD_BYTES <= bytes.length; parts += 1) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IEND') return true;
    if (type === 'acTL') return false;
    at += PNG_CHUNK_OVERHEAD_BYTES + bytes.readUInt32BE(at);
  }
  return false;
}
