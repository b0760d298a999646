/** Cuts long pictures (screenshots of whole chats) between their lines, in a process of its own with bounded memory and time. */
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { runBounded } from '../child-process.ts';
import { imageFormat } from './image-header.ts';
import { DECODING, type PictureLimits, type Region } from './image-redraw.ts';
import { segmentsOf } from './jpeg.ts';

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

/** Whether a picture is read in slices, by its header. */
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

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size in the header of a format that phones use for screenshots; undefined for other formats and invalid headers. */
function sizeOf(bytes: Buffer): Size | undefined {
  const format = imageFormat(bytes);
  if (bytes.length < 32) return undefined;
  if (format === 'png') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (format === 'webp') return webpSize(bytes);
  return format === 'jpeg' ? jpegSize(bytes) : undefined;
}

/** RFC 9649: the three forms of a WebP begin with its size. */
function webpSize(bytes: Buffer): Size | undefined {
  const form = bytes.toString('latin1', 12, 16);
  if (form === 'VP8X') return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
  if (form === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (form !== 'VP8L') return undefined;
  const bits = bytes.readUInt32LE(21);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) };
}

/** Frame markers, except for those in their range that mark something else (DHT, JPG, DAC). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function jpegSize(jpeg: Buffer): Size | undefined {
  for (const { kind, bytes } of segmentsOf(jpeg))
    if (isFrame(kind) && bytes.length >= 9)
      return { height: bytes.readUInt16BE(5), width: bytes.readUInt16BE(7) };
  return undefined;
}
