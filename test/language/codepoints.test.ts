/** Length in Unicode code points. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePointLength } from '../../src/language/split.ts';
import { anyText } from './texts.ts';

test('a character of any plane counts as one, a half of one too', () => {
  expect(codePointLength('')).toBe(0);
  expect(codePointLength('བོད')).toBe(3);
  expect(codePointLength('𠮷野家')).toBe(3);
  expect(codePointLength('👨‍👩‍👧')).toBe(5);
  expect(codePointLength('\ud83d\ud83d\udc68\udc68')).toBe(3);
});

test('the count is that of the iterated text', () => {
  fc.assert(fc.property(anyText, (text) => codePointLength(text) === Array.from(text).length));
});
