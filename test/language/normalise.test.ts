/** Which texts count as the same when results are looked up. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseForKey } from '../../src/language/normalise.ts';
import { anyText } from './texts.ts';

describe('texts that differ in encoding alone share a key', () => {
  test.each([
    ['a tsheg that no line ends after', 'བོད\u0f0cཡིག', 'བོད་ཡིག'],
    ['om as one character and in parts', '\u0f00་མ་ཎི', '\u0f68\u0f7c\u0f7e་མ་ཎི'],
    ['long i', 'ཀ\u0f73', 'ཀ\u0f71\u0f72'],
    ['long u', 'ཧ\u0f75\u0f83', 'ཧ\u0f71\u0f74\u0f83'],
    ['long reversed i', 'ཀ\u0f81', 'ཀ\u0f71\u0f80'],
    ['vocalic r', 'ཀ\u0f76', 'ཀ\u0fb2\u0f80'],
    ['long vocalic r', 'ཀ\u0f77', 'ཀ\u0fb2\u0f71\u0f80'],
    ['long vocalic r, half composed', 'ཀ\u0f77', 'ཀ\u0fb2\u0f81'],
    ['vocalic l', 'ཀ\u0f78', 'ཀ\u0fb3\u0f80'],
    ['long vocalic l', 'ཀ\u0f79', 'ཀ\u0fb3\u0f71\u0f80'],
    ['gha', '\u0f43', '\u0f42\u0fb7'],
    ['kssa', '\u0f69', '\u0f40\u0fb5'],
    ['a subjoined aspirate', 'ས\u0fa2', 'ས\u0fa1\u0fb7'],
    ['vowel signs typed in another order', 'ཧ\u0f83\u0f74\u0f71', 'ཧ\u0f71\u0f74\u0f83'],
    ['the mark of tsa typed before the vowel', 'ཕ\u0f39\u0f72', 'ཕ\u0f72\u0f39'],
    ['a composed Latin letter', 'é', 'e\u0301'],
    ['kinds of line break', 'བོད\r\nཡིག\rམི', 'བོད\nཡིག\nམི'],
    ['kinds and number of spaces', 'བོད།\u00a0 \u3000ཡིག', 'བོད། ཡིག'],
    ['white space around', '\n 中文\t\n', '中文'],
    ['characters that are not seen', '\ufeffབོད\u200b་ཡི\u2060ག', 'བོད་ཡིག'],
    ['an unseen character inside a sequence', 'ཀ\u0f71\u200b\u0f72', 'ཀ\u0f73'],
  ])('%s', (_, one, other) => {
    expect(normaliseForKey(one)).toBe(normaliseForKey(other));
  });
});

describe('texts that a reader tells apart do not', () => {
  test.each([
    ['a letter', 'བོད', 'བོན'],
    ['a long vowel', 'ཀ\u0f71\u0f72', 'ཀ\u0f72'],
    ['where a syllable ends', 'དགའ', 'དག་འ'],
    ['a shad', 'བོད།', 'བོད'],
    ['a line break instead of a space', 'བོད།\nཡིག', 'བོད། ཡིག'],
    ['an empty line', 'བོད།\n\nཡིག', 'བོད།\nཡིག'],
    ['a space', '中 文', '中文'],
    ['upper case', 'Bod', 'bod'],
    ['simplified and traditional', '汉', '漢'],
    ['width of a mark', '！', '!'],
    ['a family and its members', '👨‍👩‍👧', '👨👩👧'],
    ['text and emoji style', '❤\ufe0f', '❤'],
    ['fixed and common form of ra', '\u0f6aཀ', 'རཀ'],
  ])('%s', (_, one, other) => {
    expect(normaliseForKey(one)).not.toBe(normaliseForKey(other));
  });
});

test('the normal form is its own normal form', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const key = normaliseForKey(text);
      expect(normaliseForKey(key)).toBe(key);
    }),
    { numRuns: 1000 },
  );
});

test('canonically equal texts share a key, however they came', () => {
  const marks = fc.string({
    unit: fc.constantFrom(
      ...'ཀཧཨ\u0f71\u0f72\u0f73\u0f74\u0f75\u0f76\u0f77\u0f79\u0f7c\u0f7e\u0f80\u0f81\u0f83\u0f39\u0fb7\u0f42',
    ),
  });
  fc.assert(
    fc.property(fc.oneof(anyText, marks), (text) => {
      expect(normaliseForKey(text.normalize('NFD'))).toBe(normaliseForKey(text));
    }),
    { numRuns: 1000 },
  );
});
