/** Pages as people write them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentWords } from '../../src/language/page-range.ts';
import { readingWithoutMarks, withPageMarks } from '../../src/language/reading.ts';

const END = Number.MAX_SAFE_INTEGER;

describe('words beside a document', () => {
  it.each<[string, [number, number][]]>([
    ['3-12', [[3, 12]]],
    ['3–12', [[3, 12]]],
    ['３－１２', [[3, 12]]],
    ['5', [[5, 5]]],
    [
      '1,3,7-9',
      [
        [1, 1],
        [3, 3],
        [7, 9],
      ],
    ],
    ['pages 3 - 12', [[3, 12]]],
    [
      'p. 4 and 6',
      [
        [4, 4],
        [6, 6],
      ],
    ],
    ['第3至12页', [[3, 12]]],
    ['ཤོག་ངོས་ ༣-༡༢', [[3, 12]]],
    ['10-', [[10, END]]],
    ['12-3', [[12, 3]]],
    ['0', [[0, 0]]],
  ])('%s: these pages', (words, ranges) => {
    expect(documentWords(words)).toEqual({ language: undefined, ranges, areUnderstood: true });
  });

  it.each(['zh 3-12', '3-12 中文', '3-12, Chinese'.replace(',', ' ')])(
    '%s: pages and a language',
    (words) => {
      expect(documentWords(words)).toEqual({ language: 'chinese', ranges: [[3, 12]], areUnderstood: true });
    },
  );

  it.each(['Annual report 2024', 'what does page three say?', '今天天气很好', '1-2-3', 'a'.repeat(5000)])(
    '%s: no pages',
    (words) => {
      expect(documentWords(words)).toMatchObject({ ranges: undefined, areUnderstood: false });
    },
  );

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (words) => void documentWords(words)));
  });
});

it('pages under their marks are known again as pages', () => {
  const line = fc.constantFrom('བོད་ཡིག', 'རྒྱལ་པོ་སྐྱེས།', '今天天气很好。', '');
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), (texts) => {
      const marked = withPageMarks(texts.map((text, index) => ({ number: index + 1, text })));
      expect(readingWithoutMarks(marked)).not.toContain('—');
      for (const text of texts) expect(readingWithoutMarks(marked)).toContain(text.slice(0, 3));
    }),
  );
  expect(readingWithoutMarks('a — 1 —\nb')).toBe('a — 1 —\nb');
});
