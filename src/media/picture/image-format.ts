/**
 * Which picture format a file holds, told by its first bytes; names and MIME types are claims of strangers.
 */

export type ImageFormat = 'jpeg' | 'png' | 'bmp' | 'webp' | 'tiff' | 'gif' | 'avif';

const TIFF_OPENINGS = ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'];

/**
 * The format of a file, or `undefined` for what the bot does not read. This is also the gate in front of
 * sharp, which would render an SVG (and whatever it links to).
 */
export function imageFormat(bytes: Buffer): ImageFormat | undefined {
  const opening = (from: number, to: number) => bytes.toString('latin1', from, to);

  if (opening(0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (opening(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (opening(0, 2) === 'BM') return 'bmp';
  if (opening(0, 4) === 'RIFF' && opening(8, 12) === 'WEBP') return 'webp';
  if (TIFF_OPENINGS.includes(opening(0, 4))) return 'tiff';
  if (opening(0, 6) === 'GIF87a' || opening(0, 6) === 'GIF89a') return 'gif';
  if (opening(4, 8) === 'ftyp' && brands(bytes).some((brand) => brand === 'avif' || brand === 'avis')) {
    return 'avif';
  }
  return undefined;
}

/** The brands in an ISO media file's opening `ftyp` box: HEIC and MP4 begin with the same box as AVIF. */
function brands(bytes: Buffer): string[] {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256);
  return (bytes.toString('latin1', 8, end).match(/.{4}/gs) ?? []).filter((_, index) => index !== 1);
}
