/** The pages of a TIFF are its full images: thumbnails, smaller copies and masks are none. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { ImageFitter } from '../../src/media/picture/image.ts';
import { tiffPages } from '../../src/media/picture/image-header.ts';
import { PICTURE_LIMITS } from '../../src/service/recognition.ts';
import { type TiffImage, tiff } from './tiffs.ts';

const page: TiffImage = {};
const thumbnail: TiffImage = { side: 8, newSubfileType: 1 };

test.each<[string, TiffImage[], number[]]>([
  ['pages alone', [page, page, page], [0, 1, 2]],
  ['a page that says that it is one of several', [{ newSubfileType: 2 }, { newSubfileType: 2 }], [0, 1]],
  [
    'a page that says that it is a full image',
    [{ newSubfileType: 0 }, { subfileType: 1 }, { subfileType: 3 }],
    [0, 1, 2],
  ],
  ['a thumbnail between pages', [page, thumbnail, page], [0, 2]],
  ['a thumbnail before its page', [thumbnail, page], [1]],
  ['a thumbnail behind each page', [page, thumbnail, page, thumbnail], [0, 2]],
  ['an old thumbnail', [page, { side: 8, subfileType: 2 }], [0]],
  [
    'smaller copies of one image, as a pyramid has them',
    [page, { newSubfileType: 1 }, { newSubfileType: 1 }],
    [0],
  ],
  ['a smaller copy of one page of several', [{ newSubfileType: 2 }, { newSubfileType: 3 }], [0]],
  ['a mask', [page, { newSubfileType: 4 }], [0]],
  ['a mask of a smaller copy', [page, thumbnail, { newSubfileType: 5 }], [0]],
  ['smaller copies alone, of which the first is the picture', [thumbnail, thumbnail], [0]],
])('%s', (_name, images, expected) => {
  for (const layout of [{}, { order: 'MM' }, { isBig: true }, { order: 'MM', isBig: true }] as const)
    expect(tiffPages(tiff(images, layout))).toEqual(expected);
});

test('directories linked in a ring, beyond the end, or that claim to be full end the search', () => {
  const bytes = tiff([page, page]);
  const second = bytes.lastIndexOf(Buffer.from([9, 0, 0, 1]));
  const changed = (at: number, value: number) => {
    const copy = Buffer.from(bytes);
    copy.writeUInt32LE(value, at);
    return copy;
  };
  expect(tiffPages(changed(bytes.length - 4, second))).toEqual([0, 1]);
  expect(tiffPages(changed(bytes.length - 4, 0x7fffffff))).toEqual([0, 1]);
  expect(tiffPages(changed(second, 0xffffffff)).length).toBeGreaterThan(0);
  for (let length = 0; length < bytes.length; length += 7) tiffPages(bytes.subarray(0, length));
});

test('a TIFF that is sent as a picture shows its page, not its thumbnail', async () => {
  const images = new ImageFitter(PICTURE_LIMITS);
  const image = await images.fit(
    tiff([
      { ...thumbnail, grey: 255 },
      { side: 40, grey: 30 },
    ]),
  );
  expect(image).toMatchObject({ width: 40, height: 40 });
  expect((await sharp(image.bytes).stats()).channels[0]?.mean).toBeLessThan(60);
});
