/** Pictures that do not fit are redrawn so that they do, and still show the same. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { isFailure } from '../../src/errors.ts';
import { ImageFitter } from '../../src/media/picture/image.ts';
import { PICTURE_LIMITS } from '../../src/service/recognition.ts';
import { type BmpOptions, bmp } from './bitmaps.ts';
import {
  BLUE,
  colourAt,
  expectServable,
  GREEN,
  noise,
  noiseOf16Colours,
  plain,
  quarters,
  RED,
  WHITE,
} from './pictures.ts';

const images = new ImageFitter(PICTURE_LIMITS);
const four = await quarters();
/** `quarters` in formats that sharp does not write, or that take it long. */
const fixture = (name: string) => readFile(new URL(`../fixtures/${name}`, import.meta.url));

const WHOLE = [0, 0, 1, 1] as const;

/** The colours at the top left, top right, bottom left and bottom right of a part of the picture. */
function corners(
  bytes: Buffer,
  [left, top, width, height]: readonly [number, number, number, number] = WHOLE,
) {
  const places = [0.2, 0.8].flatMap((down) => [0.2, 0.8].map((across) => ({ across, down })));
  return Promise.all(
    places.map(({ across, down }) => colourAt(bytes, left + across * width, top + down * height)),
  );
}

const BLACK = '#000000';
const UPRIGHT = [RED, BLUE, GREEN, WHITE];

describe('what the service cannot read becomes a jpeg with the same picture', async () => {
  test.each([
    ['webp', await four.clone().webp().toBuffer()],
    ['lossless webp', await four.clone().webp({ lossless: true }).toBuffer()],
    ['tiff', await four.clone().tiff().toBuffer()],
    ['tiff of 16 bits', await four.clone().toColourspace('rgb16').tiff({ compression: 'lzw' }).toBuffer()],
    ['gif', await four.clone().gif().toBuffer()],
    ['avif', await four.clone().avif().toBuffer()],
    ['heic', await fixture('quarters.heic')],
    ['heic, turned', await fixture('quarters-turned.heic')],
    ['png of 16 bits', await four.clone().toColourspace('rgb16').png().toBuffer()],
    ['png with an unused alpha channel', await four.clone().ensureAlpha().png().toBuffer()],
  ])('%s', async (_name, bytes) => {
    const image = await images.fit(bytes);
    await expectServable(image);
    expect(image).toMatchObject({ width: 160, height: 96 });
    expect(await corners(image.bytes)).toEqual(UPRIGHT);
  });

  test.each([
    [
      'an avif of 50 megapixels, in grey',
      'quarters-8160.avif',
      4e6,
      4 / 3,
      [BLACK, BLACK, WHITE, WHITE],
      WHOLE,
    ],
    ['an avif of 12 megapixels, as phones make them', 'quarters-4200.avif', 6e6, 7 / 5, UPRIGHT, WHOLE],
    // The second tile from the left, in the third row.
    [
      'a heic of 50 megapixels in tiles',
      'quarters-tiled.heic',
      12e6,
      4 / 3,
      UPRIGHT,
      [1 / 16, 2 / 12, 1 / 16, 1 / 12],
    ],
  ] as const)('%s', async (_name, file, minPixels, ratio, seen, part) => {
    const image = await images.fit(await fixture(file));
    await expectServable(image);
    expect(image.width * image.height).toBeGreaterThan(minPixels);
    expect(image.width / image.height).toBeCloseTo(ratio, 2);
    expect(await corners(image.bytes, part)).toEqual(seen);
  });

  const many = 100_000;
  test.each([
    ['png of more chunks', 'png', 33, Buffer.from('00000000746553744dfb5aae', 'hex')],
    ['jpeg of more segments', 'jpeg', 2, Buffer.from('fffe0002', 'hex')],
  ] as const)('a %s than are looked through', async (_name, format, at, part) => {
    const whole = await four.clone().removeAlpha().toFormat(format).toBuffer();
    const bytes = Buffer.concat([
      whole.subarray(0, at),
      Buffer.alloc(many * part.length, part),
      whole.subarray(at),
    ]);
    const image = await images.fit(bytes);
    await expectServable(image);
    expect(image.bytes.length).toBeLessThan(bytes.length);
    expect(await corners(image.bytes)).toEqual(UPRIGHT);
  });

  test('a jpeg in print colours, as near as they come', async () => {
    const image = await images.fit(await four.clone().toColourspace('cmyk').jpeg().toBuffer());
    await expectServable(image);
    const [topLeft, topRight, , bottomRight] = await corners(image.bytes);
    expect([topLeft, topRight, bottomRight]).toEqual([RED, BLUE, WHITE]);
  });

  test.each(['gif', 'webp', 'tiff'] as const)('of a %s of several pictures the first', async (format) => {
    const pages = [await plain(60, 40, BLUE).png().toBuffer(), await plain(60, 40, RED).png().toBuffer()];
    const bytes = await sharp(pages, { join: { animated: true } })
      .toFormat(format)
      .toBuffer();
    const image = await images.fit(bytes);
    expect(image).toMatchObject({ width: 60, height: 40 });
    expect(await colourAt(image.bytes, 0.5, 0.5)).toBe(BLUE);
  });
});

