import { fileURLToPath } from 'node:url';
import { Failure } from '../../errors.ts';
import { BARE_ENVIRONMENT, runBounded } from '../child-process.ts';

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

/** `format`: sharp's name, or raw pixels. */
export interface Original {
  readonly bytes: Buffer;
  /** All of it by default. */
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
 * Writable memory of the process in kB (RLIMIT_DATA), Node's own included: its RSS is then at most 170 MB, and 200 MB with the file and the
 * JPEG that the bot holds meanwhile. A header does not tell what a decoder needs (progressive JPEG, PNG chunks that unpack to gigabytes,
 * AVIF that lies).
 */
const MAX_DATA_KB = 145_000;
const MAX_REDRAW_S = 30;
const BOUNDS = { dataKb: MAX_DATA_KB, seconds: MAX_REDRAW_S };
const MAX_ORIGINAL_PIXELS = 150e6;
export const EXIT_CODES = { unreadable: 65, tooLarge: 66 } as const;

const PROGRAM = fileURLToPath(new URL('redraw-process.mjs', import.meta.url));
/** With a heap that returns freed memory. */
const ENVIRONMENT = { ...BARE_ENVIRONMENT, MALLOC_MMAP_THRESHOLD_: '262144' };
/** The bounds of every process that decodes a picture with sharp. */
export const DECODING = { maxPixels: MAX_ORIGINAL_PIXELS, environment: ENVIRONMENT, bounds: BOUNDS };
const REDRAW = [process.execPath, '--jitless', '--expose-gc', PROGRAM];

/**
 * Returns a JPEG within these limits: upright, 8-bit sRGB, transparent parts on white or black (whichever the painted part stands out from),
 * the shortest side padded; smaller if memory or the limits demand it. Throws `image-unreadable` if it is cut off or no picture,
 * `image-too-large` if memory or time do not suffice, `cancelled`, and the system's error if no process can be started.
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

export function tooLarge(cause: Error): Failure {
  return new Failure('image-too-large', 'decoding a picture exceeds the memory or time limit', { cause });
}
