/** Tibetan stacks that national standards keep at private code points. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inUnicode, mustBeKnown } from '../../src/language/private-tibetan.ts';

it.each([
  ['\uF300', 'ཨི'],
  ['\uF313', 'ཀྲྀ'],
  ['\uF363', 'གྱུ'],
  ['\uF464', 'ལྡེ'],
  ['\uF5BC', 'ཤི'],
  ['\uF5EC', 'ཧྭ'],
  ['\uF5F8', 'ཀྵོ'],
  ['\u{F0010}', 'ཨྠིྀ'],
  ['\uF300\uF301', 'ཨིཨྀ'],
])('a stack beside a tsheg is that of the standard: %j', (stack, unicode) => {
  for (const [before, after] of [
    ['', '་'],
    ['་', ''],
    ['གསར་', '།'],
    ['中文 ', '་'],
  ] as const)
    expect(inUnicode(before + stack + after)).toBe(before + unicode + after);
});

it.each([
  '\uF8FF',
  '\uF3C5 ལྷ་ས',
  'iPhone \uF8FF',
  '\uE000་',
  '\uF0B7 བོད་',
  '\uF5BC',
  '中\uF5BC文',
  '\u{F1FFE}',
])('what stands by itself, or is of no standard, stays: %j', (text) => {
  expect(inUnicode(text)).toBe(text);
  expect(() => mustBeKnown(text)).not.toThrow();
});

it.each(['\uF584་', 'བོད\uF649', '\u{F1600}ཡིག', 'བོད་\u{F1FFF}།'])(
  'an unknown stack is not paid for: %j',
  (text) => {
    expect(() => mustBeKnown(inUnicode(text))).toThrow(expect.objectContaining({ kind: 'private-letters' }));
  },
);

it('any text of the first extension becomes Unicode, and part by part the same', () => {
  const stack = fc
    .integer({ min: 0xf300, max: 0xf8ff })
    .filter((code) => code !== 0xf584 && code !== 0xf649)
    .map((code) => `${String.fromCodePoint(code)}་`);
  fc.assert(
    fc.property(fc.array(stack), (stacks) => {
      const text = inUnicode(stacks.join(''));
      expect(text).toBe(stacks.map(inUnicode).join(''));
      expect(text).toMatch(/^[\u0F00-\u0FFF]*$/u);
    }),
  );
});
