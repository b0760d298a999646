/** Draws a picture anew, as a JPEG that the provider takes: in a process of its own, whose memory and time are bounded. */
import { fileURLToPath } from 'node:url';
import { Failure } from '../../errors.ts';
import { runBounded } from '../bounded-process.ts';
import type { BmpHeader } from './image-header.ts';

/** What a provider takes of a picture. */
export interface PictureLimits {
  /** Bytes of the file. */
  readonly bytes: number;
  /** Pixels of the shortest and of the longest side. */
  readonly minSide: number;
  readonly maxSide: number;
}

/** What is to be drawn anew: a file of a format that sharp names so, or the pixels themselves. */
export interface Original {
  readonly bytes: Buffer;
  readonly format: 'jpeg' | 'png' | 'webp' | 'tiff' | 'gif' | 'heif' | 'raw';
  readonly raw?: { readonly width: number; readonly height: number; readonly channels: 3 | 4 };
}

/** What `redraw-process.mjs` is told, beside the bytes. */
export interface RedrawTask extends Omit<Original, 'bytes'> {
  readonly bytes: number;
  readonly limits: PictureLimits & {
    /** Pixels of the original, for the time that it takes: no camera has more. */
    readonly originalPixels: number;
    /** Bytes that the process may have for writing. */
    readonly dataBytes: number;
    /** Seconds for each try. */
    readonly seconds: number;
  };
  readonly exitCodes: typeof EXIT_CODES;
}

/**
 * kB that the process may have for writing (RLIMIT_DATA), Node's own included: with the code that it runs, its RSS then is 170 MB at
 * most, and with the file and the JPEG, which the bot holds meanwhile, 200 MB. A limit that Linux keeps whatever a file does: what a
 * decoder takes is not to be told from a header (progressive JPEG, chunks of PNG that unpack to gigabytes, AVIF that lies).
 */
const MOST_DATA_KB = 145_000;
const LONGEST_REDRAW_S = 30;
const BOUNDS = { dataKb: MOST_DATA_KB, seconds: LONGEST_REDRAW_S };
const MOST_ORIGINAL_PIXELS = 150e6;
const EXIT_CODES = { unreadable: 65, tooLarge: 66 } as const;

const PROGRAM = fileURLToPath(new URL('redraw-process.mjs', import.meta.url));
/** No variable of the bot's, which hold its secrets; one thread beside Node's own, and a heap that gives back what was used. */
const ENVIRONMENT = { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144' };
const REDRAW = [process.execPath, '--jitless', '--expose-gc', PROGRAM];

/** A BMP to the bytes of its pixels, top row first; their format follows. */
const DECODE_BMP = '-v error -threads 1 -f bmp_pipe -i pipe:0 -frames:v 1 -f rawvideo'.split(' ');
/** Of the original, which ffmpeg holds whole, and of what it gives, which it holds twice and the bot then once. */
const MOST_BMP_PIXELS = 36e6;
const MOST_DECODED_BMP_PIXELS = 9e6;
/** Where a BMP says how long the file is; some programs write 0, which ffmpeg refuses. */
const BMP_LENGTH_AT = 2;

/**
 * The picture as a JPEG within these limits: upright, 8-bit sRGB, what is transparent on white or black
 * (whichever its painted part stands out from), the shortest side padded; smaller where memory or the
 * limits ask for it.
 *
 * Throws `image-unreadable` for what is cut off or no picture, `image-too-large` where memory or time do not suffice, `cancelled`,
 * and what the machine says where it can start no process.
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
      originalPixels: MOST_ORIGINAL_PIXELS,
      dataBytes: MOST_DATA_KB * 1024,
      seconds: LONGEST_REDRAW_S,
    },
    exitCodes: EXIT_CODES,
  };
  const command = [...REDRAW, JSON.stringify(task)];
  const bounds = { ...BOUNDS, mostBytes: limits.bytes };
  const { code, output, cause, isKilled } = await runBounded(command, ENVIRONMENT, [bytes], bounds, signal);
  if (isKilled) throw tooLarge(cause);
  if (code === 0) return output;
  if (code === EXIT_CODES.unreadable) {
    throw new Failure('image-unreadable', 'the picture cannot be decoded', { cause });
  }
  if (code === EXIT_CODES.tooLarge) throw tooLarge(cause);
  throw new Error('the process that redraws pictures does not work', { cause });
}

/**
 * The pixels of a BMP, which sharp does not read and ffmpeg does, top row first; scaled where there are more than are drawn. Throws as
 * `redraw` does.
 */
export async function decodeBmp(
  bytes: Buffer,
  header: BmpHeader,
  signal: AbortSignal | undefined,
): Promise<Original> {
  const pixels = header.width * header.height;
  if (pixels > MOST_BMP_PIXELS) throw tooLarge(new Error(`${pixels} pixels of a bmp`));
  const scale = Math.min(1, Math.sqrt(MOST_DECODED_BMP_PIXELS / pixels));
  const width = Math.max(1, Math.floor(header.width * scale));
  const height = Math.max(1, Math.floor(header.height * scale));
  const channels = header.hasAlpha ? 4 : 3;
  const length = width * height * channels;

  // As fluent-ffmpeg chooses it, and in the encoders' environment, from which the start has dropped the secrets.
  const ffmpeg = process.env.FFMPEG_PATH || 'ffmpeg';
  const format = ['-pix_fmt', header.hasAlpha ? 'rgba' : 'rgb24', '-s', `${width}x${height}`];
  const command = [ffmpeg, ...DECODE_BMP, ...format, 'pipe:1'];
  const opening = Buffer.from(bytes.subarray(0, BMP_LENGTH_AT + 4));
  opening.writeUInt32LE(bytes.length, BMP_LENGTH_AT);
  const input = [opening, bytes.subarray(opening.length)];
  const bounds = { ...BOUNDS, mostBytes: length };
  const { code, output, cause, isKilled } = await runBounded(command, process.env, input, bounds, signal);
  if (isKilled) throw tooLarge(cause);
  // `nice` ends with 126 or 127 where ffmpeg cannot be started, ffmpeg with 255 after Ctrl-C.
  if (code === null || code >= 126) throw new Error('ffmpeg does not work', { cause });
  if (output.length < length) {
    throw new Failure('image-unreadable', 'ffmpeg does not read this bmp', { cause });
  }
  return { bytes: output, format: 'raw', raw: { width, height, channels } };
}

function tooLarge(cause: Error): Failure {
  return new Failure('image-too-large', 'decoding takes more memory or time than a picture may', { cause });
}
