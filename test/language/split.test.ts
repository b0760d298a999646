/** Long texts are cut into the fewest pieces, each at the best boundary, and nothing is lost. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitForService, splitForTelegram } from '../../src/language/split.ts';
import { anyText } from './texts.ts';

const ROUTES = [
  {
    route: 'the service, in code points',
    split: splitForService,
    measure: (text: string) => Array.from(text).length,
  },
  { route: 'Telegram, in UTF-16 units', split: splitForTelegram, measure: (text: string) => text.length },
] as const;

const limits = fc.integer({ min: 2, max: 24 });
const graphemes = (text: string) => Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

/** Where a text may be cut, as UTF-16 offsets: between clusters; inside those that no piece can hold, between code points. */
function allowedCuts(text: string, limit: number, measure: (text: string) => number): Set<number> {
  const cuts = new Set([0]);
  let offset = 0;
  for (const cluster of graphemes(text)) {
    for (const part of measure(cluster) > limit ? Array.from(cluster) : [cluster]) {
      offset += part.length;
      cuts.add(offset);
    }
  }
  return cuts;
}

/** The fewest pieces, found by trying every cut. */
function fewestPieces(text: string, limit: number, measure: (text: string) => number): number {
  const fewest = new Map([[0, 0]]);
  for (const end of allowedCuts(text, limit, measure)) {
    for (const [start, pieces] of [...fewest]) {
      if (start < end && measure(text.slice(start, end)) <= limit) {
        fewest.set(end, Math.min(pieces + 1, fewest.get(end) ?? Number.POSITIVE_INFINITY));
      }
    }
  }
  return fewest.get(text.length) ?? Number.NaN;
}

/** The same for a text too long for that, found by filling each piece. */
function filledPieces(text: string, limit: number, measure: (text: string) => number): number {
  let pieces = 0;
  let room = 0;
  for (const cluster of graphemes(text)) {
    const isTooLong = measure(cluster) > limit;
    for (const part of isTooLong ? Array.from(cluster) : [cluster]) {
      if (measure(part) > room) [pieces, room] = [pieces + 1, limit];
      room -= measure(part);
    }
  }
  return pieces;
}

