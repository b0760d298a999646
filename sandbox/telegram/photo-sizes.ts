/** What Telegram makes of a photo: a JPEG of at most 1280 pixels on its longest side, and smaller ones beside it. */
import sharp from 'sharp';
import { type FileStore, fileObject } from './files.ts';
import type { Message, PhotoSize } from './objects.ts';

/** Longest sides in pixels, as Telegram's sizes `s`, `m`, `x`, `y`. */
const SIDES = [90, 320, 800, 1280];

/** Width and height in pixels, turned as the picture asks; throws sharp's error for bytes that are no picture. */
export async function uprightSize(bytes: Buffer): Promise<{ width: number; height: number }> {
  const { autoOrient } = await sharp(bytes).metadata();
  return autoOrient;
}

/**
 * The sizes of a photo, smallest first, each a file of its own; none is larger than the picture.
 * Throws sharp's error for bytes that are no picture.
 */
export async function photoSizes(bytes: Buffer, files: FileStore): Promise<PhotoSize[]> {
  const picture = sharp(bytes).autoOrient().flatten({ background: 'white' });
  const { width, height } = await uprightSize(bytes);
  const longest = Math.max(width, height);
  const smaller = SIDES.filter((side) => side < longest);
  const sides = smaller.length < SIDES.length ? [...smaller, longest] : smaller;
  return Promise.all(
    sides.map(async (side) => {
      const { data, info } = await picture
        .clone()
        .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
        .jpeg({ quality: 87 })
        .toBuffer({ resolveWithObject: true });
      const file = files.add(data, { kind: 'photo', fileName: 'photo.jpg', mimeType: 'image/jpeg' });
      return { ...fileObject(file), width: info.width, height: info.height };
    }),
  );
}

/** A photo as the content of a message; each of its files can be sent again by its id. */
export async function photoContent(files: FileStore, bytes: Buffer): Promise<Partial<Message>> {
  const photo = await photoSizes(bytes, files);
  return files.describe(
    photo.map(({ file_id }) => file_id),
    { photo },
  );
}
