/** Decodes HEIC, which iPhones use for a picture sent as a file, in a process of its own with bounded memory and time. */
import { fileURLToPath } from 'node:url';
import { Failure } from '../../errors.ts';
import { BARE_ENVIRONMENT, runBounded } from '../child-process.ts';
import { EXIT_CODES, type Original, tooLarge } from './image-redraw.ts';

/** The task of `heic-process.mjs`, beside the bytes. */
export interface HeicTask {
  readonly bytes: number;
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

const PROGRAM = fileURLToPath(new URL('heic-process.mjs', import.meta.url));
const COMMAND = [process.execPath, '--max-old-space-size=32', '--max-semi-space-size=2', PROGRAM];

/** The pixels of a HEIC picture, upright. Throws as `redraw` does. */
export async function decodeHeic(bytes: Buffer, signal: AbortSignal | undefined): Promise<Original> {
  const task: HeicTask = {
    bytes: bytes.length,
    maxPixels: MAX_PIXELS,
    memoryBytes: LIBHEIF_BYTES,
    exitCodes: EXIT_CODES,
  };
  const bounds = {
    dataKb: MAX_DATA_KB,
    seconds: MAX_SECONDS,
    maxBytes: HEADER_BYTES + MAX_PIXELS * COLOURS,
  };
  const command = [...COMMAND, JSON.stringify(task)];
  const { code, output, cause } = await runBounded(command, BARE_ENVIRONMENT, [bytes], bounds, signal);
  if (code === EXIT_CODES.tooLarge || code === null) throw tooLarge(cause);
  if (code !== 0 || output.length < HEADER_BYTES) {
    throw new Failure('image-unreadable', 'the heic cannot be decoded', { cause });
  }
  const [width, height] = [output.readUInt32LE(0), output.readUInt32LE(4)];
  return { bytes: output.subarray(HEADER_BYTES), format: 'raw', raw: { width, height, channels: COLOURS } };
}
