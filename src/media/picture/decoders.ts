/**
 * Decodes what sharp does not, in processes with bounded memory and time: HEIC, which iPhones use for a picture sent as a file, by libheif;
 * BMP by ffmpeg; large AVIF by both, for which ffmpeg takes half of sharp's memory (140 MB for 12 megapixels).
 */
import { fileURLToPath } from 'node:url';
import { Failure, isFailure } from '../../errors.ts';
import { ffmpegPath, runBounded, runProgram } from '../child-process.ts';
import type { Size } from './image-header.ts';
import { failureOf, MAX_DECODING_S, type Original, tooLarge } from './image-redraw.ts';

/** Bytes of the result, which ffmpeg holds twice, and the bot once. */
const MAX_DRAWN_BYTES = 27e6;
/** Writable memory of ffmpeg in kB. Its RSS is then at most 190 MB. */
const FFMPEG_DATA_KB = 190_000;
const DECODE = '-v error -threads 1 -i pipe:0 -frames:v 1 -f rawvideo'.split(' ');
/** By channels. */
const PIXELS = { 1: 'gray', 3: 'rgb24', 4: 'rgba' } as const;
/** In ffmpeg's words; the last are all that it says where there is no memory for the file itself. */
const TOO_LARGE = /memory|picture size|^cannot determine format/i;

interface Coded {
  /** ffmpeg's name of the format. */
  readonly format: 'bmp_pipe' | 'obu';
  readonly parts: readonly Buffer[];
  readonly size: Size;
  /** Of the result. */
  readonly channels: keyof typeof PIXELS;
  readonly maxBytes?: number;
}

/** Scales the picture down to `maxBytes`. Throws `image-unreadable`, `image-too-large`, and as `runBounded` does. */
async function decodeWithFfmpeg(
  { format, parts, size, channels, maxBytes: most = MAX_DRAWN_BYTES }: Coded,
  signal: AbortSignal | undefined,
): Promise<Original> {
  const scale = Math.min(1, Math.sqrt(most / channels / (size.width * size.height)));
  const width = Math.max(1, Math.floor(size.width * scale));
  const height = Math.max(1, Math.floor(size.height * scale));
  const drawing = ['-pix_fmt', PIXELS[channels], '-s', `${width}x${height}`];
  const command = [ffmpegPath(), '-f', format, ...DECODE, ...drawing, 'pipe:1'];
  const maxBytes = width * height * channels;
  const bounds = { dataKb: FFMPEG_DATA_KB, seconds: MAX_DECODING_S, maxBytes };
  const { code, output, cause } = await runBounded(command, process.env, parts, bounds, signal);
  if (code === null || TOO_LARGE.test(cause.message)) throw tooLarge(cause);
  // `nice` ends with 126 or 127 if ffmpeg cannot be started.
  if (code >= 126) throw new Error('ffmpeg failed to start', { cause });
  if (output.length < maxBytes) {
    throw new Failure('image-unreadable', 'ffmpeg cannot decode this picture', { cause });
  }
  return { bytes: output, format: 'raw', raw: { width, height, channels } };
}

/** Of a BITMAPINFOHEADER and all later headers: the length of the file, which some programs leave 0 and ffmpeg refuses, and its size. */
const BMP_LENGTH_AT = 2;
const BMP_WIDTH_AT = 18;
const BMP_HEIGHT_AT = 22;
const BMP_SIZE_END = 26;

/** Throws as `decodeWithFfmpeg` does. */
export function decodeBmp(bytes: Buffer, signal: AbortSignal | undefined): Promise<Original> {
  const header = Buffer.alloc(BMP_SIZE_END);
  bytes.copy(header);
  header.writeUInt32LE(bytes.length, BMP_LENGTH_AT);
  // A negative height: rows from the top down.
  const [width, height] = [BMP_WIDTH_AT, BMP_HEIGHT_AT].map((at) => Math.abs(header.readInt32LE(at)));
  if (!width || !height) throw new Failure('image-unreadable', 'a bmp without a size');
  const parts = [header, bytes.subarray(header.length)];
  return decodeWithFfmpeg({ format: 'bmp_pipe', parts, size: { width, height }, channels: 4 }, signal);
}

/** Twelve megapixels, as most phones have them; larger pictures are drawn with a quarter of their pixels. */
const MAX_PIXELS = 12.6e6;
/** Its width and height, before the pixels. */
const HEADER_BYTES = 8;
const COLOURS = 3;
/** A picture in one piece of 12.5 megapixels takes 100 MB, one of 50 in tiles 25. Node and the result make it at most 200 MB of RSS. */
const LIBHEIF_BYTES = 112 * 1024 * 1024;
/** V8 reserves 512 MB for code and hardly touches it. */
const LIBHEIF_DATA_KB = 800_000;

const PROGRAM = fileURLToPath(new URL('heif-process.mjs', import.meta.url));
const COMMAND = [process.execPath, '--max-old-space-size=32', '--max-semi-space-size=2', PROGRAM];

/** Runs the process; its output follows the size. */
async function open(bytes: Buffer, isAvif: boolean, signal: AbortSignal | undefined) {
  const maxBytes = HEADER_BYTES + (isAvif ? bytes.length : MAX_PIXELS * COLOURS);
  const task = { isAvif, maxPixels: MAX_PIXELS, wasmBytes: LIBHEIF_BYTES };
  const bounds = { dataKb: LIBHEIF_DATA_KB, seconds: MAX_DECODING_S, maxBytes };
  const ended = await runProgram(COMMAND, task, bytes, bounds, signal);
  if (ended.code !== 0) throw failureOf(ended);
  const { output } = ended;
  const size = { width: output.readUInt32LE(0), height: output.readUInt32LE(4) };
  return { size, data: output.subarray(HEADER_BYTES) };
}

/** Upright. Throws as `redraw` does. */
export async function decodeHeic(bytes: Buffer, signal: AbortSignal | undefined): Promise<Original> {
  const { size, data } = await open(bytes, false, signal);
  return { bytes: data, format: 'raw', raw: { ...size, channels: COLOURS } };
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
export async function decodeAvif(bytes: Buffer, signal: AbortSignal | undefined): Promise<Original> {
  try {
    const { size, data } = await open(bytes, true, signal);
    const pixels = size.width * size.height;
    const isLarge = pixels > LARGE_AVIF_PIXELS;
    const drawn = isLarge
      ? ({ channels: 1, maxBytes: MAX_DRAWN_OF_LARGE } as const)
      : ({ channels: COLOURS } as const);
    if (pixels >= MIN_AVIF_PIXELS)
      return await decodeWithFfmpeg({ format: 'obu', parts: [data], size, ...drawn }, signal);
  } catch (error) {
    if (!isFailure(error, 'image-unreadable')) throw error;
  }
  return { bytes, format: 'heif' };
}
