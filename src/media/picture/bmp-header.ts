/** A Windows bitmap's header, read and checked before anything is allocated. */

export interface BmpHeader {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

const FILE_HEADER_BYTES = 14;
const CORE_HEADER_BYTES = 12;
const INFO_HEADER_BYTES = 40;
const MASKS_AT = FILE_HEADER_BYTES + INFO_HEADER_BYTES;
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
  const runLength = compression === RLE8 || compression === RLE4;
  if (width <= 0 || height === 0 || planes !== 1 || (storedHeight < 0 && runLength)) return undefined;
  if (!COMPRESSIONS[bitsPerPixel]?.includes(compression)) return undefined;

  const pixelsAt = bytes.readUInt32LE(10);
  // Rows are padded to 4 bytes, but for the last.
  const stride = Math.ceil((width * bitsPerPixel) / 32) * 4;
  const pixelBytes = runLength ? 1 : stride * (height - 1) + Math.ceil((width * bitsPerPixel) / 8);
  if (pixelsAt < FILE_HEADER_BYTES + headerBytes || pixelsAt + pixelBytes > bytes.length) return undefined;

  if (compression !== BITFIELDS && compression !== ALPHA_BITFIELDS) return { width, height, hasAlpha: false };
  // Behind the oldest header that knows the masks or inside a newer one, they stand at the same place: red, green, blue, alpha.
  const mayHaveAlpha = compression === ALPHA_BITFIELDS || headerBytes >= 56;
  if (bytes.length < MASKS_AT + (mayHaveAlpha ? 16 : 12)) return undefined;
  return { width, height, hasAlpha: mayHaveAlpha && bytes.readUInt32LE(MASKS_AT + 12) !== 0 };
}
