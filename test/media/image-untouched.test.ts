/** Pictures that already fit are handed back byte for byte. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ImageFitter } from '../../src/media/picture/image.ts';
import { PICTURE_LIMITS } from '../../src/service/recognition.ts';
import { noise, plain, pngChunk } from './pictures.ts';

const images = new ImageFitter(PICTURE_LIMITS);
const MAX_BYTES = 7_500_000;

const jpeg = await plain(300, 200).jpeg().toBuffer();
const png = await plain(300, 200).png().toBuffer();

describe('a picture that fits is not touched', async () => {
  test.each([
    ['a jpeg', jpeg, 'jpeg'],
    ['a progressive jpeg', await plain(300, 200).jpeg({ progressive: true }).toBuffer(), 'jpeg'],
    ['a grey jpeg', await plain(300, 200).greyscale().jpeg().toBuffer(), 'jpeg'],
    [
      'a jpeg that says it is upright',
      await plain(300, 200).withMetadata({ orientation: 1 }).jpeg().toBuffer(),
      'jpeg',
    ],
    [
      'a jpeg with a trailer, as cameras append',
      Buffer.concat([jpeg, Buffer.from('SEFH\0\0\0\0SEFT')]),
      'jpeg',
    ],
    ['a jpeg with a second jpeg behind it', Buffer.concat([jpeg, jpeg]), 'jpeg'],
    ['a png', png, 'png'],
    ['an interlaced png', await plain(300, 200).png({ progressive: true }).toBuffer(), 'png'],
    ['a png of few colours', await plain(300, 200).png({ palette: true }).toBuffer(), 'png'],
    ['a png with bytes behind its end', Buffer.concat([png, Buffer.alloc(1000)]), 'png'],
  ])('%s', async (_name, bytes, format) => {
    const image = await images.fit(bytes);
    expect(image).toMatchObject({ format, width: 300, height: 200 });
    expect(image.bytes.equals(bytes)).toBe(true);
  });

  test.each([
    [15, 15],
    [8192, 15],
    [15, 8192],
    [8192, 8192],
  ])('at the edges of what the service takes: %i × %i', async (width, height) => {
    const bytes = await plain(width, height).png().toBuffer();
    const image = await images.fit(bytes);
    expect(image.bytes.equals(bytes)).toBe(true);
    expect([image.width, image.height]).toEqual([width, height]);
  });

  test('up to the last byte whose base64 is 10 MB, and not one more', async () => {
    const padded = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes - png.length)]);
    expect(padded(MAX_BYTES).toString('base64')).toHaveLength(10_000_000);
    expect((await images.fit(padded(MAX_BYTES))).bytes).toHaveLength(MAX_BYTES);
    expect((await images.fit(padded(MAX_BYTES + 1))).format).toBe('jpeg');
  });
});

test('an animated png is not handed on: the service would have to guess the frame', async () => {
  const headerEnd = 8 + 25;
  const animation = pngChunk('acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]));
  const bytes = Buffer.concat([png.subarray(0, headerEnd), animation, png.subarray(headerEnd)]);
  expect(await images.fit(bytes)).toMatchObject({ format: 'jpeg', width: 300, height: 200 });
});

test('a picture that fits does not wait for those that are being decoded', async () => {
  const oneByOne = new ImageFitter(PICTURE_LIMITS);
  const other = await noise(600, 400).webp({ effort: 0 }).toBuffer();
  let drawn = 0;
  const drawing = [1, 2, 3].map(async () => {
    await oneByOne.fit(other);
    drawn += 1;
  });
  await nextTurn();
  await oneByOne.fit(jpeg);
  expect(drawn).toBeLessThan(3);
  await Promise.all(drawing);
});
