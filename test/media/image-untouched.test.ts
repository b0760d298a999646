/** A JPEG that Telegram or the bot has encoded is handed on byte for byte if it fits; any other picture is drawn anew. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ImageFitter } from '../../src/media/picture/image.ts';
import { PICTURE_LIMITS } from '../../src/service/recognition.ts';
import { expectServable, noise, plain } from './pictures.ts';

const images = new ImageFitter(PICTURE_LIMITS);
const MAX_BYTES = 7_500_000;
const jpeg = await plain(300, 200).jpeg().toBuffer();

const fitted = (bytes: Buffer, isEncodedAnew = true) => images.fit(bytes, undefined, '', { isEncodedAnew });

describe('a photo that fits is not touched', () => {
  test.each([
    [300, 200],
    [15, 15],
    [8192, 15],
    [15, 8192],
    [8192, 8192],
  ])('of %i × %i', async (width, height) => {
    const bytes = await plain(width, height).jpeg({ progressive: true }).toBuffer();
    const image = await fitted(bytes);
    expect(image.bytes.equals(bytes)).toBe(true);
    expect([image.width, image.height]).toEqual([width, height]);
  });

  test('up to the last byte whose base64 is 10 MB, and not one more', async () => {
    const padded = (bytes: number) => Buffer.concat([jpeg, Buffer.alloc(bytes - jpeg.length)]);
    expect(padded(MAX_BYTES).toString('base64')).toHaveLength(10_000_000);
    expect((await fitted(padded(MAX_BYTES))).bytes).toHaveLength(MAX_BYTES);
    expect((await fitted(padded(MAX_BYTES + 1))).bytes.length).toBeLessThan(MAX_BYTES);
  });

  test('and does not wait for those that are being drawn', async () => {
    const other = await noise(600, 400).webp({ effort: 0 }).toBuffer();
    let ready = 0;
    const drawing = [1, 2, 3].map(async () => {
      await fitted(other, false);
      ready += 1;
    });
    await nextTurn();
    await fitted(jpeg);
    expect(ready).toBeLessThan(3);
    await Promise.all(drawing);
  });
});

describe('is drawn anew', async () => {
  test.each([
    ['a file that would fit', jpeg, false],
    ['a photo of a side of 14 pixels', await plain(300, 14).jpeg().toBuffer(), true],
    ['a photo of a side of 8193 pixels', await plain(8193, 20).jpeg().toBuffer(), true],
    ['a photo that is no JPEG', await plain(300, 200).png().toBuffer(), true],
  ])('%s', async (_name, bytes, isEncodedAnew) => {
    const image = await fitted(bytes, isEncodedAnew);
    await expectServable(image);
    expect(image.bytes.equals(bytes)).toBe(false);
  });
});
