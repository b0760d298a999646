/** Files that claim to be pictures: each gets one clear answer, at most one paid call, and never more than 200 MB of memory. */
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { bmp } from '../media/bitmaps.ts';
import { noise, png } from '../media/pictures.ts';
import { tiff } from '../media/tiffs.ts';
import { hasTibetan, says } from '../phrases.ts';
import { aJpeg, aPicture } from '../pictures.ts';
import { childrenOf } from '../processes.ts';
import { useScene } from '../shared-scene.ts';

/** What a picture may add to the memory of the bot and of the processes that it starts (docs/operating.md). */
const MAX_GROWTH_MB = 200;

const scene = useScene({ env: { DAILY_CALLS_PER_USER: '0' } });

type Picture = () => Promise<Buffer> | Buffer;

/** What the bot makes of a file that somebody new sends; one paid call if it is read, else none. */
async function outcomeOf(picture: Picture): Promise<string | undefined> {
  const bytes = await picture();
  const person = scene.newcomer();
  const format = bytes.toString('latin1', 0, 2) === 'II' ? 'tiff' : 'png';
  const named = { fileName: `a.${format}`, mimeType: `image/${format}` };
  const sent = await person.sendDocument(person.chat, bytes, named);
  const { text } = await scene.answerTo(sent);
  expect(await scene.everythingAfter(sent, person)).toHaveLength(1);
  if (hasTibetan(text)) return 'read';
  if (text === says('failure-image-unreadable')) return 'unreadable';
  if (text === says('failure-image-too-large')) return 'too large';
  return text;
}

it.each<[string, string | RegExp, Picture]>([
  ['a GIF of 100,000 frames', 'read', () => gifOfFrames(100_000)],
  ['a TIFF of 20,000 pages', /20,000 pages/, () => tiff(Array.from({ length: 20_000 }, () => ({})))],
  ['an AVIF that claims to be gigantic', /^(?:read|unreadable|too large)$/, () => lyingAvif(60_000)],
  ['a JPEG that is called a PNG', 'read', aJpeg],
  ['an SVG that reads files', 'unreadable', () => Buffer.from(SVG_THAT_READS_FILES)],
])('%s has one clear answer', async (_, expected, picture) => {
  const before = scene.service.paid().calls;
  const outcome = await outcomeOf(picture);
  expect(outcome).toMatch(expected);
  expect(scene.service.paid().calls - before).toBe(outcome === 'read' ? 1 : 0);
});

describe('what no decoder reads is refused unpaid:', async () => {
  const picture = await noise(64, 48).png().toBuffer();
  const drawn = (format: 'jpeg' | 'webp' | 'gif' | 'tiff' | 'avif') =>
    sharp(picture).toFormat(format).toBuffer();
  const [jpeg, gif] = [await drawn('jpeg'), await drawn('gif')];
  const rows = deflateSync(Buffer.alloc(48 * (1 + 64 * 3), 90));
  const half = (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1);
  const wrong = Buffer.from(picture);
  wrong.fill(0, wrong.indexOf('IDAT') + 10, wrong.indexOf('IDAT') + 60);
  const huffman = Buffer.from(jpeg);
  huffman.fill(
    0xff,
    huffman.indexOf(Buffer.from([0xff, 0xc4])) + 5,
    huffman.indexOf(Buffer.from([0xff, 0xc4])) + 12,
  );
  const runs = bmp({ width: 64, height: 48, bits: 8, pixels: Buffer.alloc(400, 20), runLength: true });

  it.each<[string, Buffer]>([
    ['a PNG of random rows', png([64, 48, 8, 2], ['IDAT', Buffer.from('0123456789'.repeat(40))])],
    ['a PNG of empty rows', png([64, 48, 8, 2], ['IDAT', Buffer.alloc(0)])],
    ['a PNG without rows', png([64, 48, 8, 2])],
    [
      'a PNG of half its rows',
      png([64, 48, 8, 2], ['IDAT', deflateSync(Buffer.alloc(24 * (1 + 64 * 3), 90))]),
    ],
    ['a PNG whose rows break off', png([64, 48, 8, 2], ['IDAT', half(rows)])],
    ['a PNG with a hole in its rows', wrong],
    ['a PNG of three bits a pixel', png([64, 48, 3, 2], ['IDAT', rows])],
    ['a PNG without its palette', png([64, 48, 8, 3], ['IDAT', rows])],
    ['a PNG of no width', png([0, 48, 8, 2], ['IDAT', rows])],
    ['half a PNG', half(picture)],
    ['a JPEG without its scan', jpeg.subarray(0, jpeg.indexOf(Buffer.from([0xff, 0xda])))],
    ['a JPEG whose codes make no sense', huffman],
    ['half a JPEG', half(jpeg)],
    ['half a webp', half(await drawn('webp'))],
    ['a GIF without a picture', Buffer.concat([gif.subarray(0, 13), Buffer.from(';')])],
    ['half a TIFF', half(await drawn('tiff'))],
    ['half an AVIF', half(await drawn('avif'))],
    ['half a HEIC', half(readFileSync(new URL('../fixtures/quarters.heic', import.meta.url)))],
    ['half a BMP', half(bmp({ width: 64, height: 48, bits: 24 }))],
    ['half a BMP of runs', half(runs)],
  ])('%s', async (_, bytes) => {
    const before = scene.service.paid().calls;
    expect(await outcomeOf(() => bytes)).toBe('unreadable');
    expect(scene.service.paid().calls - before).toBe(0);
  });
});

