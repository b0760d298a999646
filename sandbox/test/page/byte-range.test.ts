/** Ranges of a file, as browsers ask for them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRange } from '../../page/byte-range.ts';

test.each([
  ['bytes=0-', 10, { start: 0, end: 9 }],
  ['bytes=3-5', 10, { start: 3, end: 5 }],
  ['bytes=3-500', 10, { start: 3, end: 9 }],
  ['bytes=-4', 10, { start: 6, end: 9 }],
  ['bytes=-40', 10, { start: 0, end: 9 }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=-5', 0, 'unsatisfiable'],
  ['bytes=5-3', 10, undefined],
  ['bytes=0-1,4-5', 10, undefined],
  ['lines=0-1', 10, undefined],
  ['bytes=-', 10, undefined],
  [undefined, 10, undefined],
])('%s of %i bytes', (header, size, expected) => {
  expect(readRange(header, size)).toEqual(expected);
});

test('a file asked for in parts comes whole', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), fc.integer({ min: 1, max: 20 }), (file, step) => {
      const parts: number[] = [];
      for (let at = 0; at < file.length; at += step) {
        const range = readRange(`bytes=${at}-${at + step - 1}`, file.length);
        if (range === undefined || range === 'unsatisfiable') throw new Error('a part is missing');
        parts.push(...file.subarray(range.start, range.end + 1));
      }
      expect(parts).toEqual([...file]);
    }),
  );
});
