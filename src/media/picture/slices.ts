/** Cuts long pictures (screenshots of whole chats) between their lines, in a process of its own with bounded memory and time. */
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { runBounded } from '../child-process.ts';
import { sizeOf } from './image-header.ts';
import { DECODING, type PictureLimits, type Region } from './image-redraw.ts';

/** The task of `slices-process.mjs`. */
export interface SlicesTask {
  readonly bytes: number;
  /** Rows of the picture. */
  readonly height: number;
  /** Rows of a slice. */
  readonly longest: number;
  readonly maxPixels: number;
}

/** A picture narrower than this share of its height, and longer than the provider's limit, would be illegible in one piece. */
const NARROW = 1 / 3;
/** A picture with fewer pixels across holds no lines of writing. */
const MIN_WIDTH = 64;

const PROGRAM = fileURLToPath(new URL('slices-process.mjs', import.meta.url));
const COMMAND = [process.execPath, '--jitless', PROGRAM];
const MAX_SAID_BYTES = 64 * 1024;
const regions = z.array(z.object({ top: z.int().nonnegative(), height: z.int().positive() }));

/** Whether a picture is read in slices, by its header: a JPEG or PNG, as phones make of screenshots. */
export function isLong(bytes: Buffer, { maxSide }: PictureLimits): boolean {
  const size = sizeOf(bytes);
  if (size === undefined || size.width < MIN_WIDTH) return false;
  return size.height > maxSide && size.width <= size.height * NARROW;
}

/**
 * Returns the slices of such a picture, from top to bottom; undefined if it cannot be decoded, which redrawing it reports. Throws as
 * `runBounded` does.
 */
export async function slicesOf(
  bytes: Buffer,
  { maxSide }: PictureLimits,
  signal: AbortSignal | undefined,
): Promise<Region[] | undefined> {
  const { height = 0 } = sizeOf(bytes) ?? {};
  const { maxPixels, environment, bounds } = DECODING;
  const task: SlicesTask = { bytes: bytes.length, height, longest: maxSide, maxPixels };
  const limits = { ...bounds, maxBytes: MAX_SAID_BYTES };
  const command = [...COMMAND, JSON.stringify(task)];
  const { code, output } = await runBounded(command, environment, [bytes], limits, signal);
  return code === 0 ? regions.parse(JSON.parse(output.toString())) : undefined;
}
