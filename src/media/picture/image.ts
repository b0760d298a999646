/** Makes a picture fit the provider's limits: it is drawn anew, unless that was just done; a long one (a chat's screenshot) in slices. */
import { Failure } from '../../errors.ts';
import { throwIfCancelled } from '../../patience.ts';
import { Semaphore } from '../semaphore.ts';
import { decodeAvif, decodeBmp, decodeHeic, decodeWebp } from './decoders.ts';
import { type ImageFormat, imageFormat, jpegSize, type Size, tiffPages } from './image-header.ts';
import { type Original, type PictureLimits, type Region, redraw } from './image-redraw.ts';

/** A JPEG. `width` and `height` are pixels as the provider sees them. */
export interface FittedImage extends Size {
  readonly bytes: Buffer;
}

/** Why a picture that would be illegible in one piece is not drawn. */
export class LongImage extends Failure {
  readonly bytes: Buffer;
  /** Its slices, from top to bottom. */
  readonly regions: readonly Region[];

  constructor(bytes: Buffer, regions: readonly Region[]) {
    super('image-too-large', 'a picture would be illegible in one piece');
    this.bytes = bytes;
    this.regions = regions;
  }
}

/** What is wanted of a picture: by default all of it, in one piece. */
interface Wanted extends Pick<Original, 'region' | 'page' | 'mayBeSliced'> {
  /** Telegram or the bot has encoded it as a JPEG, for everybody to read: it is handed on as it is if it fits. */
  readonly isEncodedAnew?: boolean;
}

/** Draws one picture at a time, since that may take 200 MB; what is handed on as it is does not wait. */
export class ImageFitter {
  readonly #limits: PictureLimits;
  readonly #redraws = new Semaphore(1);

  constructor(limits: PictureLimits) {
    this.#limits = limits;
  }

  /** Draws at `person`'s turn: only what a decoder has read is paid for. Throws `LongImage`, and as `redraw` does. */
  async fit(
    bytes: Buffer,
    signal?: AbortSignal,
    person = '',
    { isEncodedAnew = false, ...how }: Wanted = {},
  ): Promise<FittedImage> {
    throwIfCancelled(signal);
    const asItIs = isEncodedAnew ? servable(bytes, this.#limits) : undefined;
    if (asItIs) return asItIs;
    const format = imageFormat(bytes);
    if (!format) throw new Failure('image-unreadable', 'not a picture format that the bot reads');
    return this.#redraws.spend({ units: 1, person, signal }, async () => {
      const original = await decoded(bytes, format, how, signal);
      const drawn = await redraw(original, this.#limits, signal);
      if (!Buffer.isBuffer(drawn)) throw new LongImage(bytes, drawn);
      const fitted = servable(drawn, this.#limits);
      if (!fitted) throw new Error('a redrawn picture does not fit');
      return fitted;
    });
  }
}

function servable(bytes: Buffer, limits: PictureLimits): FittedImage | undefined {
  const size = bytes.length > limits.bytes ? undefined : jpegSize(bytes);
  if (!size) return undefined;
  const sides = [size.width, size.height];
  const fits = Math.min(...sides) >= limits.minSide && Math.max(...sides) <= limits.maxSide;
  return fits ? { bytes, ...size } : undefined;
}

const DECODERS = { heic: decodeHeic, avif: decodeAvif, bmp: decodeBmp, webp: decodeWebp };

/** Decodes what `redraw` cannot, or not within its memory. */
async function decoded(
  bytes: Buffer,
  format: ImageFormat,
  { region, page, mayBeSliced }: Wanted,
  signal: AbortSignal | undefined,
): Promise<Original> {
  if (format === 'tiff') return { bytes, format, region, page: page ?? tiffPages(bytes)[0], mayBeSliced };
  if (format === 'jpeg' || format === 'png' || format === 'gif')
    return { bytes, format, region, mayBeSliced };
  return { ...(await DECODERS[format](bytes, region, signal)), mayBeSliced };
}
