/** Makes a picture fit the provider's limits: untouched if it fits, else redrawn; a long one (a chat's screenshot) in slices. */
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Failure } from '../../errors.ts';
import { throwIfCancelled } from '../../patience.ts';
import { runBounded } from '../child-process.ts';
import { Semaphore } from '../semaphore.ts';
import { decodeAvif, decodeBmp, decodeHeic } from './decoders.ts';
import {
  type ImageFormat,
  imageFormat,
  type PlainImage,
  plainImage,
  type Size,
  sizeOf,
} from './image-header.ts';
import { DECODING, type Original, type PictureLimits, type Region, redraw } from './image-redraw.ts';

/** `width` and `height` are pixels as the provider sees them. */
export interface FittedImage extends PlainImage {
  readonly bytes: Buffer;
}

/** Redraws one picture at a time, since that may take 200 MB; pictures that fit do not wait. */
export class ImageFitter {
  readonly #limits: PictureLimits;
  readonly #redraws = new Semaphore(1);

  constructor(limits: PictureLimits) {
    this.#limits = limits;
  }

  /** What fits by its header comes back byte for byte; anything else is redrawn at `person`'s turn. Throws as `redraw` does. */
  async fit(
    bytes: Buffer,
    signal?: AbortSignal,
    person = '',
    { region, page }: Pick<Original, 'region' | 'page'> = {},
  ): Promise<FittedImage> {
    throwIfCancelled(signal);
    const format = imageFormat(bytes);
    if (!format) throw new Failure('image-unreadable', 'not a picture format that the bot reads');
    const asItIs = region === undefined ? servable(bytes, format, this.#limits) : undefined;
    if (asItIs) return asItIs;
    return this.#redraws.spend({ units: 1, person, signal }, async () => {
      const whole = await original(bytes, format, signal);
      const jpeg = await redraw({ ...whole, region, page }, this.#limits, signal);
      const drawn = servable(jpeg, 'jpeg', this.#limits);
      if (!drawn) throw new Error('a redrawn picture does not fit');
      return drawn;
    });
  }

  /** From top to bottom; undefined if the picture is read whole. Throws as `fit` does. */
  async slicesOf(
    bytes: Buffer,
    signal: AbortSignal | undefined,
    person: string,
  ): Promise<Region[] | undefined> {
    const { maxSide } = this.#limits;
    // Of a JPEG or PNG, as phones make of screenshots.
    const size = sizeOf(bytes);
    if (size === undefined || !isLong(size, maxSide)) return undefined;
    return this.#redraws.spend({ units: 1, person, signal }, () =>
      slicesOf(bytes, size.height, maxSide, signal),
    );
  }
}

function servable(bytes: Buffer, format: ImageFormat, limits: PictureLimits): FittedImage | undefined {
  const plain = bytes.length > limits.bytes ? undefined : plainImage(bytes, format);
  if (!plain) return undefined;
  const sides = [plain.width, plain.height];
  const fits = Math.min(...sides) >= limits.minSide && Math.max(...sides) <= limits.maxSide;
  return fits ? { bytes, ...plain } : undefined;
}

async function original(
  bytes: Buffer,
  format: ImageFormat,
  signal: AbortSignal | undefined,
): Promise<Original> {
  if (format === 'heic') return decodeHeic(bytes, signal);
  if (format === 'avif') return decodeAvif(bytes, signal);
  return format === 'bmp' ? decodeBmp(bytes, signal) : { bytes, format };
}

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

function isLong({ width, height }: Size, maxSide: number): boolean {
  return width >= MIN_WIDTH && height > maxSide && width <= height * NARROW;
}

/** Undefined if the picture cannot be decoded, which redrawing it reports. Throws as `runBounded` does. */
async function slicesOf(
  bytes: Buffer,
  height: number,
  longest: number,
  signal: AbortSignal | undefined,
): Promise<Region[] | undefined> {
  const { maxPixels, environment, bounds } = DECODING;
  const task: SlicesTask = { bytes: bytes.length, height, longest, maxPixels };
  const limits = { ...bounds, maxBytes: MAX_SAID_BYTES };
  const command = [...COMMAND, JSON.stringify(task)];
  const { code, output } = await runBounded(command, environment, [bytes], limits, signal);
  return code === 0 ? regions.parse(JSON.parse(output.toString())) : undefined;
}
