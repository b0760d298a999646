/** Makes any picture fit the provider's limits; leaves those that already fit untouched. */

import { constants, createInflate } from 'node:zlib';
import { Failure } from '../../errors.ts';
import { throwIfCancelled } from '../../patience.ts';
import { Semaphore } from '../semaphore.ts';
import { decodeLargeAvif } from './avif.ts';
import { decodeHeic } from './heic.ts';
import { type ImageFormat, imageFormat, type PlainImage, plainImage, readBmpHeader } from './image-header.ts';
import { decodeBmp, type Original, type PictureLimits, type Region, redraw } from './image-redraw.ts';
import { oldJpegOf } from './old-jpeg.ts';
import { isLong, slicesOf } from './slices.ts';

/** `width` and `height` are pixels as the provider sees them. */
export interface FittedImage extends PlainImage {
  readonly bytes: Buffer;
}

/** The maximum share of missing rows, at the end of a picture that is read all the same. */
const MAX_MISSING = 0.05;

/** Makes pictures fit, one redrawing at a time, since that may take 200 MB; pictures that fit do not wait. */
export class ImageFitter {
  readonly #limits: PictureLimits;
  readonly #redraws = new Semaphore(1);

  constructor(limits: PictureLimits) {
    this.#limits = limits;
  }

  /**
   * The picture within all limits of the provider. One that fits by its header comes back byte for byte, in less than a millisecond; any
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
    const share = format === 'png' ? await shareOfRows(bytes) : 1;
    if (share < 1 - MAX_MISSING) throw new Failure('image-unreadable', 'a png lacks most of its rows');
    const isAsItIs = region === undefined && share === 1;
    const asItIs = isAsItIs ? servable(bytes, format, this.#limits) : undefined;
    if (asItIs) return asItIs;
    return this.#redraws.spend({ units: 1, size: bytes.length, person, signal }, async () => {
      const whole = await original(bytes, format, page, signal);
      const jpeg = await redraw({ ...whole, region, hasRows: format === 'png' }, this.#limits, signal);
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
    const turn = { units: 1, size: bytes.length, person, ...(signal && { signal }) };
    return this.#redraws.spend(turn, () => slicesOf(bytes, this.#limits, signal));
  }
}

/** The file as a picture for the provider, if it fits. */
function servable(bytes: Buffer, format: ImageFormat, limits: PictureLimits): FittedImage | undefined {
  const plain = plainImage(bytes, format);
  if (!plain || bytes.length > limits.bytes) return undefined;
  const sides = [plain.width, plain.height];
  const fits = Math.min(...sides) >= limits.minSide && Math.max(...sides) <= limits.maxSide;
  return fits ? { bytes, ...plain } : undefined;
}

async function original(
  bytes: Buffer,
  format: ImageFormat,
  page: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Original> {
  if (format === 'heic') return decodeHeic(bytes, signal);
  if (format === 'avif') return (await decodeLargeAvif(bytes, signal)) ?? { bytes, format: 'heif' };
  if (format === 'tiff') {
    const jpeg = oldJpegOf(bytes, page ?? 0);
    return jpeg === undefined ? { bytes, format, page } : { bytes: jpeg, format: 'jpeg' };
  }
  if (format !== 'bmp') return { bytes, format };
  const header = readBmpHeader(bytes);
  if (!header) throw new Failure('image-unreadable', 'the header of a bmp makes no sense');
  return decodeBmp(bytes, header, signal);
}

const SIGNATURE_BYTES = 8;
const CHUNK_OVERHEAD_BYTES = 12;
const CHANNELS = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);
/** The maximum of unpacked rows, in bytes: 150 megapixels. A larger picture is refused from its header, or shrunk by its decoder. */
const MAX_ROW_BYTES = 450e6;
/** The bytes of rows unpacked in one turn of the event loop. */
const PIECE_BYTES = 256 * 1024;

/**
 * Returns the share of its rows that a PNG has: 0 (none, or its header is invalid) to 1. 12 megapixels of a photo take 0.1 s, in a thread.
 */
async function shareOfRows(png: Buffer): Promise<number> {
  const expected = rowBytesOf(png);
  if (expected === undefined) return 0;
  if (expected > MAX_ROW_BYTES) return 1;
  const inflate = createInflate({ chunkSize: PIECE_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  let length = 0;
  inflate.on('data', (rows: Buffer) => {
    length += rows.length;
    if (length >= expected) inflate.destroy();
  });
  // Rows that come before the damage count.
  inflate.on('error', () => inflate.destroy());
  const over = new Promise((resolve) => inflate.once('close', resolve));
  for (const data of dataIn(png)) if (!inflate.destroyed) inflate.write(data);
  if (!inflate.destroyed) inflate.end();
  await over;
  return Math.min(1, length / expected);
}

/** The bytes of all rows of a picture that is not interlaced (else a few more); undefined if the header is invalid. */
function rowBytesOf(png: Buffer): number | undefined {
  if (png.length < 33 || png.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const [depth, colour] = [png.readUInt8(24), png.readUInt8(25)];
  const channels = CHANNELS.get(colour);
  if (channels === undefined || width === 0 || height === 0 || ![1, 2, 4, 8, 16].includes(depth))
    return undefined;
  return height * (1 + Math.ceil((width * channels * depth) / 8));
}

function* dataIn(png: Buffer): Generator<Buffer> {
  let at = SIGNATURE_BYTES;
  while (at + CHUNK_OVERHEAD_BYTES <= png.length) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') yield png.subarray(at + 8, at + 8 + length);
    at += CHUNK_OVERHEAD_BYTES + length;
  }
}
