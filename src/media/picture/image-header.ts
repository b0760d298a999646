/**
 * Reads the header of a picture without a decoder: its format (a file's name and MIME type are only what its sender claims), and whether
 * the provider reads it as it is. A header alone can make a decoder unpack gigabytes (the text chunks of a PNG).
 */
import { crc32 } from 'node:zlib';

export type ImageFormat = 'jpeg' | 'png' | 'bmp' | 'webp' | 'tiff' | 'gif' | 'avif' | 'heic';

const AVIF_BRANDS = ['avif', 'avis'];
/** ISO/IEC 23008-12: pictures, and sequences of them, in HEVC. */
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx'];
const TIFF_OPENINGS = ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'];

/** Undefined if the bot does not read it. This also keeps SVG from sharp, which would render it with everything that it links to. */
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

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size in the header of a JPEG, as it is stored, or of a PNG; undefined for other formats and incomplete headers. */
export function sizeOf(bytes: Buffer): Size | undefined {
  const format = imageFormat(bytes);
  if (format === 'png' && bytes.length >= PNG_HEADER_BYTES)
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (format !== 'jpeg') return undefined;
  for (const { kind, body } of segmentsOf(bytes))
    if (HUFFMAN_CODED.includes(kind) && body.length >= 6)
      return { width: body.readUInt16BE(3), height: body.readUInt16BE(1) };
  return undefined;
}

export interface PlainImage extends Size {
  readonly format: 'jpeg' | 'png';
}

/** The size of a JPEG or PNG that any reader takes: whole, upright, still, opaque, 8-bit, grey or RGB; else undefined. */
export function plainImage(bytes: Buffer, format: ImageFormat): PlainImage | undefined {
  const size = sizeOf(bytes);
  if (size === undefined) return undefined;
  if (format === 'jpeg' && isPlainJpeg(bytes)) return { format, ...size };
  return format === 'png' && isPlainPng(bytes) ? { format, ...size } : undefined;
}

/** Segments, chunks or end marks to look at, at most; a file with more is decoded to be sure. */
const MAX_PARTS = 20_000;

// Markers of a JPEG's segments (ITU-T T.81, annex B); others are stepped over.
/** The frames whose data is Huffman-coded: baseline, extended, progressive. */
const HUFFMAN_CODED = [0xc0, 0xc1, 0xc2];
const HUFFMAN = 0xc4;
const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const QUANTIZATION = 0xdb;
const EXIF = 0xe1;
const FILL = 0xff;
const JPEG_GREY_OR_COLOUR = [1, 3];

interface Segment {
  readonly kind: number;
  readonly at: number;
  /** What follows its marker and its length. */
  readonly body: Buffer;
}

/** Up to the first scan, with that. The last segment may lack its end. */
function* segmentsOf(jpeg: Buffer): Generator<Segment> {
  let at = 0;
  for (let count = 0; count < MAX_PARTS && at + 4 <= jpeg.length && jpeg[at] === 0xff; count += 1) {
    const kind = jpeg.readUInt8(at + 1);
    if (kind === 0) return;
    const length = kind === START || kind === END ? 2 : 2 + jpeg.readUInt16BE(at + 2);
    yield { kind, at, body: jpeg.subarray(at + 4, at + length) };
    if (kind === SCAN) return;
    at += kind === FILL ? 1 : length;
  }
}

