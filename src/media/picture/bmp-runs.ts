/** Unpacks the run-length coding of 4 and 8-bit Windows bitmaps (BI_RLE4, BI_RLE8). */
import { createFairTurns } from '../../fair-turns.ts';
import type { BmpHeader } from './bmp-header.ts';

/** Commands, of 255 pixels at most, between two looks at the clock. */
const SLICE_COMMANDS = 64;

const END_OF_LINE = 0;
const END_OF_BITMAP = 1;
const MOVE = 2;

/**
 * One palette index per pixel, row by row as stored (upwards). What the runs skip or never reach stays 0, as
 * Windows leaves it; what they write beyond a row is dropped.
 */
export async function unpackRuns(bytes: Buffer, header: BmpHeader): Promise<Buffer> {
  const { width, height, bitsPerPixel, pixelsAt } = header;
  const indexes = Buffer.alloc(width * height);
  const giveTurn = createFairTurns();
  let at = pixelsAt;
  let x = 0;
  let y = 0;

  const put = (index: number) => {
    if (x < width) indexes[y * width + x] = index;
    x += 1;
  };
  const nibble = (byte: number, position: number) => (position % 2 === 0 ? byte >> 4 : byte & 0x0f);

  for (let commands = 0; at + 2 <= bytes.length && y < height; commands += 1) {
    if (commands % SLICE_COMMANDS === 0) await giveTurn();
    const count = bytes.readUInt8(at);
    const value = bytes.readUInt8(at + 1);
    at += 2;
    if (count > 0) {
      for (let i = 0; i < count; i += 1) put(bitsPerPixel === 4 ? nibble(value, i) : value);
    } else if (value === END_OF_LINE) {
      x = 0;
      y += 1;
    } else if (value === END_OF_BITMAP) {
      break;
    } else if (value === MOVE) {
      x += bytes[at] ?? 0;
      y += bytes[at + 1] ?? 0;
      at += 2;
    } else {
      // A literal run of `value` pixels, padded to an even number of bytes.
      const literalBytes = bitsPerPixel === 4 ? Math.ceil(value / 2) : value;
      for (let i = 0; i < value; i += 1) {
        put(bitsPerPixel === 4 ? nibble(bytes[at + (i >> 1)] ?? 0, i) : (bytes[at + i] ?? 0));
      }
      at += literalBytes + (literalBytes % 2);
    }
  }
  return indexes;
}