it.each([12, 16, 40, 64, 108] as const)(
  'a bitmap whose header has %i bytes reaches the service in its size',
  async (headerBytes) => {
    expect(await outcomeOf(() => bmp({ width: 400, height: 120, bits: 24, headerBytes }))).toBe('read');
    expect(scene.lastCall('recognition')?.image).toMatchObject({ width: 400, height: 120 });
  },
);

const fixture = (name: string) => () => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));

describe('a bomb takes no more than 200 MB, in whatever process', () => {
  it.each<[string, readonly Picture[]]>([
    ['a progressive JPEG that is to be turned', [progressiveJpeg]],
    ['a BMP of runs', [() => bmp({ width: 11_500, height: 11_500, bits: 8, claimOnly: true })]],
    ['a GIF of the largest canvas', [() => gifOfFrames(1, 11_500, 11_500)]],
    // In 1015 bytes: to make one takes longer than all that is tested of it.
    ['an AVIF of 64 million pixels', [fixture('black-8000.avif')]],
    ['an AVIF of 50 megapixels', [fixture('quarters-8160.avif')]],
    ['several at once', [() => blackPng(12_000), () => lyingAvif(8000), () => WEBP_OF_38_BYTES]],
  ])('%s', async (_, pictures) => {
    const pid = scene.bot().pid ?? 0;
    const atRest = treeMb(pid);
    let most = atRest;
    const looks = setInterval(() => {
      most = Math.max(most, treeMb(pid));
    }, 5);
    const outcomes = await Promise.all(pictures.map(outcomeOf));
    clearInterval(looks);
    for (const outcome of outcomes) expect(['too large', 'unreadable', 'read']).toContain(outcome);
    expect(most - atRest).toBeLessThan(MAX_GROWTH_MB);
  });
});

/** The RSS of a process and all that it has started, in MB. */
function treeMb(pid: number): number {
  try {
    const rss = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0;
    return childrenOf(pid).reduce((sum, child) => sum + treeMb(child), (Number(rss) * 1024) / 1e6);
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}

/** A black PNG of one bit a pixel: of 12,000 square pixels it is small, and decoded it is not. */
function blackPng(side: number): Buffer {
  return png([side, side, 1, 0], ['IDAT', deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))))]);
}

/** A lossless webp of 11500 × 11500 pixels, whole. */
const WEBP_OF_38_BYTES = Buffer.from(
  '524946461e000000574542505650384c110000002febec3a0b0750c00217a8ff8188e87f0000',
  'hex',
);

/** A rotated progressive JPEG that claims 11500 × 11500 pixels: decoders keep all its coefficients. */
async function progressiveJpeg(): Promise<Buffer> {
  const jpeg = await sharp(await aPicture().png().toBuffer())
    .withMetadata({ orientation: 6 })
    .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
    .toBuffer();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc2]));
  jpeg.writeUInt16BE(11_500, frame + 5);
  jpeg.writeUInt16BE(11_500, frame + 7);
  return jpeg;
}

/** A GIF with this number of frames, each of one pixel of its canvas. */
function gifOfFrames(frames: number, width = 32, height = 32): Buffer {
  const header = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  const frame = Buffer.from('!\xf9\x04\0\x01\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0', 'latin1');
  return Buffer.concat([header, ...Array.from({ length: frames }, () => frame), Buffer.from(';')]);
}

/** An AVIF that claims the largest size that its header can hold. */
async function lyingAvif(side: number): Promise<Buffer> {
  const avif = await aPicture().avif({ effort: 0 }).toBuffer();
  const at = avif.indexOf('ispe');
  avif.writeUInt32BE(side, at + 8);
  avif.writeUInt32BE(side, at + 12);
  return avif;
}

const SVG_THAT_READS_FILES =
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink"><image x:href="file:///etc/passwd"/></svg>';
