/** Decodes with ffmpeg what sharp does not: BMP, and large AVIF, for which ffmpeg takes half the memory (140 MB for 12 megapixels). */
import { Failure } from '../../errors.ts';
import { ffmpegPath, runBounded } from '../child-process.ts';
import type { Size } from './image-header.ts';
import { DECODING, type Original, tooLarge } from './image-redraw.ts';

/** Bytes of the result, which ffmpeg holds twice, and the bot once. */
const MAX_DRAWN_BYTES = 27e6;
/** Writable memory of ffmpeg in kB. Its RSS is then at most 190 MB. */
const MAX_DATA_KB = 190_000;
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

/**
 * The pixels of a picture, scaled down if they are more than `maxBytes`. Throws `image-unreadable`, `image-too-large`, and as `runBounded`
 * does.
 */
export async function decodeWithFfmpeg(
  { format, parts, size, channels, maxBytes: most = MAX_DRAWN_BYTES }: Coded,
  signal: AbortSignal | undefined,
): Promise<Original> {
  const scale = Math.min(1, Math.sqrt(most / channels / (size.width * size.height)));
  const width = Math.max(1, Math.floor(size.width * scale));
  const height = Math.max(1, Math.floor(size.height * scale));
  const drawing = ['-pix_fmt', PIXELS[channels], '-s', `${width}x${height}`];
  const command = [ffmpegPath(), '-f', format, ...DECODE, ...drawing, 'pipe:1'];
  const maxBytes = width * height * channels;
  const bounds = { ...DECODING.bounds, dataKb: MAX_DATA_KB, maxBytes };
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

/** The pixels of a BMP. Throws as `decodeWithFfmpeg` does. */
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
