/** Makes a picture fit the provider's limits: untouched if it fits, else redrawn; a long one (a chat's screenshot) in slices. */
import { Failure } from '../../errors.ts';
import { throwIfCancelled } from '../../patience.ts';
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
import { type Original, type PictureLimits, type Region, redraw, slicesOf } from './image-redraw.ts';

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
    // Of a JPEG or PNG, as phones make of screenshots.
    const size = sizeOf(bytes);
    if (size === undefined || !isLong(size, this.#limits.maxSide)) return undefined;
    return this.#redraws.spend({ units: 1, person, signal }, () =>
      slicesOf(bytes, size.height, this.#limits, signal),
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

/** A picture narrower than this share of its height, and longer than the provider's limit, would be illegible in one piece. */
const NARROW = 1 / 3;
/** A picture with fewer pixels across holds no lines of writing. */
const MIN_WIDTH = 64;

function isLong({ width, height }: Size, maxSide: number): boolean {
  return width >= MIN_WIDTH && height > maxSide && width <= height * NARROW;
}
