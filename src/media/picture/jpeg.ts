/** The segments of a JPEG before its compressed data (ITU-T T.81, annex B). */

export const FRAMES = { baseline: 0xc0, extended: 0xc1, progressive: 0xc2 } as const;
/** The frames whose data is Huffman-coded. */
export const HUFFMAN_CODED: readonly number[] = Object.values(FRAMES);
export const HUFFMAN = 0xc4;
export const RESTART = 0xd0;
export const START = 0xd8;
export const END = 0xd9;
export const SCAN = 0xda;
export const QUANTIZATION = 0xdb;
export const INTERVAL = 0xdd;
export const EXIF = 0xe1;

export interface Segment {
  readonly kind: number;
  /** Where it begins. */
  readonly at: number;
  /** With its marker (2 bytes) and its length (2 bytes, big-endian), unless it is a marker alone. */
  readonly bytes: Buffer;
}

const FILL = 0xff;
/** The maximum of segments to look at; a file with more is decoded to be sure. */
const MAX_SEGMENTS = 20_000;

/** Yields the segments up to the first scan, with that. The last one may lack its end. */
export function* segmentsOf(jpeg: Buffer): Generator<Segment> {
  let at = 0;
  for (let count = 0; count < MAX_SEGMENTS && at + 4 <= jpeg.length && jpeg[at] === 0xff; count += 1) {
    const kind = jpeg.readUInt8(at + 1);
    if (kind === 0) return;
    const length = kind === START || kind === END ? 2 : 2 + jpeg.readUInt16BE(at + 2);
    const next = at + (kind === FILL ? 1 : length);
    yield { kind, at, bytes: jpeg.subarray(at, next) };
    if (kind === SCAN) return;
    at = next;
  }
}
