/** A screenshot of a whole chat is read in slices, as one text, and asked about by what they cost. */
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { ImageFitter, LongImage } from '../src/media/picture/image.ts';
import { hasTibetan, says } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

const WIDTH = 80;
/** The distance of lines of writing, and the height of each, in pixels. */
const LINE = 300;
const WRITTEN = 200;

/** A unique screenshot of this height: blank, with bars in place of lines of writing. */
async function aScreenshot(height: number, format: 'png' | 'webp' | 'tiff' = 'png'): Promise<Buffer> {
  const shade = 100 + Math.floor(Math.random() * 100);
  const pixels = Buffer.alloc(WIDTH * height, 255);
  for (let row = 0; row < height; row += 1)
    if (row % LINE < WRITTEN)
      for (let x = 0; x < WIDTH; x += 1) pixels[row * WIDTH + x] = x % 20 < 10 ? shade - (row % 50) : 255;
  return sharp(pixels, { raw: { width: WIDTH, height, channels: 1 } })
    .toFormat(format, format === 'png' ? { compressionLevel: 1 } : { effort: 0 })
    .toBuffer();
}

const named = { fileName: 'chat.png', mimeType: 'image/png' };

it('a long picture takes a call a slice, and none again', async () => {
  const person = scene.newcomer();
  const screenshot = await aScreenshot(20_000);
  const paid = await scene.paidBy(async () => {
    const answer = await scene.answerTo(await person.sendDocument(person.chat, screenshot, named));
    expect(answer.text?.split('\n').filter(hasTibetan)).toHaveLength(3);
    await scene.answerTo(await person.sendDocument(person.chat, screenshot, named));
  });
  expect(paid).toBe(3);
  // Nothing is written where it was cut.
  const fitter = new ImageFitter({ bytes: 10_000_000, minSide: 15, maxSide: 8192 });
  const long = await fitter
    .fit(screenshot, undefined, '', { mayBeSliced: true })
    .catch((error: unknown) => error);
  const { regions } = long instanceof LongImage ? long : { regions: [] };
  expect(regions.slice(1).map(({ top }) => top % LINE >= WRITTEN)).toEqual([true, true]);
});

it('of more than ten slices is asked about before any is paid for', async () => {
  const person = scene.newcomer();
  const screenshots = await Promise.all([aScreenshot(45_000), aScreenshot(45_000)]);
  const paid = await scene.paidBy(async () => {
    const files = screenshots.map((bytes) => ({ bytes, ...named }));
    const [first] = await person.sendAlbum(person.chat, files);
    const asked = await scene.answerTo(first, ({ text }) => text?.includes(says('costly-sure')) === true);
    expect(asked.text).toMatch(/\b1[2-4]\b/);
  });
  expect(paid).toBe(0);
});

it.each(['webp', 'tiff'] as const)('as a %s is read in slices of its full width, too', async (format) => {
  const person = scene.newcomer();
  const screenshot = await aScreenshot(16_000, format);
  const before = scene.service.calls.length;
  const named = { fileName: `chat.${format}`, mimeType: `image/${format}` };
  const answer = await scene.answerTo(await person.sendDocument(person.chat, screenshot, named), ({ text }) =>
    hasTibetan(text),
  );
  expect(answer.text?.split('\n').filter(hasTibetan)).toHaveLength(2);
  const calls = scene.service.calls.slice(before).filter(({ kind }) => kind === 'recognition');
  expect(calls).toHaveLength(2);
  for (const { parameters } of calls) expect(parameters.image).toMatchObject({ width: WIDTH });
});
