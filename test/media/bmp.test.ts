/** Every kind of Windows bitmap is read as other programs read it. */
import { describe, expect, test } from 'vitest';
import { decodeBmp } from '../../src/media/picture/decoders.ts';
import { type BmpOptions, bmp, stride } from './bitmaps.ts';

/** The pixels: red, green, blue and alpha of each. */
async function read(bytes: Buffer) {
  const { bytes: pixels, raw } = await decodeBmp(bytes, undefined, undefined);
  const channels = raw?.channels ?? 4;
  return Array.from({ length: pixels.length / channels }, (_, at) => {
    const pixel = [...pixels.subarray(channels * at, channels * (at + 1))];
    return channels === 4 ? pixel : [...pixel, OPAQUE];
  });
}

const OPAQUE = 255;

const colours = (count: number) =>
  Array.from({ length: count }, (_, i): [number, number, number] => [
    (i * 37) % 256,
    (i * 91) % 256,
    255 - i,
  ]);

test.each<[string, Omit<BmpOptions, 'width' | 'height'>]>([
  ['1 bit', { bits: 1, palette: colours(2) }],
  ['4 bits', { bits: 4, palette: colours(16) }],
  ['8 bits', { bits: 8, palette: colours(256) }],
  ['16 bits', { bits: 16 }],
  ['16 bits with masks', { bits: 16, masks: [0xf800, 0x07e0, 0x001f] }],
  ['24 bits', { bits: 24 }],
  ['24 bits with a gap before the pixels', { bits: 24, gap: 10 }],
])(
  '%s: rows from the bottom up have the last of its colours, or white, and the first, or black',
  async (_name, kind) => {
    const row = stride(21, kind.bits);
    const pixels = Buffer.concat([Buffer.alloc(row), Buffer.alloc(2 * row, 0xff)]);
    const [first = [0, 0, 0], last = [255, 255, 255]] = [kind.palette?.at(0), kind.palette?.at(-1)];
    const rows = [...Array(42).fill([...last, OPAQUE]), ...Array(21).fill([...first, OPAQUE])];
    expect(await read(bmp({ ...kind, width: 21, height: 3, pixels }))).toEqual(rows);
  },
);

describe('of whatever header', () => {
  test.each([12, 16, 40, 52, 64, 108, 124] as const)('of %i bytes, with a palette', async (headerBytes) => {
    const palette = colours(16);
    const pixels = Buffer.from([0x12, 0x30, 0, 0, 0x21, 0x00, 0, 0]);
    const seen = await read(bmp({ width: 3, height: 2, bits: 4, headerBytes, palette, pixels }));
    expect(seen).toEqual([2, 1, 0, 1, 2, 3].map((index) => [...(palette[index] ?? []), OPAQUE]));
  });

  test.each([12, 16, 40, 52, 64, 108, 124] as const)('of %i bytes, in colours', async (headerBytes) => {
    const pixels = Buffer.from([3, 2, 1, 6, 5, 4, 0, 0]);
    expect(await read(bmp({ width: 2, height: 1, bits: 24, headerBytes, pixels }))).toEqual([
      [1, 2, 3, OPAQUE],
      [4, 5, 6, OPAQUE],
    ]);
  });

  test.each([40, 52, 108] as const)('of %i bytes, with masks', async (headerBytes) => {
    const masks = [0xf800, 0x07e0, 0x001f];
    const pixels = Buffer.from([0x00, 0xf8, 0x1f, 0x00]);
    expect(await read(bmp({ width: 2, height: 1, bits: 16, headerBytes, masks, pixels }))).toEqual([
      [255, 0, 0, OPAQUE],
      [0, 0, 255, OPAQUE],
    ]);
  });
});

test('what a file says of its own length does not matter', async () => {
  const sound = bmp({ width: 8, height: 2, bits: 8, palette: colours(256) });
  const silent = Buffer.from(sound);
  silent.writeUInt32LE(0, 2);
  expect(await read(silent)).toEqual(await read(sound));
});

describe('run-length coding', () => {
  test.each([
    [8, [1, 2, 0, 2, 1, 1, 1, 3, 0, 1]],
    [4, [1, 0x20, 0, 2, 1, 1, 1, 0x30, 0, 1]],
  ] as const)('of %i bits may jump, and what it jumps over has the first colour', async (bits, runs) => {
    const palette = colours(2 ** bits);
    const coded = { bits, palette, pixels: Buffer.from(runs), runLength: true };
    const [first, , second, third] = palette.map((colour) => [...colour, OPAQUE]);
    const pixels = await read(bmp({ width: 3, height: 2, ...coded }));
    expect(pixels).toEqual([first, first, third, second, first, first]);
  });

  test('that never ends, or writes beyond its picture, stays within it', async () => {
    const beyond = Buffer.from([255, 1, 0, 2, 255, 255, 255, 1]);
    const pixels = await read(bmp({ width: 2, height: 2, bits: 8, pixels: beyond, runLength: true }));
    expect(pixels).toHaveLength(4);
  });
});

describe('alpha', () => {
  const masks = [0x00ff0000, 0x0000ff00, 0x000000ff, 0xff000000];

  test('that a file declares is kept', async () => {
    const pixels = Buffer.from([1, 2, 3, 0, 4, 5, 6, 128]);
    const seen = await read(bmp({ width: 2, height: 1, bits: 32, masks, pixels }));
    expect(seen).toEqual([
      [3, 2, 1, 0],
      [6, 5, 4, 128],
    ]);
  });

  test.each([{ masks }, {}])('that is zero everywhere was not meant', async (kind) => {
    const pixels = Buffer.from([1, 2, 3, 0]);
    expect(await read(bmp({ width: 1, height: 1, bits: 32, pixels, ...kind }))).toEqual([[3, 2, 1, OPAQUE]]);
  });
});

describe('a file is refused', () => {
  const sound = bmp({ width: 20, height: 20, bits: 24 });
  const runs = bmp({ width: 20, height: 20, bits: 8, pixels: Buffer.alloc(82, 20), runLength: true });
  test.each([
    ['that lacks more than a twentieth of its rows', sound.subarray(0, -70)],
    ['of runs that lacks more than a twentieth of them', runs.subarray(0, -8)],
    ['of no width', bmp({ width: 0, height: 20, bits: 24 })],
    ['of unknown depth', changed(28, 23)],
    ['of unknown compression', changed(30, 5)],
    ['that is only its first letters', sound.subarray(0, 2)],
  ])('%s', async (_name, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ kind: 'image-unreadable' });
  });

  function changed(at: number, value: number): Buffer {
    const bytes = Buffer.from(sound);
    bytes[at] = value;
    return bytes;
  }
});
