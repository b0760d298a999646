/** Makes any picture a person sends fit the recognition service, and touches none that already does. */
import PQueue from 'p-queue';
import { Failure, isFailure } from '../../errors.ts';
import { throwIfCancelled, unlessCancelled } from '../cancelled.ts';
import { type ImageHeader, readImageHeader } from './image-header.ts';
import { MAX_BYTES, MAX_DECODED_BYTES, sidesFit } from './image-limits.ts';
import { redraw } from './image-redraw.ts';

export interface FittedImage {
  readonly bytes: Buffer;
  readonly format: 'jpeg' | 'png' | 'bmp';
  /** Pixels, as the service will see the picture. */
  readonly width: number;
  readonly height: number;
}

export interface ImageFitter {
  /**
   * The picture within every limit of service-interface §8. What the header shows to fit is handed back byte
   * for byte, in about a millisecond; all else (jpg, png, bmp, webp, tiff, gif, avif) is drawn anew as a
   * JPEG.
   *
   * Throws `image-unreadable` for what is empty, cut off or no picture, `image-too-large` for a decompression
   * bomb, and `cancelled` (or the signal's own Failure) as soon as the signal aborts.
   */
  fit(bytes: Uint8Array, signal?: AbortSignal): Promise<FittedImage>;
}

/**
 * At most `concurrency` pictures are decoded at once, since each may hold hundreds of MB; pictures that fit
 * do not wait for them.
 */
export function createImageFitter({ concurrency }: { concurrency: number }): ImageFitter {
  const decodes = new PQueue({ concurrency });

  return {
    async fit(input, signal) {
      throwIfCancelled(signal);
      const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
      const header = await readImageHeader(bytes);
      if (header.decodedBytes > MAX_DECODED_BYTES) {
        throw new Failure(
          'image-too-large',
          `${header.width} × ${header.height} pixels are too many to decode`,
        );
      }
      if (header.readableAs && bytes.length <= MAX_BYTES && sidesFit(header.width, header.height)) {
        return { bytes, format: header.readableAs, width: header.width, height: header.height };
      }
      // The signal is not the queue's: p-queue would give the place away while sharp, which cannot be
      // stopped, still decodes.
      return unlessCancelled(
        decodes.add(() => decode(header, signal)),
        signal,
      );
    },
  };
}

async function decode(header: ImageHeader, signal: AbortSignal | undefined): Promise<FittedImage> {
  throwIfCancelled(signal);
  try {
    return { format: 'jpeg', ...(await redraw(await header.open(), header, signal)) };
  } catch (cause) {
    if (isFailure(cause)) throw cause;
    throw new Failure('image-unreadable', 'the picture cannot be decoded', { cause });
  }
}
