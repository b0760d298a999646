/**
 * What a picture is, from its header alone: under a millisecond, where decoding takes hundreds and much
 * memory.
 */
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { Failure } from '../../errors.ts';
import { readBmpHeader } from './bmp-header.ts';
import { readBmpPixels } from './bmp-pixels.ts';
import { jpegIsWhole, pngIsWholeAndStill } from './image-ending.ts';
import { type ImageFormat, imageFormat } from './image-format.ts';
import { loadSharp } from './load-sharp.ts';

export interface ImageHeader {
  /** Pixels, after the orientation in EXIF is applied. */
  readonly width: number;
  readonly height: number;
  /** Bytes that decoding is expected to hold in memory at the worst. */
  readonly decodedBytes: number;
  /**
   * The format, where the service can read the file as it is, size aside; else the picture must be drawn
   * anew.
   */
  readonly readableAs: 'jpeg' | 'png' | 'bmp' | undefined;
  /**
   * Makes the picture ready; what it gives back begins a new decode each time (sharp's own `clone` copies all
   * bytes).
   */
  open(): Promise<() => Sharp>;
}

/**
 * `truncated` refuses what was cut off but forgives what cameras get wrong. The limit on pixels is ours, not
 * sharp's: it counts them without regard to their depth. Only the first frame or page is ever read.
 */
const SHARP_OPTIONS: SharpOptions = { failOn: 'truncated', limitInputPixels: false };
/** To libtiff a file that was cut off is an error like any other. */
const TIFF_OPTIONS: SharpOptions = { ...SHARP_OPTIONS, failOn: 'error' };

const SAMPLE_BYTES: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };
const LARGEST_SAMPLE_BYTES = 8;

/** libheif and its decoder hold an AVIF several times over (measured: 17 bytes per pixel). */
const AVIF_COPIES = 6;

/** EXIF's "as stored"; 2 to 8 turn or mirror, and other numbers mean nothing. */
const UPRIGHT = 1;
const LAST_ORIENTATION = 8;

/** Throws `image-unreadable` for what is no picture of a format the bot reads, whatever its name says. */
export async function readImageHeader(bytes: Buffer): Promise<ImageHeader> {
  const format = imageFormat(bytes);
  if (!format) throw new Failure('image-unreadable', 'no picture format that is read here');
  return format === 'bmp' ? bmpHeader(bytes) : sharpHeader(bytes, format);
}

async function sharpHeader(bytes: Buffer, format: Exclude<ImageFormat, 'bmp'>): Promise<ImageHeader> {
  const sharp = await loadSharp();
  const picture = () => sharp(bytes, format === 'tiff' ? TIFF_OPTIONS : SHARP_OPTIONS);
  const facts = await picture()
    .metadata()
    .catch((cause: unknown) => {
      throw new Failure('image-unreadable', `the header of a ${format} cannot be read`, { cause });
    });
  // Told by the same bytes, but by other rules: sharp must not find an SVG where we found a webp.
  if (facts.format !== (format === 'avif' ? 'heif' : format)) {
    throw new Failure('image-unreadable', `a ${facts.format} that begins like a ${format}`);
  }
  const { width, height, channels, depth, autoOrient } = facts;
  const samples = width * height * channels;
  return {
    width: autoOrient.width,
    height: autoOrient.height,
    decodedBytes:
      samples * (SAMPLE_BYTES[depth] ?? LARGEST_SAMPLE_BYTES) * (format === 'avif' ? AVIF_COPIES : 1),
    readableAs: plainFormat(bytes, format, facts),
    open: async () => picture,
  };
}

/** JPEG or PNG, where it is one that any reader takes: whole, upright, still, opaque, 8-bit, grey or RGB. */
function plainFormat(bytes: Buffer, format: ImageFormat, facts: Metadata): 'jpeg' | 'png' | undefined {
  const { orientation = UPRIGHT, depth, hasAlpha, space } = facts;
  const turned = orientation > UPRIGHT && orientation <= LAST_ORIENTATION;
  if (turned || depth !== 'uchar' || hasAlpha || (space !== 'srgb' && space !== 'b-w')) return undefined;
  if (format === 'jpeg' && jpegIsWhole(bytes)) return 'jpeg';
  if (format === 'png' && pngIsWholeAndStill(bytes)) return 'png';
  return undefined;
}

function bmpHeader(bytes: Buffer): ImageHeader {
  const header = readBmpHeader(bytes);
  if (!header) throw new Failure('image-unreadable', 'the header of a bmp makes no sense');
  const opaque = header.masks[3] === 0;
  return {
    width: header.width,
    height: header.height,
    decodedBytes: header.width * header.height * (opaque ? 3 : 4),
    readableAs: opaque ? 'bmp' : undefined,
    open: async () => {
      const sharp = await loadSharp();
      const { data, ...raw } = await readBmpPixels(bytes, header);
      return () => sharp(data, { ...SHARP_OPTIONS, raw });
    },
  };
}
