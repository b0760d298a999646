/** A HEIC in tiles, as phones write it, is drawn as libheif draws the whole of it. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { decodeHeic } from '../../src/media/picture/decoders.ts';
import { decodedWhole, type HeicOptions, heic } from './heics.ts';

const TURNS = [0, 1, 2, 3] as const;
const PADDED = { width: 150, height: 98 };
const named = (options: HeicOptions): [string, HeicOptions] => [JSON.stringify(options), options];

describe('pixel by pixel', () => {
  const sizes = [{ width: 144, height: 128 }, { width: 192, height: 80 }, PADDED];
  test.each([
    ...sizes.flatMap((size) => TURNS.map((turns) => named({ ...size, turns, properties: ['rotation'] }))),
    ...([0, 1] as const).flatMap((axis) => [
      named({ ...PADDED, axis, properties: ['mirror'] }),
      named({ ...PADDED, turns: 1, axis, properties: ['rotation', 'mirror'] }),
      named({ ...PADDED, turns: 3, axis, properties: ['mirror', 'rotation'] }),
    ]),
    named({ ...PADDED, turns: 3, crop: { width: 70, height: 58 }, properties: ['crop', 'rotation'] }),
    named({
      turns: 1,
      axis: 1,
      crop: { width: 72, height: 100 },
      properties: ['rotation', 'crop', 'mirror'],
    }),
  ])('%s', async (_name, options) => {
    const { pixels, expected } = await drawn(heic(options));
    expect(pixels.equals(expected)).toBe(true);
  });
});

describe('of an odd size, whose colours libheif keeps for every second pixel, in brightness', () => {
  const odd = { width: 131, height: 67 };
  const most = 3;
  test.each([
    named({ ...odd, turns: 2, properties: ['rotation'] }),
    named({ ...odd, turns: 3, axis: 1, properties: ['rotation', 'mirror'] }),
  ])('%s', async (_name, options) => {
    const { pixels, expected } = await drawn(heic(options));
    const [seen, right] = [brightness(pixels), brightness(expected)];
    expect(seen.every((value, at) => Math.abs(value - (right[at] ?? 0)) <= most)).toBe(true);
  });
});

/** Its tiles have four bright colours; its turn is patched to three, and its size, so that the padding is odd. */
test('a large one has no seams between its tiles', async () => {
  const bytes = await readFile(new URL('../fixtures/quarters-tiled.heic', import.meta.url));
  const [width, height] = [8192 - 47, 6144 - 33];
  const canvas = bytes.indexOf('ispe', bytes.indexOf('ispe') + 4) + 8;
  const grid = bytes.indexOf(Buffer.from([0, 0, 11, 15, 0x20, 0, 0x18, 0]));
  for (const [at, value] of [width, height].entries()) {
    bytes.writeUInt32BE(value, canvas + 4 * at);
    bytes.writeUInt16BE(value, grid + 4 + 2 * at);
  }
  bytes[bytes.indexOf('irot') + 4] = 3;
  const { bytes: pixels, raw } = await decodeHeic(bytes, undefined, undefined);
  expect(raw).toMatchObject({ width: 3055, height: 4072 });
  let dark = 0;
  for (const value of brightness(pixels)) if (value < 20) dark += 1;
  expect(dark).toBe(0);
});

async function drawn(bytes: Buffer) {
  const whole = await decodedWhole(bytes);
  const { bytes: pixels, raw } = await decodeHeic(bytes, undefined, undefined);
  expect(raw).toMatchObject({ width: whole.width, height: whole.height });
  return { pixels, expected: whole.pixels };
}

function brightness(pixels: Buffer): Float32Array {
  return Float32Array.from({ length: pixels.length / 3 }, (_, pixel) => {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(3 * pixel, 3 * pixel + 3);
    return 0.299 * red + 0.587 * green + 0.114 * blue;
  });
}
