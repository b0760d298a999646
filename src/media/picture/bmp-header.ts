/** A Windows bitmap's header, read and checked before anything is allocated: sharp reads no BMP. */

export interface BmpHeader {
  readonly width: number;
  readonly height: number;
  /** Rows are stored upwards unless the height is negative. */
  readonly topDown: boolean;
  readonly bitsPerPixel: number;
  readonly runLength: boolean;
  /** Where the pixels begin, bytes into the file. */
  readonly pixelsAt: number;
  /** Bytes from one stored row to the next; rows are padded to 4 bytes. */
  readonly stride: number;
  readonly palette: { readonly at: number; readonly entryBytes: 3 | 4; readonly entries: number };
  /** Which bits of a 16 or 32-bit pixel are red, green, blue and alpha (0: none). */
  readonly masks: readonly [red: number, green: number, blue: number, alpha: number];
}

const FILE_HEADER_BYTES = 14;
const CORE_HEADER_BYTES = 12;
const INFO_HEADER_BYTES = 40;
/** BITMAPCOREHEADER, BITMAPINFOHEADER, its versions 2 to 5, and OS/2's version 2. */
const HEADER_BYTES = [CORE_HEADER_BYTES, INFO_HEADER_BYTES, 52, 56, 64, 108, 124];

const RGB = 0;
const RLE8 = 1;
const RLE4 = 2;
const BITFIELDS = 3;
const ALPHA_BITFIELDS = 6;

/** Which compressions a depth allows: the whole list of what is read. */
const COMPRESSIONS: Readonly<Record<number, readonly number[]>> = {
  1: [RGB],
  4: [RGB, RLE4],
  8: [RGB, RLE8],
  16: [RGB, BITFIELDS, ALPHA_BITFIELDS],
  24: [RGB],
  32: [RGB, BITFIELDS, ALPHA_BITFIELDS],
};

/** The header, or `undefined` where it makes no sense or promises more bytes than the file has. */
export function readBmpHeader(bytes: Buffer): BmpHeader | undefined {
  if (bytes.length < FILE_HEADER_BYTES + CORE_HEADER_BYTES) return undefined;
  const headerBytes = bytes.readUInt32LE(14);
  if (!HEADER_BYTES.includes(headerBytes) || bytes.length < FILE_HEADER_BYTES + headerBytes) return undefined;

  const core = headerBytes === CORE_HEADER_BYTES;
  const width = core ? bytes.readUInt16LE(18) : bytes.readInt32LE(18);
  const storedHeight = core ? bytes.readUInt16LE(20) : bytes.readInt32LE(22);
  const planes = bytes.readUInt16LE(core ? 22 : 26);
  const bitsPerPixel = bytes.readUInt16LE(core ? 24 : 28);
  const compression = core ? RGB : bytes.readUInt32LE(30);
  const height = Math.abs(storedHeight);
  const topDown = storedHeight < 0;
  const runLength = compression === RLE8 || compression === RLE4;
  if (width <= 0 || height === 0 || planes !== 1 || (topDown && runLength)) return undefined;
  if (!COMPRESSIONS[bitsPerPixel]?.includes(compression)) return undefined;

  const pixelsAt = bytes.readUInt32LE(10);
  const stride = Math.ceil((width * bitsPerPixel) / 32) * 4;
  const pixelBytes = runLength ? 1 : stride * (height - 1) + Math.ceil((width * bitsPerPixel) / 8);
  if (pixelsAt < FILE_HEADER_BYTES + headerBytes || pixelsAt + pixelBytes > bytes.length) return undefined;

  const masks = readMasks(bytes, bitsPerPixel, compression, headerBytes);
  if (!masks) return undefined;
  const paletteAt = FILE_HEADER_BYTES + headerBytes;
  const entryBytes = core ? 3 : 4;
  return {
    width,
    height,
    topDown,
    bitsPerPixel,
    runLength,
    pixelsAt,
    stride,
    palette: {
      at: paletteAt,
      entryBytes,
      // The count in the header is often 0 or wrong; the room before the pixels is what there is.
      entries: Math.min(2 ** Math.min(bitsPerPixel, 8), Math.floor((pixelsAt - paletteAt) / entryBytes)),
    },
    masks,
  };
}

/** Behind the oldest header that knows them or inside a newer one, the masks stand at the same place. */
function readMasks(
  bytes: Buffer,
  bits: number,
  compression: number,
  headerBytes: number,
): BmpHeader['masks'] | undefined {
  if (compression !== BITFIELDS && compression !== ALPHA_BITFIELDS) {
    return bits === 16 ? [0x7c00, 0x03e0, 0x001f, 0] : [0xff0000, 0x00ff00, 0x0000ff, 0];
  }
  const at = FILE_HEADER_BYTES + INFO_HEADER_BYTES;
  const hasAlpha = compression === ALPHA_BITFIELDS || headerBytes >= 56;
  if (bytes.length < at + (hasAlpha ? 16 : 12)) return undefined;
  const mask = (index: number) => bytes.readUInt32LE(at + 4 * index);
  return [mask(0), mask(1), mask(2), hasAlpha ? mask(3) : 0];
}
