/**
 * Decodes what sharp does not, in processes with bounded memory and time: HEIC, which iPhones use for a picture sent as a file, by libheif;
 * BMP and large webp by ffmpeg; large AVIF by both, for which ffmpeg takes half of sharp's memory (140 MB for 12 megapixels).
 */
import { fileURLToPath } from 'node:url';
import { Failure, isFailure } from '../../errors.ts';
import { ffmpegPath, runBounded, runProgram } from '../child-process.ts';
import type { Size } from './image-header.ts';
import { failureOf, MAX_DECODING_S, type Original, type Region, tooLarge } from './image-redraw.ts';

/** Bytes of the result, which ffmpeg holds twice, and the bot once. */
const MAX_DRAWN_BYTES = 27e6;
/** Writable memory of ffmpeg in kB. Its RSS is then at most 190 MB. */
const FFMPEG_DATA_KB = 190_000;
const DECODE = '-v error -threads 1 -i pipe:0 -frames:v 1 -f rawvideo'.split(' ');
const COLOURS = 3;
/** By channels. */
const PIXELS = { 1: 'gray', 3: 'rgb24', 4: 'rgba' } as const;
/** In ffmpeg's words; the last are all that it says where there is no memory for the file itself. */
const TOO_LARGE = /memory|picture size|^cannot determine format|temporarily unavailable/i;

interface Coded {
  /** ffmpeg's name of the format. */
  readonly format: 'bmp_pipe' | 'webp_pipe' | 'obu';
  readonly parts: readonly Buffer[];
  readonly size: Size;
  /** All of it by default. */
  readonly region: Region | undefined;
  /** Of the result. */
  readonly channels: keyof typeof PIXELS;
  readonly maxBytes?: number;
}

/** Scales the region down to `maxBytes`. Throws `image-unreadable`, `image-too-large`, and as `runBounded` does. */
async function decodeWithFfmpeg(
  { format, parts, size, region, channels, maxBytes: most = MAX_DRAWN_BYTES }: Coded,
  signal: AbortSignal | undefined,
): Promise<Original> {
  const { top, height: rows } = region ?? { top: 0, height: size.height };
  const scale = Math.min(1, Math.sqrt(most / channels / (size.width * rows)));
  const width = Math.max(1, Math.floor(size.width * scale));
  const height = Math.max(1, Math.floor(rows * scale));
  const cutting = region === undefined ? [] : ['-vf', `crop=${size.width}:${rows}:0:${top}:exact=1`];
  const drawing = [...cutting, '-pix_fmt', PIXELS[channels], '-s', `${width}x${height}`];
  const command = [ffmpegPath(), '-f', format, ...DECODE, ...drawing, 'pipe:1'];
  const maxBytes = width * height * channels;
  const bounds = { dataKb: FFMPEG_DATA_KB, seconds: MAX_DECODING_S, maxBytes };
  const { code, output, cause } = await runBounded(command, process.env, parts, bounds, signal);
  if (code === null || TOO_LARGE.test(cause.message)) throw tooLarge(cause);
  // `nice` ends so if ffmpeg cannot be started. Since version 6 ffmpeg itself ends with higher codes.
  if (code === 126 || code === 127) throw new Error('ffmpeg failed to start', { cause });
  if (output.length < maxBytes) {
    throw new Failure('image-unreadable', 'ffmpeg cannot decode this picture', { cause });
  }
  const raw = { width, height, channels };
  const maxPixels = Math.floor(most / channels);
  return { bytes: output, format: 'raw', raw, size: region === undefined ? size : undefined, maxPixels };
}

/** The header of a file, and that of most bitmaps, BITMAPINFOHEADER; of OS/2's oldest, which has 16-bit sizes. */
const BMP_FILE_HEADER = 14;
const BMP_HEADER = 40;
const BMP_OLD_HEADER = 12;
/** Headers that ffmpeg reads as they are; it refuses shorter forms of these, of OS/2 and of Adobe. */
const KNOWN_BMP_HEADERS = [BMP_OLD_HEADER, BMP_HEADER, 56, 64, 108, 124];
/** Where these are: the length of the file, which some programs leave 0 and ffmpeg refuses, and the start of the pixels. */
const BMP_LENGTH_AT = 2;
const BMP_PIXELS_AT = 10;
const RUN_LENGTH_CODED = [1, 2];
/** The share of rows that may be missing at the end of a file, which is the top of most bitmaps. */
const MISSING = 0.05;
const WHITE = 0xff;

