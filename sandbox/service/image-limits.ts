/** The limits a recognition image is held to, told from its bytes (service-interface §8). */
import sharp from 'sharp';

/** 10 MB as base64 text. The interface does not say which MB; this is the smaller, so that what passes here passes anywhere. */
export const MAX_BASE64_BYTES = 10_000_000;
const MIN_SIDE_PX = 15;
const MAX_SIDE_PX = 8192;

interface ImageHeader {
  readonly format: 'jpg' | 'png' | 'bmp';
  readonly width: number;
  readonly height: number;
}

/** Format and size of a jpg, png or bmp from its header alone; `undefined` for anything else. */
export async function readImageHeader(image: Buffer): Promise<ImageHeader | undefined> {
  if (image.subarray(0, 2).toString('latin1') === 'BM') return readBmpHeader(image);
  const format = formatByMagic(image);
  if (format === undefined) return undefined;
  try {
    const { width, height } = await sharp(image, { limitInputPixels: false }).metadata();
    return { format, width, height };
  } catch {
    return undefined;
  }
}

/** True when both sides are within the limits. */
export function isWithinPixelLimits({ width, height }: ImageHeader): boolean {
  return Math.min(width, height) >= MIN_SIDE_PX && Math.max(width, height) <= MAX_SIDE_PX;
}

/** Returns the length of this number of bytes in base64. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

function formatByMagic(image: Buffer): 'jpg' | 'png' | undefined {
  if (image.subarray(0, 3).toString('hex') === 'ffd8ff') return 'jpg';
  if (image.subarray(0, 8).toString('hex') === '89504e470d0a1a0a') return 'png';
  return undefined;
}

/** sharp reads no BMP. The header's two generations differ in the width of their fields; a negative height means top-down. */
function readBmpHeader(image: Buffer): ImageHeader | undefined {
  if (image.length < 26) return undefined;
  const isOldest = image.readUInt32LE(14) === 12;
  const width = isOldest ? image.readUInt16LE(18) : image.readInt32LE(18);
  const height = isOldest ? image.readUInt16LE(20) : Math.abs(image.readInt32LE(22));
  return { format: 'bmp', width, height };
}
