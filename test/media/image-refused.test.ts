/** What is no picture, or one that cannot be decoded safely, is a Failure with a kind, whatever the bytes. */
import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { Failure, isFailure } from '../../src/errors.ts';
import { ImageFitter } from '../../src/media/picture/image.ts';
import { PICTURE_LIMITS } from '../../src/service/recognition.ts';
import { bmp } from './bitmaps.ts';
import { expectServable, noise, plain, png } from './pictures.ts';

const images = new ImageFitter(PICTURE_LIMITS);

const busy = noise(64, 48);
const whole = {
  jpeg: await busy.clone().jpeg().toBuffer(),
  progressive: await busy.clone().jpeg({ progressive: true }).toBuffer(),
  png: await busy.clone().png().toBuffer(),
  webp: await busy.clone().webp().toBuffer(),
  tiff: await busy.clone().tiff({ compression: 'lzw' }).toBuffer(),
  gif: await busy.clone().gif().toBuffer(),
  avif: await busy.clone().avif().toBuffer(),
  bmp: bmp({ width: 64, height: 48, bits: 24 }),
};
const heic = await readFile(new URL('../fixtures/quarters.heic', import.meta.url));
const lyingHeic = Buffer.from(heic);
// After the name of the box, its version and its flags: width and height.
lyingHeic.writeUInt32BE(1600, heic.indexOf('ispe') + 8);
lyingHeic.writeUInt32BE(960, heic.indexOf('ispe') + 12);

const refuses = (bytes: Buffer) =>
  expect(images.fit(bytes)).rejects.toMatchObject({ kind: 'image-unreadable' });

