/**
 * Reads the header of a picture without a decoder: its format (a file's name and MIME type are only what its sender claims), and whether
 * the provider reads it as it is. A header alone can make a decoder unpack gigabytes (the text chunks of a PNG).
 */
import { END, EXIF, HUFFMAN, HUFFMAN_CODED, QUANTIZATION, SCAN, segmentsOf } from './jpeg.ts';
import { Tiff } from './tiff.ts';

export type ImageFormat = 'jpeg' | 'png' | 'bmp' | 'webp' | 'tiff' | 'gif' | 'avif' | 'heic';

const AVIF_BRANDS = ['avif', 'avis'];
/** ISO/IEC 23008-12: pictures, and sequences of them, in HEVC. */
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx'];
const TIFF_OPENINGS = ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'];

/**
 * The format of a file; undefined if the bot does not read it. This also keeps SVG from sharp, which would render it with everything that
 * it links to.
 */
export function imageFormat(bytes: Buffer): ImageFormat | undefined {
  const opening = (from: number, to: number) => bytes.toString('latin1', from, to);

  if (opening(0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (opening(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (opening(0, 2) === 'BM') return 'bmp';
  if (opening(0, 4) === 'RIFF' && opening(8, 12) === 'WEBP') return 'webp';
  if (TIFF_OPENINGS.includes(opening(0, 4))) return 'tiff';
  if (opening(0, 6) === 'GIF87a' || opening(0, 6) === 'GIF89a') return 'gif';
  if (opening(4, 8) !== 'ftyp') return undefined;
  const all = brands(bytes);
  if (all.some((brand) => AVIF_BRANDS.includes(brand))) return 'avif';
  return all.some((brand) => HEIC_BRANDS.includes(brand)) ? 'heic' : undefined;
}

/** The brands in an ISO media file's opening `ftyp` box: HEIC, AVIF and MP4 begin with the same box. */
function brands(bytes: Buffer): string[] {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256);
  return (bytes.toString('latin1', 8, end).match(/.{4}/gs) ?? []).filter((_, index) => index !== 1);
}

export interface PlainImage {
  readonly format: 'jpeg' | 'png' | 'bmp';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** The size of a JPEG or PNG that any reader takes (whole, upright, still, opaque, 8-bit, grey or RGB), or of an opaque BMP; else undefined. */
export function plainImage(bytes: Buffer, format: ImageFormat): PlainImage | undefined {
  if (format === 'jpeg') return plainJpeg(bytes);
  if (format === 'png') return plainPng(bytes);
  const header = format === 'bmp' ? readBmpHeader(bytes) : undefined;
  return header?.hasAlpha === false && !header.isPaletteOdd
    ? { format: 'bmp', width: header.width, height: header.height }
    : undefined;
}

/** The maximum of chunks or end marks to look at; a file with more is decoded to be sure. */
const MAX_PARTS = 20_000;

/** The bytes of a segment's marker and length. */
const SEGMENT_HEADER_BYTES = 4;
const JPEG_GREY_OR_COLOUR = [1, 3];

/**
 * A JPEG with an end-of-image marker after the start of its first scan. The marker need not end the file: cameras append previews, depth
 * maps and videos. Markers before the scan do not count: an EXIF thumbnail is a whole JPEG of its own.
 */
function plainJpeg(jpeg: Buffer): PlainImage | undefined {
  let frame: PlainImage | undefined;
  let isQuantized = false;
  for (const { kind, at, bytes } of segmentsOf(jpeg)) {
    const body = bytes.subarray(SEGMENT_HEADER_BYTES);
    if (kind === SCAN) return isQuantized && hasEndAfter(jpeg, at) ? frame : undefined;
    if (kind === EXIF && isTurned(body)) return undefined;
    if (kind === HUFFMAN && !areHuffmanTables(body)) return undefined;
    isQuantized ||= kind === QUANTIZATION;
    if (HUFFMAN_CODED.includes(kind)) frame = jpegFrame(body);
  }
  return undefined;
}

/** Whether these are tables of codes that can be told apart (ITU-T T.81, B.2.4.2 and C): decoders stop at others. */
function areHuffmanTables(segment: Buffer): boolean {
  let at = 0;
  while (at + 17 <= segment.length) {
    const counts = [...segment.subarray(at + 1, at + 17)];
    let free = 1;
    let codes = 0;
    for (const count of counts) {
      free = 2 * free - count;
      codes += count;
      if (free < 0) return false;
    }
    if (codes > 256 || (segment.readUInt8(at) & 0x0f) > 3) return false;
    at += 17 + codes;
  }
  return at === segment.length;
}

function jpegFrame(segment: Buffer): PlainImage | undefined {
  if (segment.length < 6 || segment[0] !== 8) return undefined;
  if (!JPEG_GREY_OR_COLOUR.includes(segment.readUInt8(5))) return undefined;
  return { format: 'jpeg', width: segment.readUInt16BE(3), height: segment.readUInt16BE(1) };
}

/** Searches from the end for single bytes: searching for two at once takes many times as long. */
function hasEndAfter(jpeg: Buffer, start: number): boolean {
  let at = jpeg.lastIndexOf(END);
  for (let looks = 0; looks < MAX_PARTS && at > start + 1; looks += 1) {
    if (jpeg[at - 1] === 0xff) return true;
    at = jpeg.lastIndexOf(END, at - 1);
  }
  return false;
}

const EXIF_OPENING = 'Exif\0\0';
const ORIENTATION = 0x0112;
/** The EXIF orientation "as stored"; 2 to 8 turn or mirror, and other numbers mean nothing. */
const UPRIGHT = 1;
const LAST_ORIENTATION = 8;

/** Whether EXIF's orientation, in its first directory, turns or mirrors the picture. */
function isTurned(segment: Buffer): boolean {
  if (segment.toString('latin1', 0, EXIF_OPENING.length) !== EXIF_OPENING) return false;
  const [orientation = UPRIGHT] = new Tiff(segment.subarray(EXIF_OPENING.length)).valuesOf(0, ORIENTATION);
  return orientation > UPRIGHT && orientation <= LAST_ORIENTATION;
}

const PNG_SIGNATURE_BYTES = 8;
const PNG_CHUNK_OVERHEAD_BYTES = 12;
/** The bits of each channel, in grey, RGB, and with a palette (PNG, 11.2.1). */
const PNG_OPAQUE = new Map([
  [0, [1, 2, 4, 8]],
  [2, [8]],
  [3, [1, 2, 4, 8]],
]);
const PNG_PALETTE = 3;
/** Chunks of transparency, animation and orientation. */
const PNG_NOT_PLAIN = ['tRNS', 'acTL', 'eXIf'];

/** The size of a PNG whose chunks lead to its end without a gap. */
function plainPng(bytes: Buffer): PlainImage | undefined {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  const [depth, colour] = [bytes.readUInt8(24), bytes.readUInt8(25)];
  if (PNG_OPAQUE.get(colour)?.includes(depth) !== true) return undefined;
  let colours = 0;
  let at = PNG_SIGNATURE_BYTES;
  for (let parts = 0; parts < MAX_PARTS && at + PNG_CHUNK_OVERHEAD_BYTES <= bytes.length; parts += 1) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IEND')
      return { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    if (PNG_NOT_PLAIN.includes(type)) return undefined;
    if (type === 'PLTE') colours = bytes.readUInt32BE(at) / 3;
    const isPalette = Number.isInteger(colours) && colours >= 1 && colours <= 2 ** depth;
    if (type === 'IDAT' && colour === PNG_PALETTE && !isPalette) return undefined;
    at += PNG_CHUNK_OVERHEAD_BYTES + bytes.readUInt32BE(at);
  }
  return undefined;
}

/** A Windows bitmap's header, checked before anything is allocated. */
export interface BmpHeader {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  /** Its palette is too long for its pixels, or incomplete. */
  readonly isPaletteOdd: boolean;
}

const BMP_FILE_HEADER_BYTES = 14;
const BMP_CORE_HEADER_BYTES = 12;
const BMP_INFO_HEADER_BYTES = 40;
const BMP_MASKS_AT = BMP_FILE_HEADER_BYTES + BMP_INFO_HEADER_BYTES;
/** BITMAPCOREHEADER, BITMAPINFOHEADER, its versions 2 to 5, and OS/2's version 2. */
const BMP_HEADER_BYTES = [BMP_CORE_HEADER_BYTES, BMP_INFO_HEADER_BYTES, 52, 56, 64, 108, 124];

const RGB = 0;
const RLE8 = 1;
const RLE4 = 2;
const BITFIELDS = 3;
const ALPHA_BITFIELDS = 6;

/** The compressions that are read, by bits per pixel. */
const BMP_COMPRESSIONS: Readonly<Record<number, readonly number[]>> = {
  1: [RGB],
  4: [RGB, RLE4],
  8: [RGB, RLE8],
  16: [RGB, BITFIELDS, ALPHA_BITFIELDS],
  24: [RGB],
  32: [RGB, BITFIELDS, ALPHA_BITFIELDS],
};

/** The header; undefined if it is invalid or promises more bytes than the file has. */
export function readBmpHeader(bytes: Buffer): BmpHeader | undefined {
  if (bytes.length < BMP_FILE_HEADER_BYTES + BMP_CORE_HEADER_BYTES) return undefined;
  const headerBytes = bytes.readUInt32LE(14);
  if (!BMP_HEADER_BYTES.includes(headerBytes) || bytes.length < BMP_FILE_HEADER_BYTES + headerBytes)
    return undefined;

  const core = headerBytes === BMP_CORE_HEADER_BYTES;
  const width = core ? bytes.readUInt16LE(18) : bytes.readInt32LE(18);
  const storedHeight = core ? bytes.readUInt16LE(20) : bytes.readInt32LE(22);
  const planes = bytes.readUInt16LE(core ? 22 : 26);
  const bitsPerPixel = bytes.readUInt16LE(core ? 24 : 28);
  const compression = core ? RGB : bytes.readUInt32LE(30);
  const height = Math.abs(storedHeight);
  const runLength = compression === RLE8 || compression === RLE4;
  if (width <= 0 || height === 0 || planes !== 1 || (storedHeight < 0 && runLength)) return undefined;
  if (!BMP_COMPRESSIONS[bitsPerPixel]?.includes(compression)) return undefined;

  const pixelsAt = bytes.readUInt32LE(10);
  // All rows but the last are padded to 4 bytes.
  const stride = Math.ceil((width * bitsPerPixel) / 32) * 4;
  const pixelBytes = runLength ? 1 : stride * (height - 1) + Math.ceil((width * bitsPerPixel) / 8);
  if (pixelsAt < BMP_FILE_HEADER_BYTES + headerBytes || pixelsAt + pixelBytes > bytes.length)
    return undefined;

  const most = bitsPerPixel <= 8 ? 2 ** bitsPerPixel : 0;
  const colours = (core ? 0 : bytes.readUInt32LE(46)) || most;
  const paletteEnd = BMP_FILE_HEADER_BYTES + headerBytes + colours * (core ? 3 : 4);
  const isPaletteOdd = most > 0 && (colours > most || paletteEnd > pixelsAt);
  const size = { width, height, isPaletteOdd };
  if (compression !== BITFIELDS && compression !== ALPHA_BITFIELDS) return { ...size, hasAlpha: false };
  // The masks (red, green, blue, alpha) stand at the same place, behind an old header or inside a newer one.
  const mayHaveAlpha = compression === ALPHA_BITFIELDS || headerBytes >= 56;
  if (bytes.length < BMP_MASKS_AT + (mayHaveAlpha ? 16 : 12)) return undefined;
  return { ...size, hasAlpha: mayHaveAlpha && bytes.readUInt32LE(BMP_MASKS_AT + 12) !== 0 };
}