/** Looks for an end marker after the first scan begins: an EXIF thumbnail has its own, and cameras append previews and videos. */
function isPlainJpeg(jpeg: Buffer): boolean {
  let isQuantized = false;
  let isGreyOrColour = false;
  for (const { kind, at, body } of segmentsOf(jpeg)) {
    if (kind === SCAN) return isQuantized && isGreyOrColour && hasEndAfter(jpeg, at);
    if (kind === EXIF && isTurned(body)) return false;
    if (kind === HUFFMAN && !areHuffmanTables(body)) return false;
    isQuantized ||= kind === QUANTIZATION;
    if (HUFFMAN_CODED.includes(kind))
      isGreyOrColour = body[0] === 8 && JPEG_GREY_OR_COLOUR.includes(body[5] ?? 0);
  }
  return false;
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
/** The EXIF orientation "as stored"; 2 to 8 turn or mirror, and 0, which some cameras write, means nothing. */
const UPRIGHT = 1;

function isTurned(segment: Buffer): boolean {
  if (segment.toString('latin1', 0, EXIF_OPENING.length) !== EXIF_OPENING) return false;
  return (new Tiff(segment.subarray(EXIF_OPENING.length)).shortOf(ORIENTATION) ?? UPRIGHT) > UPRIGHT;
}

/** Its signature and its first chunk. */
const PNG_HEADER_BYTES = 33;
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

/** Its chunks, with their checksums, must lead to its end without a gap. */
function isPlainPng(bytes: Buffer): boolean {
  const [depth, colour] = [bytes.readUInt8(24), bytes.readUInt8(25)];
  if (PNG_OPAQUE.get(colour)?.includes(depth) !== true) return false;
  const types = new Set<string>();
  let at = PNG_SIGNATURE_BYTES;
  for (let parts = 0; parts < MAX_PARTS && at + PNG_CHUNK_OVERHEAD_BYTES <= bytes.length; parts += 1) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IEND') return types.has('IDAT') && (colour !== PNG_PALETTE || types.has('PLTE'));
    const length = bytes.readUInt32BE(at);
    const end = at + PNG_CHUNK_OVERHEAD_BYTES + length;
    const isWhole =
      end <= bytes.length && crc32(bytes.subarray(at + 4, end - 4)) === bytes.readUInt32BE(end - 4);
    const isOdd = type === 'PLTE' && (length % 3 !== 0 || length === 0 || length > 3 * 2 ** depth);
    if (!isWhole || isOdd || PNG_NOT_PLAIN.includes(type)) return false;
    types.add(type);
    at = end;
  }
  return false;
}

const ENTRY_BYTES = 12;
/** Directories followed, at most; no scanner writes more, and a file can link them in a ring. */
const MAX_COUNTED = 100_000;

/** The directories of a TIFF, one for each page: scanners write many into one file. EXIF is a TIFF, too. */
export class Tiff {
  readonly #bytes: Buffer;
  readonly #isLittle: boolean;
  readonly #directories: readonly number[];

  /** Any other file has no directories, and one page. */
  constructor(bytes: Buffer) {
    const order = bytes.toString('latin1', 0, 4);
    this.#bytes = bytes;
    this.#isLittle = order === 'II*\0';
    const seen = new Set<number>();
    let at = this.#isLittle || order === 'MM\0*' ? this.#number(4, 4) : 0;
    while (at >= 8 && at + 2 <= bytes.length && !seen.has(at) && seen.size < MAX_COUNTED) {
      seen.add(at);
      at = this.#number(at + 2 + ENTRY_BYTES * this.#number(at, 2), 4);
    }
    this.#directories = [...seen];
  }

  get pageCount(): number {
    return Math.max(1, this.#directories.length);
  }

  /** The number (SHORT) in a field of the first page. */
  shortOf(field: number): number | undefined {
    const [directory = this.#bytes.length] = this.#directories;
    const entries = Array.from(
      { length: this.#number(directory, 2) },
      (_, entry) => directory + 2 + entry * ENTRY_BYTES,
    );
    const at = entries.find((entry) => this.#number(entry, 2) === field);
    return at === undefined ? undefined : this.#number(at + 8, 2);
  }

  /** A whole number of this many bytes; 0 beyond the end of the file. */
  #number(at: number, size: number): number {
    if (at + size > this.#bytes.length) return 0;
    return this.#isLittle ? this.#bytes.readUIntLE(at, size) : this.#bytes.readUIntBE(at, size);
  }
}
