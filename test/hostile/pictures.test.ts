/** Files that claim to be pictures: each gets one clear answer, at most one paid call, and never more than 200 MB of memory. */
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { bmp } from '../media/bitmaps.ts';
import { png } from '../media/pictures.ts';
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
  ['a TIFF of 20,000 pages', /20,000 pages/, () => tiffOfPages(20_000)],
  ['an AVIF that claims to be gigantic', /^(?:read|unreadable|too large)$/, () => lyingAvif(60_000)],
  ['a JPEG that is called a PNG', 'read', aJpeg],
  ['an SVG that reads files', 'unreadable', () => Buffer.from(SVG_THAT_READS_FILES)],
])('%s has one clear answer', async (_, expected, picture) => {
  const before = scene.service.paid().calls;
  const outcome = await outcomeOf(picture);
  expect(outcome).toMatch(expected);
  expect(scene.service.paid().calls - before).toBe(outcome === 'read' ? 1 : 0);
});

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

/** A TIFF with this number of grey pages of 32 × 32. */
function tiffOfPages(pages: number): Buffer {
  const side = 32;
  const fields = [
    [256, 4, side],
    [257, 4, side],
    [258, 3, 8],
    [259, 3, 1],
    [262, 3, 1],
    [273, 4, 8],
    [277, 3, 1],
    [278, 4, side],
    [279, 4, side * side],
  ] as const;
  const directoryBytes = 2 + fields.length * 12 + 4;
  const first = 8 + side * side;
  const bytes = Buffer.alloc(first + pages * directoryBytes);
  bytes.write('II*\0', 0, 'latin1');
  bytes.writeUInt32LE(first, 4);
  bytes.fill(200, 8, first);
  for (let page = 0; page < pages; page += 1) {
    const at = first + page * directoryBytes;
    bytes.writeUInt16LE(fields.length, at);
    for (const [index, [tag, type, value]] of fields.entries()) {
      const entry = at + 2 + index * 12;
      bytes.writeUInt16LE(tag, entry);
      bytes.writeUInt16LE(type, entry + 2);
      bytes.writeUInt32LE(1, entry + 4);
      bytes.writeUInt32LE(value, entry + 8);
    }
    const isLast = page === pages - 1;
    bytes.writeUInt32LE(isLast ? 0 : at + directoryBytes, at + directoryBytes - 4);
  }
  return bytes;
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
