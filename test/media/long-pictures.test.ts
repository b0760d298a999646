/** A long screenshot is cut into slices of its full width, in every format that phones make. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { ImageFitter, LongImage } from '../../src/media/picture/image.ts';
import { PICTURE_LIMITS } from '../../src/service/recognition.ts';
import { bmp } from './bitmaps.ts';
import { BLUE, colourAt, expectServable, GREEN, RED, WHITE } from './pictures.ts';

const images = new ImageFitter(PICTURE_LIMITS);
const fixture = (name: string) => readFile(new URL(`../fixtures/${name}`, import.meta.url));

const WIDTH = 100;
const HEIGHT = 9000;
/** Bars of writing, 30 pixels high, with gaps of as many; the first is red, the last blue. */
const pixels = Buffer.alloc(WIDTH * HEIGHT * 3, 255);
for (let row = 0; row < HEIGHT; row += 1)
  for (let x = 10; x < WIDTH - 10; x += 1) {
    if (row % 60 >= 30 || (x % 20 >= 10 && row > 60 && row < HEIGHT - 60)) continue;
    const colour = row < 60 ? [255, 0, 0] : row >= HEIGHT - 60 ? [0, 0, 255] : [0, 0, 0];
    pixels.set(colour, (row * WIDTH + x) * 3);
  }
const screenshot = sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
const lossless = await screenshot.clone().png().toBuffer();
const turned = (orientation: number, degrees: number) =>
  sharp(lossless).rotate(degrees).withMetadata({ orientation }).jpeg().toBuffer();

async function slicesOf(bytes: Buffer) {
  const long = await images.fit(bytes, undefined, '', { mayBeSliced: true }).catch((error: unknown) => error);
  if (!(long instanceof LongImage)) throw new Error('not long', { cause: long });
  return Promise.all(
    long.regions.map(async (region) => ({
      region,
      image: await images.fit(bytes, undefined, '', { region }),
    })),
  );
}

test.each([
  ['png', lossless],
  ['jpeg', await screenshot.clone().jpeg().toBuffer()],
  ['progressive jpeg', await screenshot.clone().jpeg({ progressive: true }).toBuffer()],
  ['jpeg that is stored turned', await turned(6, 270)],
  ['jpeg that is stored turned the other way', await turned(8, 90)],
  ['jpeg that is stored upside down', await turned(3, 180)],
  ['webp', await screenshot.clone().webp().toBuffer()],
  ['lossless webp', await screenshot.clone().webp({ lossless: true }).toBuffer()],
  ['gif', await screenshot.clone().gif().toBuffer()],
  ['tiff', await screenshot.clone().tiff({ compression: 'lzw' }).toBuffer()],
  ['avif', await screenshot.clone().avif({ effort: 0 }).toBuffer()],
  ['bmp', bitmapOf(1)],
  ['bmp stored from the top', bitmapOf(-1)],
])('a %s', async (_name, bytes) => {
  const [first, last, ...others] = await slicesOf(bytes);
  expect(others).toEqual([]);
  if (!first || !last) throw new Error('no slices');
  for (const { region, image } of [first, last]) {
    await expectServable(image);
    expect(image).toMatchObject({ width: WIDTH, height: region.height });
  }
  expect(first.region.top).toBe(0);
  expect(last.region).toEqual({ top: first.region.height, height: HEIGHT - first.region.height });
  // Between lines.
  expect(last.region.top % 60).toBeGreaterThanOrEqual(30);
  expect(await colourAt(first.image.bytes, 0.5, 15 / first.region.height)).toBe(RED);
  expect(await colourAt(last.image.bytes, 0.5, 1 - 45 / last.region.height)).toBe(BLUE);
});

test('a heic in tiles', async () => {
  const slices = await slicesOf(await fixture('tall.heic'));
  expect(slices.map(({ image }) => image.width)).toEqual([128, 128]);
  expect(slices.reduce((sum, { image }) => sum + image.height, 0)).toBe(9600);
});

/** The size of each fixture is drawn in quarters: the lower half of it is green and white. */
describe('a region of a large picture is drawn in its own size', () => {
  test.each([
    ['an avif of 12 megapixels', 'quarters-4200.avif', { top: 1500, height: 1500 }, 4200],
    ['a heic in one piece', 'quarters.heic', { top: 48, height: 48 }, 160],
    ['a heic in one piece that is turned', 'quarters-turned.heic', { top: 48, height: 48 }, 160],
  ] as const)('%s', async (_name, file, region, width) => {
    const image = await images.fit(await fixture(file), undefined, '', { region });
    expect(image.height / image.width).toBeCloseTo(region.height / width, 2);
    expect(await colourAt(image.bytes, 0.2, 0.5)).toBe(GREEN);
    expect(await colourAt(image.bytes, 0.8, 0.5)).toBe(WHITE);
  });

  test('a webp of 6 megapixels', async () => {
    const large = sharp(lossless).resize(700, HEIGHT, { fit: 'fill', kernel: 'nearest' });
    for (const options of [{}, { lossless: true }]) {
      const bytes = await large
        .clone()
        .webp({ effort: 0, ...options })
        .toBuffer();
      const slices = await slicesOf(bytes);
      for (const { region, image } of slices)
        expect(image).toMatchObject({ width: 700, height: region.height });
      expect(
        await colourAt(
          slices.at(-1)?.image.bytes ?? bytes,
          0.5,
          1 - 45 / (slices.at(-1)?.region.height ?? 1),
        ),
      ).toBe(BLUE);
    }
  });
});

test('what is no screenshot of writing, or fits, is drawn in one piece', async () => {
  for (const [width, height] of [
    [60, 9000],
    [3000, 8500],
    [400, 8192],
  ] as const) {
    const bytes = await sharp({ create: { width, height, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const image = await images.fit(bytes, undefined, '', { mayBeSliced: true });
    await expectServable(image);
  }
});

/** 24 bits; `sign` -1 stores rows from the top. */
function bitmapOf(sign: 1 | -1): Buffer {
  return bmp({
    width: WIDTH,
    height: sign * HEIGHT,
    bits: 24,
    paint: (x, y) => {
      const at = (y * WIDTH + x) * 3;
      return [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
    },
  });
}
