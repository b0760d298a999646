/** Every kind of Windows bitmap is read as other programs read it. */
import { describe, expect, test } from 'vitest';
import { readBmpHeader } from '../../src/media/picture/image-header.ts';
import { decodeBmp } from '../../src/media/picture/image-redraw.ts';
import { type BmpOptions, bmp, stride } from './bitmaps.ts';

async function read(bytes: Buffer) {
  const header = readBmpHeader(bytes);
  if (!header) throw new Error('the header was refused');
  const { bytes: data, raw } = await decodeBmp(bytes, header, undefined);
  return { data, channels: raw?.channels };
}

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
  ['32 bits', { bits: 32 }],
  ['24 bits, oldest header', { bits: 24, core: true }],
  ['8 bits, oldest header', { bits: 8, core: true, palette: colours(256) }],
  ['24 bits with a gap before the pixels', { bits: 24, gap: 10 }],
])(
  '%s: rows from the bottom up have the last of its colours, or white, and the first, or black',
  async (_name, kind) => {
    const row = stride(21, kind.bits);
    const pixels = Buffer.concat([Buffer.alloc(row), Buffer.alloc(2 * row, 0xff)]);
    const { data, channels } = await read(bmp({ ...kind, width: 21, height: 3, pixels }));
    const [first = [0, 0, 0], last = [255, 255, 255]] = [kind.palette?.at(0), kind.palette?.at(-1)];
    expect(channels).toBe(3);
    expect([...data]).toEqual([...Array(42).fill(last), ...Array(21).fill(first)].flat());
  },
);

test('what a file says of its own length does not matter', async () => {
  const sound = bmp({ width: 8, height: 2, bits: 8, palette: colours(256) });
  const silent = Buffer.from(sound);
  silent.writeUInt32LE(0, 2);
  expect((await read(silent)).data).toEqual((await read(sound)).data);
});

describe('run-length coding', () => {
  test.each([
    [8, [1, 2, 0, 2, 1, 1, 1, 3, 0, 1]],
    [4, [1, 0x20, 0, 2, 1, 1, 1, 0x30, 0, 1]],
  ] as const)('of %i bits may jump, and what it jumps over has the first colour', async (bits, runs) => {
    const palette = colours(2 ** bits);
    const coded = { bits, palette, pixels: Buffer.from(runs), runLength: true };
    const { data } = await read(bmp({ width: 3, height: 2, ...coded }));
    const [first, , second, third] = palette;
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
