/**
 * Opens HEIC, which iPhones use for a picture sent as a file, and large AVIF, both with libheif in a process of its own with bounded memory
 * and time.
 */
import { fileURLToPath } from 'node:url';
import { Failure, isFailure } from '../../errors.ts';
import { BARE_ENVIRONMENT, runBounded } from '../child-process.ts';
import { decodeWithFfmpeg } from './ffmpeg-picture.ts';
import { EXIT_CODES, type Original, tooLarge } from './image-redraw.ts';

/** The task of `heif-process.mjs`, beside the bytes. */
export interface HeifTask {
  readonly bytes: number;
  /** libheif-js has no decoder of AV1: its stream is copied from the file. */
  readonly isAvif: boolean;
  /** Pixels of the result. */
  readonly maxPixels: number;
  /** Memory of libheif, in bytes. */
  readonly memoryBytes: number;
  readonly exitCodes: typeof EXIT_CODES;
}

/** Twelve megapixels, as most phones have them; larger pictures are drawn with a quarter of their pixels. */
const MAX_PIXELS = 12.6e6;
/** Its width and height, before the pixels. */
const HEADER_BYTES = 8;
const COLOURS = 3;
/** A picture in one piece of 12.5 megapixels takes 100 MB, one of 50 in tiles 25. Node and the result make it at most 200 MB of RSS. */
const LIBHEIF_BYTES = 112 * 1024 * 1024;
/** V8 reserves 512 MB for code and hardly touches it. */
const MAX_DATA_KB = 800_000;
const MAX_SECONDS = 30;

const PROGRAM = fileURLToPath(new URL('heif-process.mjs', import.meta.url));
const COMMAND = [process.execPath, '--max-old-space-size=32', '--max-semi-space-size=2', PROGRAM];

/** Runs the process; its output follows the size. */
async function open(bytes: Buffer, isAvif: boolean, signal: AbortSignal | undefined) {
  const maxBytes = HEADER_BYTES + (isAvif ? bytes.length : MAX_PIXELS * COLOURS);
  const limits = { maxPixels: MAX_PIXELS, memoryBytes: LIBHEIF_BYTES };
  const task: HeifTask = { bytes: bytes.length, isAvif, ...limits, exitCodes: EXIT_CODES };
  const command = [...COMMAND, JSON.stringify(task)];
  const bounds = { dataKb: MAX_DATA_KB, seconds: MAX_SECONDS, maxBytes };
  const { code, output, cause } = await runBounded(command, BARE_ENVIRONMENT, [bytes], bounds, signal);
  if (code === EXIT_CODES.tooLarge || code === null) throw tooLarge(cause);
  if (code !== 0 || output.length < HEADER_BYTES) {
    throw new Failure('image-unreadable', 'libheif cannot read this picture', { cause });
  }
  const size = { width: output.readUInt32LE(0), height: output.readUInt32LE(4) };
  return { size, data: output.subarray(HEADER_BYTES) };
}

/** The pixels of a HEIC picture, upright. Throws as `redraw` does. */
export async function decodeHeic(bytes: Buffer, signal: AbortSignal | undefined): Promise<Original> {
  const { size, data } = await open(bytes, false, signal);
  return { bytes: data, format: 'raw', raw: { ...size, channels: COLOURS } };
}

/** Sharp decodes a smaller AVIF within its memory. */
const MIN_AVIF_PIXELS = 8e6;
/**
 * Decoding a larger one takes most of the memory, so it is drawn in grey, as large as an A4 page in 220 dpi. 50 megapixels, 8 bits in 4:2:0
 * as phones write them, take ffmpeg 160 MB of RSS.
 */
const LARGE_AVIF_PIXELS = 24e6;
const MAX_DRAWN_OF_LARGE = 4.5e6;

/**
 * The pixels of a large AVIF; the file itself, for sharp to try, if it is smaller, turned or in tiles, or if ffmpeg has no decoder of AV1.
 * Throws as `redraw` does.
 */
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
