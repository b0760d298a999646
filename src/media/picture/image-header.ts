/** Reads the header of a picture without a decoder: its format, since a file's name and MIME type are only what its sender claims. */

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

/** Segments of a JPEG to look at, at most; a file with more is decoded to be sure. */
const MAX_SEGMENTS = 1000;
/** Markers of a JPEG (ITU-T T.81, annex B): the frames whose data is Huffman-coded (baseline, extended, progressive). */
const HUFFMAN_CODED = [0xc0, 0xc1, 0xc2];
const START = 0xd8;
const FILL = 0xff;

/** The size in the header of a JPEG, as it is stored; undefined for other formats. */
export function jpegSize(bytes: Buffer): Size | undefined {
  if (imageFormat(bytes) !== 'jpeg') return undefined;
  let at = 0;
  for (let count = 0; count < MAX_SEGMENTS && at + 9 <= bytes.length && bytes[at] === FILL; count += 1) {
    const kind = bytes.readUInt8(at + 1);
    if (HUFFMAN_CODED.includes(kind))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    if (kind === FILL) at += 1;
    else at += kind === START ? 2 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Directories followed, at most; no scanner writes more, and a file can link them in a ring. */
const MAX_DIRECTORIES = 100_000;
/** Fields of a directory looked at: they are sorted, and these have the lowest numbers (TIFF 6.0, section 8). */
const MAX_FIELDS = 4;
const NEW_SUBFILE_TYPE = 254;
const SUBFILE_TYPE = 255;
/** Bits of the first: a smaller copy of another image, and a mask; a value of the second: a smaller copy. */
const COPY_OR_MASK = 0b101;
const COPY = 2;
const SHORT = 3;

/**
 * The pages of a TIFF, as its decoder counts them (from 0): scanners write many into one file, and programs put thumbnails, smaller copies and
 * masks between them. Any other file has one.
 */
export function tiffPages(bytes: Buffer): readonly number[] {
  const order = bytes.toString('latin1', 0, 2);
  const number = (at: number, size: number): number => {
    if (at + size > bytes.length) return 0;
    // Of eight bytes the last six: no file is longer.
    if (order === 'II') return bytes.readUIntLE(at, Math.min(size, 6));
    return bytes.readUIntBE(size === 8 ? at + 2 : at, Math.min(size, 6));
  };
  const isBig = number(2, 2) === 43;
  const [offset, count, field] = isBig ? [8, 8, 20] : [4, 2, 12];
  const isPage = (directory: number): boolean => {
    for (let index = 0; index < Math.min(MAX_FIELDS, number(directory, count)); index += 1) {
      const at = directory + count + index * field;
      const value = number(at + field - offset, number(at + 2, 2) === SHORT ? 2 : 4);
      const name = number(at, 2);
      if (name === NEW_SUBFILE_TYPE && (value & COPY_OR_MASK) !== 0) return false;
      if (name === SUBFILE_TYPE && value === COPY) return false;
    }
    return true;
  };
  const seen = new Set<number>();
  let at = imageFormat(bytes) === 'tiff' ? number(isBig ? 8 : 4, offset) : 0;
  while (at >= 8 && at + count <= bytes.length && !seen.has(at) && seen.size < MAX_DIRECTORIES) {
    seen.add(at);
    at = number(at + count + field * number(at, count), offset);
  }
  const pages = [...seen].flatMap((directory, index) => (isPage(directory) ? index : []));
  return pages.length > 0 ? pages : [0];
}
