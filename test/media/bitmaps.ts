/** Windows bitmaps for the tests, built by hand: no library here writes the old kinds. */

export interface BmpOptions {
  width: number;
  /** Negative: stored from top to bottom. */
  height: number;
  bits: 1 | 4 | 8 | 16 | 24 | 32;
  /** Of the header behind that of the file: 12 and 16 are OS/2's, 40 by default, 56 with four masks. */
  headerBytes?: 12 | 16 | 40 | 52 | 56 | 64 | 108 | 124;
  /** Bytes between the header and the pixels. */
  gap?: number;
  /** BI_BITFIELDS: red, green, blue and, in a header of 56 bytes, alpha. */
  masks?: readonly number[];
  /** Colours of the palette, RGB. */
  palette?: readonly (readonly [number, number, number])[];
  /** Stored rows of pixel data, each padded to 4 bytes; or, for run-length coding, the coded bytes. */
  pixels?: Buffer;
  runLength?: boolean;
  /** Colour of a pixel, seen from the top left; for 24 bits. */
  paint?: (x: number, y: number) => readonly [number, number, number];
  /** The header alone, in run-length coding. */
  claimOnly?: boolean;
}

/** Bytes of one stored row. */
export function stride(width: number, bits: number): number {
  return Math.ceil((width * bits) / 32) * 4;
}

/** A BMP file. */
export function bmp(options: BmpOptions): Buffer {
  const { width, height, bits, gap = 0, masks = [], claimOnly = false } = options;
  const runLength = options.runLength ?? claimOnly;
  const maskBytes = masks.length * 4;
  const { headerBytes = masks.length === 4 ? 56 : 40 } = options;
  const isOld = headerBytes === 12;
  const colourBytes = isOld ? 3 : 4;
  const palette = options.palette ?? (bits <= 8 ? grey(2 ** bits) : []);
  const paletteAt = 14 + headerBytes + (headerBytes === 40 ? maskBytes : 0);
  const pixelsAt = paletteAt + palette.length * colourBytes + gap;
  const pixels = options.pixels ?? (claimOnly ? Buffer.from([0, 1]) : painted(options));

  const file = Buffer.alloc(pixelsAt + pixels.length);
  file.write('BM', 0, 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(pixelsAt, 10);
  file.writeUInt32LE(headerBytes, 14);
  if (isOld) {
    for (const [index, value] of [width, height, 1, bits].entries())
      file.writeUInt16LE(value, 18 + 2 * index);
  } else {
    file.writeInt32LE(width, 18);
    file.writeInt32LE(height, 22);
    file.writeUInt16LE(1, 26);
    file.writeUInt16LE(bits, 28);
  }
  if (headerBytes >= 40) {
    file.writeUInt32LE(runLength ? (bits === 4 ? 2 : 1) : masks.length > 0 ? 3 : 0, 30);
    file.writeUInt32LE(pixels.length, 34);
    file.writeUInt32LE(bits <= 8 ? palette.length : 0, 46);
  }
  for (const [index, mask] of masks.entries()) file.writeUInt32LE(mask, 54 + index * 4);
  for (const [index, [red, green, blue]] of palette.entries()) {
    file.set([blue, green, red], paletteAt + index * colourBytes);
  }
  pixels.copy(file, pixelsAt);
  return file;
}

function grey(colours: number): [number, number, number][] {
  return Array.from({ length: colours }, (_, index) => {
    const value = Math.round((index * 255) / (colours - 1));
    return [value, value, value];
  });
}

function painted({ width, height, bits, paint }: BmpOptions): Buffer {
  const rows = Math.abs(height);
  const pixels = Buffer.alloc(stride(width, bits) * rows, 0x5a);
  if (!paint) return pixels;
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue] = paint(x, height < 0 ? y : rows - 1 - y);
      pixels.set([blue, green, red], y * stride(width, bits) + x * 3);
    }
  }
  return pixels;
}
