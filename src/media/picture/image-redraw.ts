/** Redraws a picture, or finds where a long one can be cut, in a process of bounded memory and time. */
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Failure } from '../../errors.ts';
import { type Ended, EXIT_CODES, runProgram } from '../child-process.ts';

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
  /** Upright, in pixels, if `raw` is drawn smaller than the picture. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
  /** Pixels of a region that `raw` would hold in the picture's own size, at most. */
  readonly maxPixels?: number;
  /** A picture that would be illegible in one piece is not drawn, but cut into regions. */
  readonly mayBeSliced?: boolean | undefined;
}

/** The task of `picture-process.mjs`. */
interface PictureTask extends Omit<Original, 'bytes'> {
  readonly limits: PictureLimits;
  /** Writable memory of the process, in bytes. */
  readonly dataBytes: number;
}

/**
 * Writable memory of the process in kB (RLIMIT_DATA), Node's own included: its RSS is then at most 170 MB, and 200 MB with the file and the
 * JPEG that the bot holds meanwhile. A header does not tell what a decoder needs (progressive JPEG, PNG chunks that unpack to gigabytes,
 * AVIF that lies).
 */
const MAX_DATA_KB = 145_000;
/** Processor time of every process that decodes a picture. */
export const MAX_DECODING_S = 30;
/** How the regions of a long picture begin, which come in place of a JPEG. */
const LIST = '['.charCodeAt(0);

const PROGRAM = fileURLToPath(new URL('picture-process.mjs', import.meta.url));
const COMMAND = [process.execPath, '--jitless', '--expose-gc', PROGRAM];
const regions = z.array(z.object({ top: z.int().nonnegative(), height: z.int().positive() }));

/**
 * Returns a JPEG within these limits: upright, 8-bit sRGB, transparent parts on white or black (whichever the painted part stands out from),
 * the shortest side padded; smaller if memory or the limits demand it. Of a long picture that may be sliced, its regions from top to bottom,
 * cut between lines. Throws `image-unreadable` if it is no picture, or lacks more than its last few rows, `image-too-large` if memory or time
 * do not suffice, `cancelled`, and the system's error if no process can be started.
 */
export async function redraw(
  { bytes, ...kind }: Original,
  limits: PictureLimits,
  signal: AbortSignal | undefined,
): Promise<Buffer | Region[]> {
  const task: PictureTask = { ...kind, limits, dataBytes: MAX_DATA_KB * 1024 };
  const bounds = { dataKb: MAX_DATA_KB, seconds: MAX_DECODING_S, maxBytes: limits.bytes };
  const ended = await runProgram(COMMAND, task, bytes, bounds, signal);
  if (ended.code !== 0) throw failureOf(ended);
  const { output } = ended;
  return output[0] === LIST ? regions.parse(JSON.parse(output.toString())) : output;
}

/** Why a process of ours has not decoded a picture. */
export function failureOf({ code, cause }: Ended): Error {
  if (code === null || code === EXIT_CODES.tooLarge) return tooLarge(cause);
  if (code === EXIT_CODES.unreadable)
    return new Failure('image-unreadable', 'the picture cannot be decoded', { cause });
  return new Error('the process that decodes pictures failed', { cause });
}

export function tooLarge(cause: Error): Failure {
  return new Failure('image-too-large', 'decoding a picture exceeds the memory or time limit', { cause });
}
