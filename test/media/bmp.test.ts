/** Every kind of Windows bitmap is read as other programs read it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBmpHeader } from '../../src/media/picture/image-header.ts';
import { decodeBmp } from '../../src/media/picture/image-redraw.ts';
import { type BmpOptions, bmp, packRuns, stride } from './bitmaps.ts';

async function read(bytes: Buffer) {
  const header = readBmpHeader(bytes);
  if (!header) throw new Error('the header was refused');
  const { bytes: data, raw } = await decodeBmp(bytes, header, undefined);
  return { data, channels: raw?.channels };
}

type Kind = Omit<BmpOptions, 'width' | 'height'>;

/** The RGB bytes of a picture as the format defines them, from its stored rows. */
function painted(
  { bits, palette = [], masks = [0x7c00, 0x03e0, 0x001f] }: Kind,
  width: number,
  rows: Buffer[],
) {
  const colourAt = (row: Buffer, x: number): readonly number[] => {
    const at = (x * bits) / 8;
    if (bits >= 24) return [...row.subarray(at, at + 3)].toReversed();
    if (bits === 16) return masks.map((mask) => Math.round(((row.readUInt16LE(at) & mask) * 255) / mask));
    const index = (row.readUInt8(Math.floor(at)) >> (8 - bits - ((x * bits) % 8))) & (2 ** bits - 1);
    return palette[index] ?? [];
  };
  return Buffer.from(rows.flatMap((row) => Array.from({ length: width }, (_, x) => colourAt(row, x)).flat()));
}

function largestDifference(one: Buffer, other: Buffer): number {
  expect(one.length).toBe(other.length);
  return one.reduce((largest, value, at) => Math.max(largest, Math.abs(value - (other[at] ?? 0))), 0);
}

const colours = (count: number) =>
  Array.from({ length: count }, (_, i): [number, number, number] => [
    (i * 37) % 256,
    (i * 91) % 256,
    255 - i,
  ]);

/** Bits per pixel and header, and how far the rounding of 5-bit channels may differ. */
const KINDS: [name: string, options: Kind, tolerance: number][] = [
  ['1 bit', { bits: 1, palette: colours(2) }, 0],
  ['4 bits', { bits: 4, palette: colours(16) }, 0],
  ['8 bits', { bits: 8, palette: colours(256) }, 0],
  ['16 bits', { bits: 16 }, 8],
  ['16 bits with masks', { bits: 16, masks: [0xf800, 0x07e0, 0x001f] }, 8],
  ['24 bits', { bits: 24 }, 0],
  ['32 bits', { bits: 32 }, 0],
  ['24 bits, oldest header', { bits: 24, core: true }, 0],
  ['8 bits, oldest header', { bits: 8, core: true, palette: colours(256) }, 0],
  ['24 bits with a gap before the pixels', { bits: 24, gap: 10 }, 0],
];

