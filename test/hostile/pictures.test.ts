/** Files that claim to be pictures: each gets one clear answer, at most one paid call, and never more than 200 MB of memory. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bmp } from '../media/bitmaps.ts';
import { hasTibetan, says } from '../phrases.ts';
import { aJpeg, aPicture } from '../pictures.ts';
import { useScene } from '../shared-scene.ts';
import { memoryGrowthMb } from './memory-growth.ts';
import {
  blackPng,
  EMPTY_ZIP,
  exif,
  gifOfFrames,
  HEIC,
  lyingAvif,
  pngChunk,
  pngWithComments,
  progressiveJpeg,
  SVG_THAT_READS_FILES,
  tiffOfPages,
  WEBP_OF_38_BYTES,
  withApp1,
} from './pictures.ts';

/** What a picture may add to the memory of the bot and of the processes that it starts (docs/operating.md). */
const MAX_GROWTH_MB = 200;

/** 8000 pixels square, in 1015 bytes: to make one takes longer than all that is tested of it. */
const BLACK_AVIF = new URL('../fixtures/black-8000.avif', import.meta.url);

const scene = useScene({ env: { DAILY_CALLS_PER_USER: '0' } });

type Outcome = 'read' | 'unreadable' | 'too large' | 'too many pages' | 'anything clear';

interface Claim {
  readonly fileName?: string;
  readonly mimeType?: string;
}

/** What the bot makes of a file that somebody new sends. */
async function outcomeOf(bytes: Buffer, { fileName = 'a.png', mimeType = 'image/png' }: Claim = {}) {
  const person = scene.newcomer();
  const sent = await person.sendDocument(person.chat, bytes, { fileName, mimeType });
  const { text } = await scene.answerTo(sent);
  expect(await scene.everythingAfter(sent, person)).toHaveLength(1);
  if (hasTibetan(text)) return 'read';
  if (text === says('failure-image-unreadable')) return 'unreadable';
  if (text === says('failure-image-too-large')) return 'too large';
  if (text?.includes('20,000 pages')) return 'too many pages';
  return text;
}

const CASES: Readonly<Record<string, [Outcome, () => Promise<Buffer> | Buffer, Claim?]>> = {
  'a bomb of a PNG': ['too large', () => blackPng(30_000, 30_000)],
  'a PNG that says it is as large as can be': ['anything clear', () => lyingPng(2 ** 31 - 1)],
  'a GIF of 100,000 frames': ['read', () => gifOfFrames(100_000)],
  'a TIFF of 20,000 pages': ['too many pages', () => tiffOfPages(20_000)],
  'a TIFF whose first page leads to itself': ['anything clear', () => tiffOfPages(1, true)],
  'an AVIF that claims to be gigantic': ['anything clear', () => lyingAvif(60_000)],
  'a JPEG that is called a PNG': ['read', aJpeg],
  'a PNG that is called a GIF': [
    'read',
    () => aPicture().png().toBuffer(),
    { fileName: 'a.gif', mimeType: 'image/gif' },
  ],
  'an SVG that reads files': ['unreadable', () => Buffer.from(SVG_THAT_READS_FILES)],
  'a HEIC of its first box alone': [
    'unreadable',
    () => HEIC,
    { fileName: 'IMG_1.HEIC', mimeType: 'image/heic' },
  ],
  'a JPEG that is a zip archive, too': ['read', async () => Buffer.concat([await aJpeg(), EMPTY_ZIP])],
  'a GIF that is a script, too': [
    'read',
    () => Buffer.concat([gifOfFrames(1), Buffer.from('/*', 'latin1'), Buffer.from('*/=alert(1)')]),
  ],
  'a JPEG with EXIF that leads out of the file': [
    'read',
    async () => withApp1(await aJpeg(), exif(6, 2 ** 31)),
  ],
  'a JPEG with megabytes of EXIF': [
    'read',
    async () =>
      withApp1(await aJpeg(), ...Array.from({ length: 40 }, () => Buffer.alloc(65_000, 'Exif\0\0II*\0'))),
  ],
  'a PNG with a colour profile of junk': [
    'read',
    async () => {
      const png = await aPicture().png().toBuffer();
      const profile = pngChunk('iCCP', Buffer.from('junk\0\0not deflated at all', 'latin1'));
      return Buffer.concat([png.subarray(0, 33), profile, png.subarray(33)]);
    },
  ],
};

function lyingPng(side: number): Buffer {
  const png = blackPng(32, 32);
  const header = Buffer.from(png.subarray(16, 29));
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  return Buffer.concat([png.subarray(0, 8), pngChunk('IHDR', header), png.subarray(33)]);
}

describe('a file that claims to be a picture has one clear answer', () => {
  it.each(Object.entries(CASES))('%s', async (_, [expected, make, claim]) => {
    const bytes = await make();
    const paidBefore = scene.service.paid().calls;
    const outcome = await outcomeOf(bytes, claim);
    expect(scene.service.paid().calls - paidBefore).toBe(outcome === 'read' ? 1 : 0);
    if (expected === 'anything clear') expect(['read', 'unreadable', 'too large']).toContain(outcome);
    else expect(outcome).toBe(expected);
  });
});

describe('a bomb takes no more than 200 MB, in whatever process', () => {
  it.each<[string, () => Promise<Buffer> | Buffer]>([
    ['a progressive JPEG that is to be turned', progressiveJpeg],
    ['a webp of 38 bytes', () => WEBP_OF_38_BYTES],
    ['a BMP of runs', () => bmp({ width: 11_500, height: 11_500, bits: 8, claimOnly: true })],
    ['a BMP of a page at 600 dpi', () => bmp({ width: 8500, height: 4200, bits: 1 })],
    ['a PNG with gigabytes of comments', () => pngWithComments(300)],
    ['a GIF of the largest canvas', () => gifOfFrames(1, 11_500, 11_500)],
    ['an AVIF of 64 million pixels', () => readFileSync(BLACK_AVIF)],
    [
      'an AVIF of 50 megapixels',
      () => readFileSync(new URL('../fixtures/quarters-8160.avif', import.meta.url)),
    ],
  ])('%s', async (_name, make) => {
    const bytes = await make();
    const { growth, result } = await memoryGrowthMb(scene.bot().pid, () => outcomeOf(bytes));
    expect(['too large', 'unreadable', 'read']).toContain(result);
    expect(growth).toBeLessThan(MAX_GROWTH_MB);
  });

  it('and many no more than one', async () => {
    const large = blackPng(12_000, 12_000);
    const avif = await lyingAvif(8000);
    const { growth } = await memoryGrowthMb(scene.bot().pid, () =>
      Promise.all([large, avif, WEBP_OF_38_BYTES].map((bytes) => outcomeOf(bytes))),
    );
    expect(growth).toBeLessThan(MAX_GROWTH_MB);
  });
});
