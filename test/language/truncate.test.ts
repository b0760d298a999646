/** Shortening a text for a place that holds no more. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ELLIPSIS, truncate } from '../../src/language/split.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('ཀ', '\u0f72', '\u0fb1', '་', '👩', '\u200d', '中', ' ') }),
);

it.each([
  ['བཀྲ་ཤིས', 20, 'བཀྲ་ཤིས'],
  ['བཀྲ་ཤིས', 7, 'བཀྲ་ཤིས'],
  ['བཀྲ་ཤིས་བདེ', 8, 'བཀྲ་ཤིས…'],
  ['བཀྲ་ཤིས་བདེ་ལེགས', 7, 'བཀྲ་…'],
  ['བཀྲ་ཤིས་བདེ་ལེགས', 15, 'བཀྲ་ཤིས་བདེ་…'],
  ['བཀྲཤིསབདེལེགས', 7, 'བཀྲཤིས…'],
  ['tashi delek', 9, 'tashi…'],
  ['tashidelek', 9, 'tashidel…'],
  ['中文 中文', 4, '中文…'],
  ['你好 中文中文中文', 7, '你好 中文中…'],
  ['👩‍👩‍👧‍👦 family', 5, '…'],
  ['', 1, ''],
])('%j in %i units is %j', (text, limit, short) => {
  expect(truncate(text, limit)).toBe(short);
});

it('what fits stays as it is; what does not is at most the limit, marked, and a beginning of the text', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, limit) => {
      const short = truncate(text, limit);
      expect(short.length).toBeLessThanOrEqual(limit);
      if (text.length <= limit) expect(short).toBe(text);
      else {
        expect(short.endsWith(ELLIPSIS)).toBe(true);
        expect(text.startsWith(short.slice(0, -ELLIPSIS.length))).toBe(true);
      }
    }),
  );
});

it('no grapheme cluster is cut', () => {
  const clusters = (text: string) =>
    [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(
      ({ segment }) => segment,
    );
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, limit) => {
      fc.pre(text.length > limit);
      const kept = truncate(text, limit).slice(0, -ELLIPSIS.length);
      const before = clusters(text);
      expect(clusters(kept)).toEqual(before.slice(0, clusters(kept).length));
    }),
  );
});