/** Throws as `decodeWithFfmpeg` does. */
export async function decodeBmp(
  bytes: Buffer,
  region: Region | undefined,
  signal: AbortSignal | undefined,
): Promise<Original> {
  const header = Buffer.alloc(BMP_FILE_HEADER + BMP_HEADER);
  bytes.copy(header);
  const headerBytes = header.readUInt32LE(BMP_FILE_HEADER);
  const isOld = headerBytes === BMP_OLD_HEADER;
  // A negative height: rows from the top down.
  const width = isOld ? header.readUInt16LE(18) : Math.abs(header.readInt32LE(18));
  const height = isOld ? header.readUInt16LE(20) : Math.abs(header.readInt32LE(22));
  const bits = header.readUInt16LE(isOld ? 24 : 28);
  if (!width || !height) throw new Failure('image-unreadable', 'a bmp without a size');

  const isCoded = !isOld && headerBytes >= BMP_HEADER && RUN_LENGTH_CODED.includes(header.readUInt32LE(30));
  const rowsBytes = isCoded ? header.readUInt32LE(34) : 4 * Math.ceil((width * bits) / 32) * height;
  const missing = Math.max(0, header.readUInt32LE(BMP_PIXELS_AT) + rowsBytes - bytes.length);
  if (missing > rowsBytes * MISSING) throw new Failure('image-unreadable', 'a bmp lacks many of its rows');
  const filling = Buffer.alloc(isCoded ? 0 : missing, WHITE);

  let rest = bytes.subarray(header.length);
  if (!KNOWN_BMP_HEADERS.includes(headerBytes)) {
    // Masks of colours stay where a BITMAPINFOHEADER has them: behind it.
    const end = bits > 8 ? Math.min(headerBytes, BMP_HEADER) : headerBytes;
    rest = bytes.subarray(BMP_FILE_HEADER + end);
    header.fill(0, BMP_FILE_HEADER + Math.min(end, BMP_HEADER));
    header.writeUInt32LE(BMP_HEADER, BMP_FILE_HEADER);
    header.writeUInt32LE(header.readUInt32LE(BMP_PIXELS_AT) + BMP_HEADER - end, BMP_PIXELS_AT);
  }
  // Only these have an alpha channel; without it, more pixels fit in the result.
  const channels = bits === 32 ? 4 : COLOURS;
  const parts = [header, rest, filling];
  header.writeUInt32LE(
    parts.reduce((sum, part) => sum + part.length, 0),
    BMP_LENGTH_AT,
  );
  return decodeWithFfmpeg({ format: 'bmp_pipe', parts, size: { width, height }, region, channels }, signal);
}

/**
 * Sharp holds a webp several times, and draws larger ones smaller, or not at all. ffmpeg takes up to 170 MB for them, so less is drawn at
 * once: the longest screenshots in their size, 50 megapixels as large as an A4 page in 220 dpi.
 */
const MAX_WEBP_PIXELS = 4e6;
const LARGE_WEBP_PIXELS = 24e6;
const MAX_DRAWN_OF_WEBP = 22.5e6;
const MAX_DRAWN_OF_LARGE_WEBP = 13.5e6;
/** Flags of a webp's header that ffmpeg ignores: it is moving, or has EXIF, which may turn it; and that of transparency (RFC 9649, 2.7). */
const MOVING_OR_TURNED = 0b1010;
const TRANSPARENT = 0b10000;

/** Returns the file, for sharp to try, if it is smaller, cut off, moving or perhaps turned, or if ffmpeg lacks webp. Throws as `redraw` does. */
export async function decodeWebp(
  bytes: Buffer,
  region: Region | undefined,
  signal: AbortSignal | undefined,
): Promise<Original> {
  const { flags, ...size } = webpHeader(bytes);
  const isWhole = bytes.length >= 30 && bytes.readUInt32LE(4) + 8 <= bytes.length;
  const channels = flags & TRANSPARENT ? 4 : COLOURS;
  const pixels = size.width * size.height;
  const maxBytes = pixels > LARGE_WEBP_PIXELS ? MAX_DRAWN_OF_LARGE_WEBP : MAX_DRAWN_OF_WEBP;
  const coded = { format: 'webp_pipe', parts: [bytes], size, region, channels, maxBytes } as const;
  return orForSharp({ bytes, format: 'webp', region }, async () =>
    isWhole && !(flags & MOVING_OR_TURNED) && pixels > MAX_WEBP_PIXELS
      ? decodeWithFfmpeg(coded, signal)
      : undefined,
  );
}

