/** Redraws a picture as a JPEG for the provider, in a process of its own with bounded memory and time. */
import { fileURLToPath } from 'node:url';
import { Failure } from '../../errors.ts';
import { BARE_ENVIRONMENT, ffmpegPath, runBounded } from '../child-process.ts';
import type { BmpHeader } from './image-header.ts';

/** A provider's limits for a picture. */
export interface PictureLimits {
  /** Bytes of the file. */
  readonly bytes: number;
  /** Pixels of the shortest and the longest side. */
  readonly minSide: number;
  readonly maxSide: number;
}

/** A slice of a picture, in rows. */
export interface Region {
  readonly top: number;
  readonly height: number;
}

/** The picture to redraw: a file, with sharp's name of its format, or raw pixels. */
export interface Original {
  readonly bytes: Buffer;
  /** All of its rows are there, or all but the last few. */
  readonly hasRows?: boolean;
  /** The part to draw; all of it by default. */
  readonly region?: Region | undefined;
  /** The page of a TIFF, from 0; the first by default. */
  readonly page?: number | undefined;
  readonly format: 'jpeg' | 'png' | 'webp' | 'tiff' | 'gif' | 'heif' | 'raw';
  readonly raw?: { readonly width: number; readonly height: number; readonly channels: 1 | 3 | 4 };
}

/** The task of `redraw-process.mjs`, beside the bytes. */
export interface RedrawTask extends Omit<Original, 'bytes'> {
  readonly bytes: number;
  readonly limits: PictureLimits & {
    /** Pixels of the original, to bound the time; no camera has more. */
    readonly originalPixels: number;
    /** Writable memory of the process, in bytes. */
    readonly dataBytes: number;
  };
  readonly exitCodes: typeof EXIT_CODES;
}

/**
 * Writable memory of the process in kB (RLIMIT_DATA), Node's own included. Its RSS is then at most 170 MB, and 200 MB with the file and the
 * JPEG that the bot holds meanwhile. Linux enforces it, whatever the file does: a header does not tell what a decoder needs (progressive
 * JPEG, PNG chunks that unpack to gigabytes, AVIF that lies).
 */
const MAX_DATA_KB = 145_000;
const MAX_REDRAW_S = 30;
const BOUNDS = { dataKb: MAX_DATA_KB, seconds: MAX_REDRAW_S };
const MAX_ORIGINAL_PIXELS = 150e6;
/** The exit codes of a process that fails to decode a picture. */
export const EXIT_CODES = { unreadable: 65, tooLarge: 66 } as const;

const PROGRAM = fileURLToPath(new URL('redraw-process.mjs', import.meta.url));
/** With a heap that returns freed memory. */
const ENVIRONMENT = { ...BARE_ENVIRONMENT, MALLOC_MMAP_THRESHOLD_: '262144' };
/** The bounds of every process that decodes a picture with sharp. */
export const DECODING = { maxPixels: MAX_ORIGINAL_PIXELS, environment: ENVIRONMENT, bounds: BOUNDS };
const REDRAW = [process.execPath, '--jitless', '--expose-gc', PROGRAM];

/** Turns a BMP into raw pixels, top row first; their format follows. */
const DECODE_BMP = '-v error -threads 1 -f bmp_pipe -i pipe:0 -frames:v 1 -f rawvideo'.split(' ');
/** Pixels of the original, which ffmpeg holds whole, and of its output, which it holds twice and the bot then once. */
const MAX_BMP_PIXELS = 36e6;
const MAX_DECODED_BMP_PIXELS = 9e6;
/** The offset of a BMP's file length; some programs write 0 there, which ffmpeg refuses. */
const BMP_LENGTH_AT = 2;

/**
 * The picture as a JPEG within these limits: upright, 8-bit sRGB, transparent parts on white or black (whichever the painted part stands
 * out from), the shortest side padded; smaller if memory or the limits demand it.
 *
 * Throws `image-unreadable` if it is cut off or no picture, `image-too-large` if memory or time do not suffice, `cancelled`, and the system's
 * error if no process can be started.
 */
export async function redraw(
  original: Original,
  limits: PictureLimits,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const { bytes, ...kind } = original;
  const task: RedrawTask = {
    ...kind,
    bytes: bytes.length,
    limits: {
      ...limits,
      originalPixels: MAX_ORIGINAL_PIXELS,
      dataBytes: MAX_DATA_KB * 1024,
    },
    exitCodes: EXIT_CODES,
  };
  const command = [...REDRAW, JSON.stringify(task)];
  const bounds = { ...BOUNDS, maxBytes: limits.bytes };
  const { code, output, cause } = await runBounded(command, ENVIRONMENT, [bytes], bounds, signal);
  if (code === null) throw tooLarge(cause);
  if (code === 0) return output;
  if (code === EXIT_CODES.unreadable) {
    throw new Failure('image-unreadable', 'the picture cannot be decoded', { cause });
  }
  if (code === EXIT_CODES.tooLarge) throw tooLarge(cause);
  throw new Error('the process that redraws pictures failed', { cause });
}

/**
 * The pixels of a BMP, top row first, scaled down if there are more than are drawn. ffmpeg reads BMP, sharp does not. Throws as `redraw`
 * does.
 */
export async function decodeBmp(
  bytes: Buffer,
  header: BmpHeader,
  signal: AbortSignal | undefined,
): Promise<Original> {
  const pixels = header.width * header.height;
  if (pixels > MAX_BMP_PIXELS) throw tooLarge(new Error(`${pixels} pixels of a bmp`));
  const scale = Math.min(1, Math.sqrt(MAX_DECODED_BMP_PIXELS / pixels));
  const width = Math.max(1, Math.floor(header.width * scale));
  const height = Math.max(1, Math.floor(header.height * scale));
  const channels = header.hasAlpha ? 4 : 3;
  const length = width * height * channels;

  const format = ['-pix_fmt', header.hasAlpha ? 'rgba' : 'rgb24', '-s', `${width}x${height}`];
  const command = [ffmpegPath(), ...DECODE_BMP, ...format, 'pipe:1'];
  const opening = Buffer.from(bytes.subarray(0, BMP_LENGTH_AT + 4));
  opening.writeUInt32LE(bytes.length, BMP_LENGTH_AT);
  const input = [opening, bytes.subarray(opening.length)];
  const bounds = { ...BOUNDS, maxBytes: length };
  const { code, output, cause } = await runBounded(command, process.env, input, bounds, signal);
  if (code === null) throw tooLarge(cause);
  // `nice` ends with 126 or 127 if ffmpeg cannot be started.
  if (code >= 126) throw new Error('ffmpeg failed to start', { cause });
  if (output.length < length) {
    throw new Failure('image-unreadable', 'ffmpeg cannot decode this bmp', { cause });
  }
  return { bytes: output, format: 'raw', raw: { width, height, channels } };
}

export function tooLarge(cause: Error): Failure {
  return new Failure('image-too-large', 'decoding a picture exceeds the memory or time limit', { cause });
}
