/** Files that claim to be pictures: truncated, lying, endless, or of an unexpected kind. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { aPicture } from '../pictures.ts';

/** A chunk with its length and a right checksum. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A black PNG of one bit a pixel: a square of 30,000 is 110 kB here, and 900 MB when it is decoded. */
export function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A PNG with as many comments of 8 MB, of 8 kB each as they are stored. */
export function pngWithComments(comments: number): Buffer {
  const png = blackPng(32, 32);
  const comment = pngChunk(
    'zTXt',
    Buffer.concat([Buffer.from('k\0\0'), deflateSync(Buffer.alloc(7_900_000, 'a'))]),
  );
  return Buffer.concat([
    png.subarray(0, 33),
    ...Array.from({ length: comments }, () => comment),
    png.subarray(33),
  ]);
}

/** A lossless webp of 11500 × 11500 pixels, whole. */
export const WEBP_OF_38_BYTES = Buffer.from(
  '524946461e000000574542505650384c110000002febec3a0b0750c00217a8ff8188e87f0000',
  'hex',
);

/** A rotated progressive JPEG that claims 11500 × 11500 pixels: decoders keep all its coefficients. */
export async function progressiveJpeg(): Promise<Buffer> {
  const jpeg = await sharp(await aPicture().png().toBuffer())
    .withMetadata({ orientation: 6 })
    .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
    .toBuffer();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc2]));
  jpeg.writeUInt16BE(11_500, frame + 5);
  jpeg.writeUInt16BE(11_500, frame + 7);
  return jpeg;
}

/** A GIF with this number of frames, each of one pixel of its canvas. */
export function gifOfFrames(frames: number, width = 32, height = 32): Buffer {
  const header = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  const frame = Buffer.from('!\xf9\x04\0\x01\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0', 'latin1');
  return Buffer.concat([header, ...Array.from({ length: frames }, () => frame), Buffer.from(';')]);
}

/** A TIFF with this number of grey pages of 32 × 32; in a ring, the last one leads back to the first. */
export function tiffOfPages(pages: number, isRing = false): Buffer {
  const side = 32;
  const fields = [
    [256, 4, side],
    [257, 4, side],
    [258, 3, 8],
    [259, 3, 1],
    [262, 3, 1],
    [273, 4, 8],
    [277, 3, 1],
    [278, 4, side],
    [279, 4, side * side],
  ] as const;
  const directoryBytes = 2 + fields.length * 12 + 4;
  const first = 8 + side * side;
  const bytes = Buffer.alloc(first + pages * directoryBytes);
  bytes.write('II*\0', 0, 'latin1');
  bytes.writeUInt32LE(first, 4);
  bytes.fill(200, 8, first);
  for (let page = 0; page < pages; page += 1) {
    const at = first + page * directoryBytes;
    bytes.writeUInt16LE(fields.length, at);
    for (const [index, [tag, type, value]] of fields.entries()) {
      const entry = at + 2 + index * 12;
      bytes.writeUInt16LE(tag, entry);
      bytes.writeUInt16LE(type, entry + 2);
      bytes.writeUInt32LE(1, entry + 4);
      bytes.writeUInt32LE(value, entry + 8);
    }
    const isLast = page === pages - 1;
    bytes.writeUInt32LE(isLast ? (isRing ? first : 0) : at + directoryBytes, at + directoryBytes - 4);
  }
  return bytes;
}

/** A JPEG with these APP1 segments right after its beginning. */
export function withApp1(jpeg: Buffer, ...contents: readonly Buffer[]): Buffer {
  const segments = contents.map((content) => {
    const head = Buffer.from([0xff, 0xe1, 0, 0]);
    head.writeUInt16BE(content.length + 2, 2);
    return Buffer.concat([head, content]);
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

/** EXIF with this orientation; its directory of pictures is followed by the one at `nextAt`. */
export function exif(orientation: number, nextAt = 0): Buffer {
  const bytes = Buffer.alloc(6 + 8 + 2 + 12 + 4);
  bytes.write('Exif\0\0II*\0', 'latin1');
  bytes.writeUInt32LE(8, 10);
  bytes.writeUInt16LE(1, 14);
  bytes.writeUInt16LE(0x0112, 16);
  bytes.writeUInt16LE(3, 18);
  bytes.writeUInt32LE(1, 20);
  bytes.writeUInt16LE(orientation, 24);
  bytes.writeUInt32LE(nextAt, 28);
  return bytes;
}

/** An AVIF that claims the largest size that its header can hold. */
export async function lyingAvif(side: number): Promise<Buffer> {
  const avif = await aPicture().avif({ effort: 0 }).toBuffer();
  const at = avif.indexOf('ispe');
  avif.writeUInt32BE(side, at + 8);
  avif.writeUInt32BE(side, at + 12);
  return avif;
}

export const SVG_THAT_READS_FILES =
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink"><image x:href="file:///etc/passwd"/></svg>';
/** The beginning of an iPhone's photo: the same box as an AVIF's, with another brand. */
export const HEIC = Buffer.concat([
  Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
  Buffer.alloc(400, 7),
]);
export const EMPTY_ZIP = Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1');