describe.each(ROUTES)('for $route', ({ split, measure }) => {
  test('the pieces joined are the text', () => {
    fc.assert(fc.property(anyText, limits, (text, limit) => split(text, limit).join('') === text));
  });

  test('no piece is empty or exceeds the limit', () => {
    fc.assert(
      fc.property(anyText, limits, (text, limit) => {
        for (const piece of split(text, limit)) {
          expect(piece).not.toBe('');
          expect(measure(piece)).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  test('no fewer pieces are possible', () => {
    fc.assert(
      fc.property(anyText, limits, (text, limit) => {
        expect(split(text, limit)).toHaveLength(fewestPieces(text, limit, measure));
      }),
    );
  });

  test('no cut falls inside a grapheme cluster that a piece can hold, nor inside any character', () => {
    fc.assert(
      fc.property(anyText, limits, (text, limit) => {
        const allowed = allowedCuts(text, limit, measure);
        let offset = 0;
        for (const piece of split(text, limit)) {
          offset += piece.length;
          expect(allowed).toContain(offset);
        }
      }),
    );
  });

  test('a text that fits stays whole, an empty one has no pieces', () => {
    expect(split('', 10)).toEqual([]);
    expect(split('བོད་ཡིག\n\n中文', 20)).toEqual(['བོད་ཡིག\n\n中文']);
  });

  test('a cluster longer than any piece is cut between its characters', () => {
    const stack = `ཀ${'\u0fb2'.repeat(9)}`;
    expect(split(stack, 4)).toEqual(['ཀ\u0fb2\u0fb2\u0fb2', '\u0fb2'.repeat(4), '\u0fb2\u0fb2']);
  });
});

test('the two limits count differently', () => {
  const rare = '𠮷'.repeat(3000);
  expect(splitForService(rare, 3000)).toHaveLength(1);
  expect(splitForService(`${rare}中`, 3000)).toHaveLength(2);
  expect(splitForTelegram(rare).map((piece) => piece.length)).toEqual([4096, 1904]);
});

describe('a cut is made at', () => {
  test.each([
    ['an empty line rather than a later line break', 16, ['一二三。\n\n', '四五六。\n七八九。十十十']],
    ['an empty line that holds spaces', 16, ['一二三。\r\n \r\n', '四五六。\n七八九。十十']],
    ['a line break rather than a later sentence', 12, ['一二三。\n', '四五六。七八九。十十']],
    ['a line break without any mark', 12, ['一二三\n', '四五六。七八九。十十']],
    ['a sentence rather than a later clause', 10, ['一二三。', '四五六，七八九十']],
    ['a half-width full stop', 10, ['一二三｡', '四五六，七八九十']],
    ['a question', 10, ['一二三？', '四五六，七八九十']],
    ['the end of quoted speech, with its quote', 10, ['他说：“好。”', '四五六，七八九十']],
    ['the end of speech in straight quotes', 10, ['他说："好！"', '四五六，七八九十']],
    ['the colon before straight quotes, which open', 8, ['他说：', '"一二三四"']],
    ['the space before straight quotes, which open', 9, ['一二三！ ', '"四五六"']],
    ['a line break, though a bracket begins the next line', 8, ['一二三\n', '）四五六七']],
    ['a closing bracket after the mark', 10, ['（一二三。）', '四五六，七八九十']],
    ['several marks and the space after them', 10, ['一二三！？ ', '四五六，七八九十']],
    ['a clause rather than between the marks of a sentence', 6, ['一二，', '三四！！五']],
    ['a sentence with its space rather than a later one without', 5, ['一二。', '三。 四五']],
    ['a clause rather than inside a word', 10, ['一二三，', '四五六七八九十']],
    ['an enumeration comma', 10, ['一二三、', '四五六七八九十']],
    ['a semicolon', 10, ['一二三；', '四五六七八九十']],
    ['a colon', 10, ['一二三：', '四五六七八九十']],
    ['a shad rather than a later tsheg', 16, ['བཀྲ་ཤིས།', 'བདེ་ལེགས་ཞུ']],
    ['both shads with the space between and after', 16, ['བཀྲ་ཤིས། ། ', 'བདེ་ལེགས་ཞུ']],
    ['a double shad', 16, ['བཀྲ་ཤིས༎ ', 'བདེ་ལེགས་ཞུ']],
    ['the ornamented shad ༏', 16, ['བཀྲ་ཤིས་༏ ', 'བདེ་ལེགས་ཞུ']],
    ['the ornamented shad ༐', 16, ['བཀྲ་ཤིས་༐ ', 'བདེ་ལེགས་ཞུ']],
    ['the ornamented shad ༑', 16, ['བཀྲ་ཤིས་༑ ', 'བདེ་ལེགས་ཞུ']],
    ['the ornamented shad ༒', 16, ['བཀྲ་ཤིས་༒ ', 'བདེ་ལེགས་ཞུ']],
    ['the mark of revealed texts', 16, ['བཀྲ་ཤིས༔ ', 'བདེ་ལེགས་ཞུ']],
    ['a line break rather than a later shad', 20, ['བཀྲ་ཤིས།\n', 'བདེ་ལེགས།ཞུ་རྒྱུ']],
    ['a line break, though a shad begins the next line', 19, ['བཀྲ་ཤིས།\n', '།བདེ་ལེགས་ཞུ་རྒྱུ']],
    ['the space after a letter that implies a shad', 16, ['བདག་བདག ', 'ཁྱོད་ཁྱོད་']],
    ['a tsheg that parts no particle from its word', 10, ['བཀྲ་', 'ཤིས་ཀྱིས་']],
    ['a tsheg before a particle rather than inside it', 6, ['བོད་', 'ལས་']],
    ['a tsheg after a particle rather than a later one', 9, ['ང་དང་', 'བཀྲ་ཤིས་']],
    ['a tsheg rather than inside a syllable', 6, ['བཀྲ་', 'ཤིས་']],
    [
      'a lesser boundary where the best one leaves only a bad one later',
      6,
      ['一二三。四，', '七八九十一。', '三四五六'],
    ],
    ['a space rather than inside a word', 8, ['tashi ', 'delek']],
    ['an English sentence', 16, ['It is one. ', 'It is, so, two']],
    ['an English clause rather than a later space', 12, ['It is, ', 'so it is']],
    ['a space, not the point of a number', 8, ['is ', '3.14159']],
    ['a space, not the colon of an address', 13, ['see ', 'https://x.org']],
    ['a full stop before Tibetan', 14, ['Tashi.', 'བདེ་ལེགས་ཞུ']],
    ['a tsheg that allows it, not one that forbids it', 8, ['ཀ་', 'ཁ༌ག༌ང༌ཅ']],
  ])('%s', (_, limit, pieces) => {
    expect(splitForTelegram(pieces.join(''), limit)).toEqual(pieces);
    expect(splitForService(pieces.join(''), limit)).toEqual(pieces);
  });

  test('for the service a shad rather than a line break that only the width made', () => {
    const text = 'རྒྱལ་པོ་ཡིན། སྐྱེས་\nཙམ་ཉིད་ནས་སོང་';
    expect(splitForService(text, 26)).toEqual(['རྒྱལ་པོ་ཡིན། ', 'སྐྱེས་\nཙམ་ཉིད་ནས་སོང་']);
    expect(splitForTelegram(text, 26)).toEqual(['རྒྱལ་པོ་ཡིན། སྐྱེས་\n', 'ཙམ་ཉིད་ནས་སོང་']);
  });

  test('the latest of equals', () => {
    expect(splitForTelegram('一。二。三。四。五。', 6)).toEqual(['一。二。三。', '四。五。']);
  });

  test('a lesser boundary where the best one would cost a piece more', () => {
    expect(splitForTelegram('一\n二三四，五六七八', 6)).toEqual(['一\n二三四，', '五六七八']);
    expect(splitForTelegram('一\n二三四，五六七八', 9)).toEqual(['一\n', '二三四，五六七八']);
  });

  test('the place before the white space where that alone exceeds the piece', () => {
    expect(splitForTelegram('一二三四。 五六', 5)).toEqual(['一二三四。', ' 五六']);
  });

  test('the edge of a cluster that no piece can hold, before any place inside it', () => {
    const stack = `ཀ${'\u0fb2'.repeat(7)}`;
    expect(splitForTelegram(`一二三${stack}`, 5)).toEqual(['一二三', stack.slice(0, 5), stack.slice(5)]);
  });

  test('a place between emoji, which stay whole', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(splitForTelegram(family.repeat(3), 2 * family.length + 5)).toEqual([family.repeat(2), family]);
    expect(splitForService('🇨🇳'.repeat(3), 3)).toEqual(['🇨🇳', '🇨🇳', '🇨🇳']);
  });

  test('a place between halves of characters that have lost their other half', () => {
    expect(splitForTelegram('\ud83d\ud83d\udc68\udc68', 2)).toEqual(['\ud83d', '\ud83d\udc68', '\udc68']);
  });
});

describe('white space alone', () => {
  test('is not left as the last piece', () => {
    expect(splitForTelegram('一二。三四。\n\n', 6)).toEqual(['一二。', '三四。\n\n']);
  });

  test('is not left as the first piece', () => {
    expect(splitForTelegram('\n\n\n一二三四。', 6)).toEqual(['\n\n\n一二三', '四。']);
  });

  test('is not left between two pieces', () => {
    expect(splitForTelegram(`一二三四${' '.repeat(6)}五六`, 5)).toEqual(['一二三', '四    ', '  五六']);
  });

  test('is a piece where nothing else is possible', () => {
    expect(splitForTelegram(`一${' '.repeat(12)}二`, 5)).toEqual(['一    ', '     ', '   二']);
  });
});

test.each(['བོ', '中', '.', ' ', '\n', '\u0fb2', '👨‍👩‍👧‍👦', '\ud83d'])(
  'a hundred thousand characters of %j take the fewest pieces',
  (cluster) => {
    const clusters = Math.ceil(100_000 / cluster.length);
    const text = cluster.repeat(clusters);
    const pieces = splitForTelegram(text);
    expect(pieces.join('') === text).toBe(true);
    expect(pieces).toHaveLength(Math.ceil(clusters / Math.floor(4096 / cluster.length)));
  },
);

test.each([
  [24_000, 8],
  [250_000, 84],
])(
  '%i characters, which fill full pieces only where some cuts are poor, take %i pieces',
  (length, pieces) => {
    const text = `${'ཀ་'.repeat(83)}ས། `.repeat(1500).slice(0, length);
    expect(splitForService(text, 3000)).toHaveLength(pieces);
  },
);

describe('a text longer than anybody writes', () => {
  const long = fc
    .array(fc.oneof(anyText, fc.constantFrom('བོད་ཡིག་', '今天天气很好。', 'word ', '👨‍👩‍👧‍👦', '\n\n')), {
      minLength: 30,
    })
    .map((parts) => parts.join(''))
    .filter((text) => text !== '')
    .map((text) => text.repeat(Math.ceil(60_000 / text.length)));

  test.each(ROUTES)('is whole in its pieces, and none exceeds the limit of $route', ({ split, measure }) => {
    const most = split === splitForService ? 3000 : 4096;
    fc.assert(
      fc.property(long, (text) => {
        const pieces = split(text, most);
        expect(pieces.join('') === text).toBe(true);
        expect(Math.max(...pieces.map(measure))).toBeLessThanOrEqual(most);
        expect(pieces).toHaveLength(filledPieces(text, most, measure));
        const cuts = allowedCuts(text, most, measure);
        let end = 0;
        for (const piece of pieces) {
          end += piece.length;
          expect(cuts.has(end)).toBe(true);
        }
      }),
      { numRuns: 20 },
    );
  });

  test('is cut in no more than twice the time that it takes to find its characters', () => {
    const text = 'བོད་'.repeat(100_000);
    // Time of this thread alone, so that others on the machine do not count.
    const timeOf = (work: () => unknown): number => {
      const begun = process.threadCpuUsage();
      work();
      return process.threadCpuUsage(begun).user;
    };
    const fastest = (work: () => unknown) => Math.min(...[1, 2, 3, 4, 5].map(() => timeOf(work)));
    expect(fastest(() => splitForTelegram(text))).toBeLessThan(2 * fastest(() => graphemes(text)));
  });
});