describe('a picture stored turned or mirrored is set upright', () => {
  // Where EXIF places the stored first row and column.
  test.each([
    [2, [BLUE, RED, WHITE, GREEN]],
    [3, [WHITE, GREEN, BLUE, RED]],
    [4, [GREEN, WHITE, RED, BLUE]],
    [5, [RED, GREEN, BLUE, WHITE]],
    [6, [GREEN, RED, WHITE, BLUE]],
    [7, [WHITE, BLUE, GREEN, RED]],
    [8, [BLUE, WHITE, RED, GREEN]],
  ])('orientation %i', async (orientation, seen) => {
    const image = await images.fit(await four.clone().withMetadata({ orientation }).jpeg().toBuffer());
    await expectServable(image);
    expect([image.width, image.height]).toEqual(orientation < 5 ? [160, 96] : [96, 160]);
    expect(await corners(image.bytes)).toEqual(seen);
  });

  test('also when it is scaled, measured by its upright sides', async () => {
    const lying = await plain(9000, 900).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await images.fit(lying)).toMatchObject({ width: 819, height: 8192 });
  });
});

test.each([3000, 4600])('a progressive JPEG of %i pixels square is right or refused', async (side) => {
  const large = four.clone().resize(side, side, { fit: 'fill', kernel: 'nearest' });
  const bytes = await large
    .withMetadata({ orientation: 6 })
    .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
    .toBuffer();
  const image = await images.fit(bytes).catch((error: unknown) => {
    if (side > 3000 && isFailure(error, 'image-too-large')) return undefined;
    throw error;
  });
  if (image) expect(await corners(image.bytes)).toEqual([GREEN, RED, WHITE, BLUE]);
});

describe('what is transparent has the ground that its painted part stands out from', () => {
  const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };
  const strokes = async (colour: string) => {
    const stroke = { input: await plain(20, 200, colour).png().toBuffer(), top: 20 };
    return sharp({ create: { width: 400, height: 240, channels: 4, background: CLEAR } }).composite([
      { ...stroke, left: 40 },
      { ...stroke, left: 200 },
    ]);
  };

  test.each([
    ['png', { palette: true }],
    ['webp', {}],
    ['tiff', { compression: 'lzw' }],
  ] as const)('white and black writing in a %s %o', async (format, options) => {
    for (const [writing, ground] of [
      [WHITE, BLACK],
      [BLACK, WHITE],
    ] as const) {
      const image = await images.fit(await (await strokes(writing)).toFormat(format, options).toBuffer());
      await expectServable(image);
      expect(await colourAt(image.bytes, 0.12, 0.5)).toBe(writing);
      expect(await colourAt(image.bytes, 0.9, 0.5)).toBe(ground);
    }
  });

  test('also white writing in a png of 16 bits and in a bmp', async () => {
    const deep = await (await strokes(WHITE)).toColourspace('rgb16').png().toBuffer();
    expect(await colourAt((await images.fit(deep)).bytes, 0.9, 0.5)).toBe(BLACK);
    // Blue, green, red, alpha: a white stroke, then nothing.
    const pixels = Buffer.concat(
      Array.from({ length: 40 * 40 }, (_, at) => Buffer.alloc(4, at % 40 < 20 ? 255 : 0)),
    );
    const masks = [0xff0000, 0xff00, 0xff, 0xff000000];
    const image = await images.fit(bmp({ width: 40, height: 40, bits: 32, masks, pixels }));
    expect(await colourAt(image.bytes, 0.2, 0.5)).toBe(WHITE);
    expect(await colourAt(image.bytes, 0.9, 0.5)).toBe(BLACK);
  });
});