describe('pixels are as the format defines them', () => {
  test.each(KINDS)('%s, any size, in either direction', async (_name, kind, tolerance) => {
    const size = fc.record({
      width: fc.integer({ min: 1, max: 40 }),
      rows: fc.integer({ min: 1, max: 9 }),
      down: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(size, fc.infiniteStream(fc.nat(255)), async ({ width, rows, down }, byte) => {
        const rowBytes = stride(width, kind.bits);
        const pixels = Buffer.from([...byte.take(rowBytes * rows)]);
        const stored = Array.from({ length: rows }, (_, row) =>
          pixels.subarray(row * rowBytes, (row + 1) * rowBytes),
        );
        const bytes = bmp({ ...kind, width, height: down && !kind.core ? -rows : rows, pixels });
        const { data, channels } = await read(bytes);
        expect(channels).toBe(3);
        const seen = painted(kind, width, down && !kind.core ? stored : stored.toReversed());
        expect(largestDifference(data, seen)).toBeLessThanOrEqual(tolerance);
      }),
      { numRuns: 3 },
    );
  });
});

test('what a file says of its own length does not matter', async () => {
  const sound = bmp({ width: 8, height: 2, bits: 8, palette: colours(256) });
  const silent = Buffer.from(sound);
  silent.writeUInt32LE(0, 2);
  expect((await read(silent)).data).toEqual((await read(sound)).data);
});

describe('run-length coding', () => {
  test.each([4, 8] as const)('of %i bits gives every pixel back', async (bits) => {
    const picture = fc.integer({ min: 1, max: 40 }).chain((width) => {
      const index = fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.nat(2 ** bits - 1));
      return fc.array(fc.array(index, { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 9,
      });
    });
    const palette = colours(2 ** bits);
    await fc.assert(
      fc.asyncProperty(picture, async (rows) => {
        const width = rows[0]?.length ?? 0;
        const pixels = packRuns(rows.toReversed(), bits);
        const { data } = await read(
          bmp({ width, height: rows.length, bits, palette, pixels, runLength: true }),
        );
        expect([...data]).toEqual(rows.flat().flatMap((index) => palette[index] ?? []));
      }),
      { numRuns: 5 },
    );
  });

  test('may jump, and what it jumps over has the first colour', async () => {
    const move = Buffer.from([1, 2, 0, 2, 1, 1, 1, 3, 0, 1]);
    const { data } = await read(
      bmp({ width: 3, height: 2, bits: 8, palette: colours(256), pixels: move, runLength: true }),
    );
    const [first, second, third] = [colours(256)[0], colours(256)[2], colours(256)[3]];
    expect([...data]).toEqual([first, first, third, second, first, first].flat());
  });

  test('that never ends, or writes beyond its picture, stays within it', async () => {
    const beyond = Buffer.from([255, 1, 0, 2, 255, 255, 255, 1]);
    const { data } = await read(bmp({ width: 2, height: 2, bits: 8, pixels: beyond, runLength: true }));
    expect(data).toHaveLength(12);
  });
});

describe('alpha', () => {
  const masks = [0x00ff0000, 0x0000ff00, 0x000000ff, 0xff000000];

  test('that a file declares is kept', async () => {
    const pixels = Buffer.from([1, 2, 3, 0, 4, 5, 6, 128]);
    const { data, channels } = await read(bmp({ width: 2, height: 1, bits: 32, masks, pixels }));
    expect(channels).toBe(4);
    expect([...data]).toEqual([3, 2, 1, 0, 6, 5, 4, 128]);
  });

  test('that is zero everywhere was not meant', async () => {
    const { data } = await read(
      bmp({ width: 1, height: 1, bits: 32, masks, pixels: Buffer.from([1, 2, 3, 0]) }),
    );
    expect([...data]).toEqual([3, 2, 1, 255]);
  });
});

describe('a header is refused', () => {
  const sound = bmp({ width: 20, height: 20, bits: 24 });
  test.each([
    ['that promises more pixels than the file has', sound.subarray(0, -1)],
    ['of no width', bmp({ width: 0, height: 20, bits: 24 })],
    ['of a negative width', changed(18, 0xff, 0xff, 0xff, 0xff)],
    ['of unknown depth', changed(28, 23)],
    ['of unknown compression', changed(30, 5)],
    ['of unknown size', changed(14, 41)],
    ['whose pixels begin inside it', changed(10, 20)],
    ['whose masks are cut off', cutAfter(60, bmp({ width: 1, height: 1, bits: 16, masks: [1, 2, 4] }))],
  ])('%s', (_name, bytes) => {
    expect(readBmpHeader(sound)).toBeDefined();
    expect(readBmpHeader(bytes)).toBeUndefined();
  });

  /** The first bytes, said to hold the pixels too. */
  function cutAfter(length: number, whole: Buffer): Buffer {
    const bytes = Buffer.from(whole.subarray(0, length));
    bytes.writeUInt32LE(54, 10);
    return bytes;
  }

  function changed(at: number, ...values: number[]): Buffer {
    const bytes = Buffer.from(sound);
    bytes.set(values, at);
    return bytes;
  }
});
