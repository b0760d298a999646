/** A picture that lacks its last few rows is read; one that lacks more is refused. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { ImageFitter } from '../../src/media/picture/image.ts';
import { PICTURE_LIMITS } from '../../src/service/recognition.ts';
import { bmp } from './bitmaps.ts';

const images = new ImageFitter(PICTURE_LIMITS);

const lines = Array.from(
  { length: 20 },
  (_, line) => `<text y="${40 * line + 36}" font-size="36">line ${line}</text>`,
);
const page = (height: number, written = 20) =>
  sharp(
    Buffer.from(
      `<svg width="300" height="${height}"><rect width="300" height="${height}" fill="#fff"/>${lines.slice(0, written)}</svg>`,
    ),
  ).removeAlpha();
const full = page(800);
/** Its last third is white. */
const white = page(1200);
const bitmap = bmp({ width: 200, height: 100, bits: 24 });

const pictures = {
  jpeg: await full.clone().jpeg().toBuffer(),
  'white jpeg': await white.clone().jpeg().toBuffer(),
  'small jpeg': await page(100, 2).jpeg().toBuffer(),
  'grey jpeg': await full.clone().toColourspace('b-w').jpeg().toBuffer(),
  progressive: await full.clone().jpeg({ progressive: true }).toBuffer(),
  'white progressive': await white.clone().jpeg({ progressive: true }).toBuffer(),
  'grey progressive': await full.clone().toColourspace('b-w').jpeg({ progressive: true }).toBuffer(),
  'small progressive': await page(100, 2).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  png: await full.clone().png().toBuffer(),
  'white png': await white.clone().png().toBuffer(),
  'interlaced png': await full.clone().png({ progressive: true }).toBuffer(),
  gif: await full.clone().gif().toBuffer(),
  'white gif': await white.clone().gif().toBuffer(),
  bmp: bitmap,
};
type Name = keyof typeof pictures;

describe('is read', () => {
  test.each<[Name, number]>([
    ['jpeg', 2],
    ['jpeg', 20],
    ['white jpeg', 2],
    ['white jpeg', 20],
    ['small jpeg', 2],
    ['small jpeg', 20],
    ['grey jpeg', 20],
    ['progressive', 2],
    ['progressive', 9],
    ['progressive', 20],
    ['white progressive', 20],
    ['grey progressive', 20],
    ['small progressive', 2],
    ['small progressive', 20],
    ['png', 12],
    ['png', 14],
    ['white png', 20],
    ['interlaced png', 12],
    ['gif', 1],
    ['bmp', 1],
    ['bmp', 600],
  ])('%s without its last %i bytes', async (name, lost) => {
    const { width, height } = await images.fit(pictures[name].subarray(0, -lost));
    expect([width, height]).toEqual(name === 'bmp' ? [200, 100] : [300, heightOf(name)]);
  });

  test.each<Name>(['jpeg', 'grey jpeg', 'png', 'gif'])(
    '%s that lacks a fortieth of its bytes, with what there is',
    async (name) => {
      const { bytes } = await images.fit(pictures[name].subarray(0, pictures[name].length * 0.975));
      const drawn = await sharp(bytes)
        .extract({ left: 0, top: 0, width: 300, height: 730 })
        .greyscale()
        .raw()
        .toBuffer();
      const whole = await full
        .clone()
        .extract({ left: 0, top: 0, width: 300, height: 730 })
        .flatten()
        .greyscale()
        .raw()
        .toBuffer();
      let different = 0;
      for (const [at, value] of drawn.entries()) if (Math.abs(value - (whole[at] ?? 0)) > 100) different += 1;
      expect(different / whole.length).toBeLessThan(0.001);
    },
  );
});

test.each<[Name, number]>([
  ['jpeg', 0.8],
  ['white jpeg', 0.5],
  ['grey jpeg', 0.5],
  ['progressive', 0.3],
  ['grey progressive', 0.3],
  ['white progressive', 0.3],
  ['png', 0.8],
  ['white png', 0.5],
  ['interlaced png', 0.5],
  ['gif', 0.8],
  ['white gif', 0.5],
  ['bmp', 0.9],
])('%s of which only this share is there is refused: %f', async (name, share) => {
  const bytes = pictures[name];
  await expect(images.fit(bytes.subarray(0, bytes.length * share))).rejects.toMatchObject({
    kind: 'image-unreadable',
  });
});

function heightOf(name: Name): number {
  return name.startsWith('white') ? 1200 : name.startsWith('small') ? 100 : 800;
}
