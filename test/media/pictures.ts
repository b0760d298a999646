/** Pictures for the tests, and what a service that keeps service-interface §8 to the letter would say of one. */
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';
import type { FittedImage } from '../../src/media/picture/image.ts';

export const RED = '#ff0000';
export const GREEN = '#00ff00';
export const BLUE = '#0000ff';
export const WHITE = '#ffffff';

/** A picture of one colour. */
export function plain(width: number, height: number, background = '#c08040'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

/** A picture that no format can make small. */
export function noise(width: number, height: number): Sharp {
  const data = Buffer.alloc(width * height * 3);
  let seed = 1;
  for (let at = 0; at < data.length; at += 1) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    data[at] = seed >>> 24;
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** 160 × 96 pixels: red above green on the left, blue above white on the right. */
export async function quarters(): Promise<Sharp> {
  const quarter = async (colour: string) => plain(80, 48, colour).png().toBuffer();
  const parts = [
    { input: await quarter(RED), left: 0, top: 0 },
    { input: await quarter(BLUE), left: 80, top: 0 },
    { input: await quarter(GREEN), left: 0, top: 48 },
    { input: await quarter(WHITE), left: 80, top: 48 },
  ];
  return sharp(await plain(160, 96).composite(parts).png().toBuffer());
}

/** The colour at a place given in parts of the width and height, rounded to the nearest that a display of 8 colours has. */
export async function colourAt(bytes: Buffer, across: number, down: number): Promise<string> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const x = Math.min(info.width - 1, Math.floor(info.width * across));
  const y = Math.min(info.height - 1, Math.floor(info.height * down));
  const at = (y * info.width + x) * info.channels;
  return `#${[...data.subarray(at, at + 3)].map((value) => (value > 127 ? 'ff' : '00')).join('')}`;
}

/** Fails unless the service would take the picture; gives back what a reader sees in it. */
export async function expectServable(image: FittedImage): Promise<void> {
  expect(image.bytes.toString('base64').length).toBeLessThanOrEqual(10_000_000);
  expect(Math.min(image.width, image.height)).toBeGreaterThanOrEqual(15);
  expect(Math.max(image.width, image.height)).toBeLessThanOrEqual(8192);
  const seen = await sharp(image.bytes).metadata();
  expect(seen).toMatchObject({
    format: 'jpeg',
    width: image.width,
    height: image.height,
    depth: 'uchar',
  });
  expect([undefined, 1]).toContain(seen.orientation);
  expect(['srgb', 'b-w']).toContain(seen.space);
  expect(seen.hasAlpha).toBe(false);
}

/** A PNG chunk, its checksum right. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** A PNG of this width, height, bit depth and colour type, with these chunks between its header and its end. */
export function png(
  [width, height, depth, colour]: readonly [number, number, number, number],
  ...chunks: readonly (readonly [type: string, data: Buffer])[]
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour], 8);
  const all = [['IHDR', header] as const, ...chunks, ['IEND', Buffer.alloc(0)] as const];
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, ...all.map(([type, data]) => pngChunk(type, data))]);
}

/** A PNG that is small for its pixels, four bits each, and no JPEG of its size is. */
export async function noiseOf16Colours(width: number, height: number): Promise<Buffer> {
  // The first byte of each row says that it is stored as it is.
  const rowBytes = 1 + Math.ceil(width / 2);
  const rows = await noise(rowBytes, Math.ceil(height / 3))
    .raw()
    .toBuffer();
  for (let row = 0; row < height; row += 1) rows[row * rowBytes] = 0;
  const pixels = deflateSync(rows.subarray(0, rowBytes * height), { level: 0 });
  return png([width, height, 4, 3], ['PLTE', await noise(16, 1).raw().toBuffer()], ['IDAT', pixels]);
}
