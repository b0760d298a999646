/** Makes any picture fit the provider's limits; leaves those that already fit untouched. */
import { Failure } from '../../errors.ts';
import { throwIfCancelled } from '../../patience.ts';
import { Semaphore } from '../semaphore.ts';
import { decodeBmp } from './ffmpeg-picture.ts';
import { decodeAvif, decodeHeic } from './heif.ts';
import { type ImageFormat, imageFormat, type PlainImage, plainImage } from './image-header.ts';
import { type Original, type PictureLimits, type Region, redraw } from './image-redraw.ts';
import { isLong, slicesOf } from './slices.ts';

/** `width` and `height` are pixels as the provider sees them. */
export interface FittedImage extends PlainImage {
  readonly bytes: Buffer;
}

/** Makes pictures fit, one redrawing at a time, since that may take 200 MB; pictures that fit do not wait. */
export class ImageFitter {
  readonly #limits: PictureLimits;
  readonly #redraws = new Semaphore(1);

  constructor(limits: PictureLimits) {
    this.#limits = limits;
  }

  /**
   * The picture within all limits of the provider. One that fits by its header comes back byte for byte, in a few milliseconds; any
   * other (jpg, png, bmp, webp, tiff, gif, avif, heic) is redrawn as a JPEG, when it is `person`'s turn.
   *
   * Throws `image-unreadable` if it is empty, cut off or no picture, `image-too-large` if it cannot be decoded in the memory and time
   * allowed, `cancelled` (or the signal's own Failure) if the signal aborts, and the system's error if no process can be started.
   */
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

  /** The slices of a long picture, from top to bottom; undefined if it is read whole. Throws as `fit` does. */
  async slicesOf(
    bytes: Buffer,
    signal: AbortSignal | undefined,
    person: string,
  ): Promise<Region[] | undefined> {
    if (!isLong(bytes, this.#limits)) return undefined;
    return this.#redraws.spend({ units: 1, person, signal }, () => slicesOf(bytes, this.#limits, signal));
  }
}

/** The file as a picture for the provider, if it fits. */
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