describe('unreadable', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="9" height="9"/></svg>';
  const box = (brand: string) =>
    Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1${brand}${'\0'.repeat(200)}`, 'latin1');
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(10_000)],
    ['an svg', Buffer.from(svg)],
    ['an svg that begins like a webp', Buffer.from(`RIFFaaaaWEBP${svg}`)],
    ['an svg that begins like an avif', Buffer.from(`aaaaftypavif${svg}`)],
    ['a page of html', Buffer.from('<!DOCTYPE html><html><body><img src="x.jpg"></body></html>')],
    ['a pdf', Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n')],
    [
      'a text that begins like a bitmap',
      Buffer.from('BMW is a maker of cars, and this is no picture at all.'),
    ],
    ['a video', box('isom')],
    ['a heic of its first box', box('heic')],
    ['a heic that lies about its size', lyingHeic],
    ['a heic without its last bytes', heic.subarray(0, -40)],
    ['a jpeg of three bytes', Buffer.from([0xff, 0xd8, 0xff])],
    ['an avif of its first box', box('avif')],
  ])('%s', async (_name, bytes) => {
    await refuses(bytes);
  });

  test.each(Object.entries(whole))('a %s that was cut off at half', async (_format, bytes) => {
    await refuses(bytes.subarray(0, bytes.length >> 1));
  });

  test('a jpeg cut off behind a thumbnail that is whole', async () => {
    const thumbnail = await plain(32, 32).jpeg().toBuffer();
    const segment = Buffer.from([0xff, 0xef, 0, 0]);
    segment.writeUInt16BE(thumbnail.length + 2, 2);
    const bytes = Buffer.concat([whole.jpeg.subarray(0, 2), segment, thumbnail, whole.jpeg.subarray(2)]);
    await expectServable(await images.fit(bytes));
    await refuses(bytes.subarray(0, bytes.length - 500));
  });

  describe('without its last rows', async () => {
    const lines = Array.from(
      { length: 20 },
      (_, line) => `<text y="${40 * line + 36}" font-size="36">line ${line}</text>`,
    );
    const svg = `<svg width="300" height="800"><rect width="300" height="800" fill="#fff"/>${lines.join('')}</svg>`;
    const tall = sharp(Buffer.from(svg)).removeAlpha();
    test.each([
      ['jpeg', await tall.clone().jpeg().toBuffer()],
      ['png', await tall.clone().png().toBuffer()],
      ['gif', await tall.clone().gif().toBuffer()],
    ])('a %s is read if they are few', async (_format, bytes) => {
      const image = await images.fit(bytes.subarray(0, Math.floor(bytes.length * 0.975)));
      expect(image).toMatchObject({ width: 300, height: 800 });
      for (const part of [0.5, 0.8]) await refuses(bytes.subarray(0, bytes.length * part));
    });
  });

  describe('whose header a glance takes for sound', () => {
    const header = (depth: number, colour: number) => {
      const bytes = Buffer.from(whole.png);
      bytes.set([depth, colour], 24);
      bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
      return bytes;
    };
    const huffman = Buffer.from(whole.jpeg);
    huffman.fill(
      0xff,
      huffman.indexOf(Buffer.from('ffc4', 'hex')) + 5,
      huffman.indexOf(Buffer.from('ffc4', 'hex')) + 12,
    );
    const packed = Buffer.from(whole.png);
    packed.fill(0x55, packed.indexOf('IDAT') + 20, packed.indexOf('IDAT') + 200);
    test.each([
      ['a png of bit depth 0', header(0, 2)],
      ['a png of bit depth 3', header(3, 0)],
      ['a png with a palette that it lacks', header(8, 3)],
      ['a png without rows', png([64, 48, 8, 2])],
      ['a png whose rows do not unpack', packed],
      ['a jpeg whose Huffman tables make no sense', huffman],
    ])('%s', async (_name, bytes) => {
      await refuses(bytes);
    });
  });

  test('a PNG without its end mark is drawn anew', async () => {
    expect(await images.fit(whole.png.subarray(0, -12))).toMatchObject({
      width: 64,
      height: 48,
    });
  });
});

describe('a decompression bomb is refused from its header', async () => {
  test.each([
    ['a png', png([50_000, 50_000, 8, 2], ['IDAT', Buffer.alloc(64)])],
    ['a run-length bmp', bmp({ width: 50_000, height: 50_000, bits: 8, claimOnly: true })],
  ])('%s', async (_name, bytes) => {
    await expect(images.fit(bytes)).rejects.toMatchObject({ kind: 'image-too-large' });
  });

  test('but a phone with 50 million pixels is served', async () => {
    const image = await images.fit(await plain(8600, 5800).jpeg().toBuffer());
    await expectServable(image);
    expect(image.width / image.height).toBeCloseTo(8600 / 5800, 2);
    expect(image.width * image.height).toBeGreaterThan(10e6);
  });
});

describe('an abort', () => {
  test('before the work refuses it, for its own reason if it has one', async () => {
    await expect(images.fit(whole.webp, AbortSignal.abort())).rejects.toMatchObject({ kind: 'cancelled' });
    const reason = new Failure('cancelled', 'the person typed /cancel');
    await expect(images.fit(whole.webp, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test('during a decode, or while waiting for one, is answered before the decode ends', async () => {
    const oneByOne = new ImageFitter(PICTURE_LIMITS);
    const large = await noise(2000, 1500).webp({ effort: 0 }).toBuffer();
    const stop = new AbortController();
    let served = false;
    const first = oneByOne.fit(large).then(() => {
      served = true;
    });
    const waiting = oneByOne.fit(large, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ kind: 'cancelled' });
    expect(served).toBe(false);
    await first;
  });
});

describe('whatever the bytes, the outcome is a picture within the limits or a Failure', () => {
  const accepts = async (bytes: Buffer) => {
    try {
      await expectServable(await images.fit(bytes));
    } catch (error) {
      if (!isFailure(error)) throw error;
      expect(['image-unreadable', 'image-too-large']).toContain(error.kind);
    }
  };
  const openings = Object.values(whole).map((bytes) => bytes.subarray(0, 12));

  test('random bytes, also behind a true beginning', async () => {
    const bytes = fc.tuple(fc.constantFrom(Buffer.alloc(0), ...openings), fc.uint8Array({ maxLength: 400 }));
    await fc.assert(
      fc.asyncProperty(bytes, ([opening, rest]) => accepts(Buffer.concat([opening, rest]))),
      { numRuns: 6 },
    );
  });

  test('real pictures with bytes changed and the end missing', async () => {
    const change = fc.tuple(fc.nat(), fc.nat(255));
    const damage = fc.record({
      picture: fc.constantFrom(...Object.values(whole)),
      changes: fc.array(change, { minLength: 1, maxLength: 8 }),
      kept: fc.double({ min: 0.5, max: 1, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ picture, changes, kept }) => {
        const bytes = Buffer.from(picture.subarray(0, Math.ceil(picture.length * kept)));
        // Most in the first bytes, where the headers are.
        for (const [at, value] of changes) bytes[at % (at % 2 ? 64 : bytes.length)] = value;
        await accepts(bytes);
      }),
      { numRuns: 10 },
    );
  });
});
