/** JPEG files of a wanted size that carry a mark: the service finds it in the first bytes that it is sent. */
import sharp from 'sharp';
import { marked, markIn } from '../marks.ts';

/** ISO 10918-1: a comment segment holds at most so much, its own length included. */
const COMMENT_MAX_BYTES = 0xffff;
const SEGMENT_MARKER_BYTES = 2;
/** The beginning of a file that holds its mark, in bytes. */
export const HEAD_BYTES = 60;

export type PictureMaker = (mark: number) => Buffer | Promise<Buffer>;

/** Makes pictures of about `bytes` bytes: a small drawing under comments of noise, which cannot be compressed or skipped. */
export async function pictureMaker(bytes: number): Promise<(mark: number) => Buffer> {
  const noise = Buffer.alloc(640 * 480 * 3, 0).map((_, index) => (index * 2_654_435_761) >>> 24);
  const drawing = await sharp(noise, { raw: { width: 640, height: 480, channels: 3 } })
    .jpeg({ quality: 40 })
    .toBuffer();
  const rest: Buffer[] = [];
  for (let left = bytes - drawing.length; left > 0; left -= COMMENT_MAX_BYTES) {
    const body = Buffer.alloc(Math.min(left, COMMENT_MAX_BYTES - SEGMENT_MARKER_BYTES));
    for (let index = 0; index < body.length; index += 1)
      body[index] = ((index + left) * 2_246_822_519) >>> 13;
    rest.push(comment(body));
  }
  const start = drawing.subarray(0, 2);
  return (mark) => Buffer.concat([start, comment(Buffer.from(marked(mark))), ...rest, drawing.subarray(2)]);
}

/** A WebP, which the service does not take: the bot draws it anew, without its mark. Each has another size, so none is a kept one. */
export function redrawnPicture(mark: number): Promise<Buffer> {
  const size = { width: 100 + (mark % 400), height: 100 + (Math.floor(mark / 400) % 400) };
  return sharp({ create: { ...size, channels: 3, background: 'white' } })
    .webp()
    .toBuffer();
}

/** The mark of the picture that begins with these bytes. */
export function markInPicture(head: Buffer): number | undefined {
  return markIn(head.toString('latin1'));
}

function comment(body: Buffer): Buffer {
  const length = body.length + SEGMENT_MARKER_BYTES;
  return Buffer.concat([Buffer.from([0xff, 0xfe, length >> 8, length & 0xff]), body]);
}