describe('sides', () => {
  test('below 15 pixels are padded with white, not stretched', async () => {
    const image = await images.fit(await plain(5, 100, BLUE).png().toBuffer());
    await expectServable(image);
    expect([image.width, image.height]).toEqual([15, 100]);
    expect(await Promise.all([0, 0.5, 0.99].map((across) => colourAt(image.bytes, across, 0.5)))).toEqual([
      WHITE,
      BLUE,
      WHITE,
    ]);
  });

  test.each([
    [8193, 1024, 8192, 1024],
    [20_000, 1, 8192, 15],
    [1, 65_500, 15, 8192],
    [1, 1, 15, 15],
  ])('of %i × %i end as %i × %i with nothing cropped', async (width, height, fittedWidth, fittedHeight) => {
    const top = {
      input: await plain(width, Math.ceil(height / 2), RED)
        .png()
        .toBuffer(),
      left: 0,
      top: 0,
    };
    const bytes = await plain(width, height, BLUE).composite([top]).png().toBuffer();
    const image = await images.fit(bytes);
    await expectServable(image);
    expect([image.width, image.height]).toEqual([fittedWidth, fittedHeight]);
    if (height > 15) {
      expect(await colourAt(image.bytes, 0.5, 0.01)).toBe(RED);
      expect(await colourAt(image.bytes, 0.5, 0.99)).toBe(BLUE);
    }
  });
});

describe('a file above 10 MB', () => {
  test('becomes a jpeg of the same size in pixels where that is enough', async () => {
    const bytes = await noise(1700, 1700).png().toBuffer();
    expect(bytes.length).toBeGreaterThan(8_000_000);
    const image = await images.fit(bytes);
    await expectServable(image);
    expect([image.width, image.height]).toEqual([1700, 1700]);
  });

  test('becomes smaller in pixels where no quality is low enough', async () => {
    const image = await images.fit(await noiseOf16Colours(4100, 4000));
    await expectServable(image);
    expect(image.width).toBeLessThan(3500);
    expect(image.width / image.height).toBeCloseTo(4100 / 4000, 2);
  });

  test.each([
    ['', { width: 2001, height: 1501, bits: 24, paint: (x) => (x < 1000 ? [255, 0, 0] : [0, 0, 255]) }],
    [
      ', or longer than 8192 pixels, of two colours',
      {
        ...{
          width: 8224,
          height: 1200,
          bits: 1,
          palette: [
            [255, 0, 0],
            [0, 0, 255],
          ],
        },
        pixels: Buffer.concat(Array(1200).fill(Buffer.concat([Buffer.alloc(512), Buffer.alloc(516, 0xff)]))),
      },
    ],
  ] as [string, BmpOptions][])('that is a bmp%s shows the same picture', async (_name, options) => {
    const image = await images.fit(bmp(options));
    await expectServable(image);
    expect(image.width / image.height).toBeCloseTo(options.width / options.height, 1);
    expect(await corners(image.bytes)).toEqual([RED, BLUE, RED, BLUE]);
  });
});

test("several pictures of one person do not hold another's: they take turns", async () => {
  const picture = await noise(300, 200).webp({ effort: 0 }).toBuffer();
  const drawn: string[] = [];
  const draw = async (person: string) => {
    await images.fit(picture, undefined, person);
    drawn.push(person);
  };
  await Promise.all([...Array.from({ length: 5 }, () => draw('A')), draw('B'), draw('C')]);
  // Where a drawing takes longer than a turn, A waits for the others already before the second.
  expect(drawn.slice(0, 4).toSorted()).toEqual(['A', 'A', 'B', 'C']);
});

test('in a bot that runs with more niceness than a drawing needs', async () => {
  const program = `
    import { buffer } from 'node:stream/consumers';
    import { ImageFitter } from './src/media/picture/image.ts';
    const limits = ${JSON.stringify(PICTURE_LIMITS)};
    process.stdout.write(String((await new ImageFitter(limits).fit(await buffer(process.stdin))).width));`;
  // Root may take niceness back, a bot's user may not.
  const asUser = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-sys_nice'] : [];
  const nicely = [...asUser, 'nice', '-n', '15', process.execPath, '--input-type=module', '--eval', program];
  const input = await four.clone().webp().toBuffer();
  expect(execFileSync('env', nicely, { input, encoding: 'utf8' })).toBe('160');
});