/** Of a lossy, a lossless or an extended webp; zeros of any other (RFC 9649, 2.5 to 2.7). */
function webpHeader(bytes: Buffer): Size & { flags: number } {
  const kind = bytes.length < 30 ? '' : bytes.toString('latin1', 12, 16);
  if (kind === 'VP8 ')
    return { flags: 0, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (kind === 'VP8X')
    return {
      flags: bytes.readUInt8(20),
      width: 1 + bytes.readUIntLE(24, 3),
      height: 1 + bytes.readUIntLE(27, 3),
    };
  if (kind !== 'VP8L') return { flags: 0, width: 0, height: 0 };
  const packed = bytes.readUInt32LE(21);
  const flags = packed & (1 << 28) ? TRANSPARENT : 0;
  return { flags, width: 1 + (packed & 0x3fff), height: 1 + ((packed >> 14) & 0x3fff) };
}

/** Twelve megapixels, as most phones have them; larger pictures are drawn with a quarter of their pixels. */
const MAX_PIXELS = 12.6e6;
/** The width and height of the whole, and of what is drawn of it, before the pixels. */
const HEADER_BYTES = 16;
/** A picture in one piece of 12.5 megapixels takes 100 MB, one of 50 in tiles 25. Node and the result make it at most 200 MB of RSS. */
const LIBHEIF_BYTES = 112 * 1024 * 1024;
/** V8 reserves 512 MB for code and hardly touches it. */
const LIBHEIF_DATA_KB = 800_000;

const PROGRAM = fileURLToPath(new URL('heif-process.mjs', import.meta.url));
const COMMAND = [process.execPath, '--max-old-space-size=32', '--max-semi-space-size=2', PROGRAM];

/** Runs the process; its output follows the size of the whole and of what is drawn. */
async function open(
  bytes: Buffer,
  { isAvif, region }: { isAvif: boolean; region?: Region | undefined },
  signal: AbortSignal | undefined,
) {
  const maxBytes = HEADER_BYTES + (isAvif ? bytes.length : MAX_PIXELS * COLOURS);
  const task = { isAvif, region, maxPixels: MAX_PIXELS, wasmBytes: LIBHEIF_BYTES };
  const bounds = { dataKb: LIBHEIF_DATA_KB, seconds: MAX_DECODING_S, maxBytes };
  const ended = await runProgram(COMMAND, task, bytes, bounds, signal);
  if (ended.code !== 0) throw failureOf(ended);
  const { output } = ended;
  const sizeAt = (at: number): Size => ({
    width: output.readUInt32LE(at),
    height: output.readUInt32LE(at + 4),
  });
  return { size: sizeAt(0), drawn: sizeAt(8), data: output.subarray(HEADER_BYTES) };
}

/** Upright. Throws as `redraw` does. */
export async function decodeHeic(
  bytes: Buffer,
  region: Region | undefined,
  signal: AbortSignal | undefined,
): Promise<Original> {
  const { size, drawn, data } = await open(bytes, { isAvif: false, region }, signal);
  const raw = { ...drawn, channels: COLOURS } as const;
  return {
    bytes: data,
    format: 'raw',
    raw,
    size: region === undefined ? size : undefined,
    maxPixels: MAX_PIXELS,
  };
}

/** Sharp decodes a smaller AVIF within its memory, whatever its colours. */
const MIN_AVIF_PIXELS = 4.5e6;
/**
 * Decoding a larger one takes most of the memory, so it is drawn in grey, as large as an A4 page in 220 dpi. 50 megapixels, 8 bits in 4:2:0
 * as phones write them, take ffmpeg 160 MB of RSS.
 */
const LARGE_AVIF_PIXELS = 24e6;
const MAX_DRAWN_OF_LARGE = 4.5e6;

/** Returns the file, for sharp to try, if it is smaller, turned, in tiles, or if ffmpeg lacks AV1. Throws as `redraw` does. */
export async function decodeAvif(
  bytes: Buffer,
  region: Region | undefined,
  signal: AbortSignal | undefined,
): Promise<Original> {
  return orForSharp({ bytes, format: 'heif', region }, async () => {
    const { size, data } = await open(bytes, { isAvif: true }, signal);
    const pixels = size.width * size.height;
    if (pixels < MIN_AVIF_PIXELS) return undefined;
    const isLarge = pixels > LARGE_AVIF_PIXELS;
    const drawn = isLarge
      ? ({ channels: 1, maxBytes: MAX_DRAWN_OF_LARGE } as const)
      : ({ channels: COLOURS } as const);
    return decodeWithFfmpeg({ format: 'obu', parts: [data], size, region, ...drawn }, signal);
  });
}

/** What `decode` gives; the file, if that is nothing or cannot read it. */
async function orForSharp(file: Original, decode: () => Promise<Original | undefined>): Promise<Original> {
  try {
    return (await decode()) ?? file;
  } catch (error) {
    if (!isFailure(error, 'image-unreadable')) throw error;
    return file;
  }
}
