/** Draws a picture anew, as a JPEG that the service takes. */
import type { Sharp } from 'sharp';
import { MAX_SIDE, MIN_SIDE } from '../../service-limits.ts';
import { throwIfCancelled } from '../cancelled.ts';
import { MAX_BYTES } from './image-limits.ts';

export interface Drawn {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Qualities tried in turn; below 60 thin strokes begin to smear, and a smaller picture reads better. */
const LOWEST_QUALITY = 60;
const QUALITIES = [85, 75, LOWEST_QUALITY];

/** The largest picture takes some seconds; one that takes longer is made to, and others wait for their turn behind it. */
const LONGEST_DECODE_S = 30;

/** Halves the area, again and again where no quality was low enough. */
const SHRINK = Math.SQRT1_2;

/**
 * The picture as a JPEG within every limit of service-interface §8: upright, on white, 8-bit sRGB, longest
 * side at most 8192 px, shortest padded to 15 px; worse or smaller only as far as 10 MB of base64 ask for it.
 * `width` and `height` are those of the upright picture; `picture` begins a new decode at each call. Throws
 * what sharp throws, and `cancelled` between two tries.
 */
export async function redraw(
  picture: () => Sharp,
  { width, height }: { width: number; height: number },
  signal?: AbortSignal,
): Promise<Drawn> {
  const largest = Math.min(1, MAX_SIDE / Math.max(width, height));
  for (let tries = 0; ; tries += 1) {
    throwIfCancelled(signal);
    const quality = QUALITIES[tries] ?? LOWEST_QUALITY;
    const scale = largest * SHRINK ** Math.max(0, tries - QUALITIES.length + 1);
    const inner = { width: scaled(width, scale), height: scaled(height, scale) };
    const { data, info } = await picture()
      .timeout({ seconds: LONGEST_DECODE_S })
      .autoOrient()
      .resize({ ...inner, fit: 'fill' })
      .flatten({ background: 'white' })
      .extend({ ...padding(inner), background: 'white' })
      .toColourspace('srgb')
      // Full chroma keeps thin coloured strokes apart from their ground. Optimised Huffman tables would hold
      // the whole picture in memory (108 Mpx: 630 MB instead of 54) to save 5 % of the file.
      .jpeg({ quality, chromaSubsampling: '4:4:4', optimiseCoding: false })
      .toBuffer({ resolveWithObject: true });
    if (data.length <= MAX_BYTES) return { bytes: data, width: info.width, height: info.height };
  }
}

function scaled(side: number, scale: number): number {
  return Math.max(1, Math.round(side * scale));
}

/** Pixels to add on each side so that neither is below the service's shortest. */
function padding({ width, height }: { width: number; height: number }) {
  const across = Math.max(0, MIN_SIDE - width);
  const down = Math.max(0, MIN_SIDE - height);
  return {
    left: Math.floor(across / 2),
    right: Math.ceil(across / 2),
    top: Math.floor(down / 2),
    bottom: Math.ceil(down / 2),
  };
}
