/** Long texts are cut into the fewest pieces, each at the best boundary, and nothing is lost; or shortened, where there is no room. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  codePointLength,
  ELLIPSIS,
  splitForService,
  splitForTelegram,
  truncate,
} from '../../src/language/split.ts';
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

/** The pieces are the text, none is empty or too long, and none begins inside what a piece can hold. */
function expectSound(pieces: string[], text: string, limit: number, measure: (text: string) => number) {
  expect(pieces.join('') === text).toBe(true);
  const cuts = allowedCuts(text, limit, measure);
  let end = 0;
  for (const piece of pieces) {
    expect(piece).not.toBe('');
    expect(measure(piece)).toBeLessThanOrEqual(limit);
    end += piece.length;
    expect(cuts.has(end)).toBe(true);
  }
}

describe.each(ROUTES)('for $route', ({ split, measure }) => {
  test('any text has the fewest sound pieces, which hold it whole', () => {
    return fc.assert(
      fc.asyncProperty(anyText, limits, async (text, limit) => {
        const pieces = await split(text, limit);
        expectSound(pieces, text, limit, measure);
        expect(pieces).toHaveLength(fewestPieces(text, limit, measure));
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    ['a text that fits stays whole', 'བོད་ཡིག\n\n中文', 20, ['བོད་ཡིག\n\n中文']],
    ['an empty one has no pieces', '', 10, []],
    [
      'a cluster longer than any piece is cut between its characters',
      `ཀ${'\u0fb2'.repeat(9)}`,
      4,
      ['ཀ\u0fb2\u0fb2\u0fb2', '\u0fb2'.repeat(4), '\u0fb2\u0fb2'],
    ],
  ])('%s', async (_, text, limit, pieces) => {
    expect(await split(text, limit)).toEqual(pieces);
  });
});

test('the two limits count differently', async () => {
  const rare = '𠮷'.repeat(3000);
  expect(await splitForService(rare, 3000)).toHaveLength(1);
  expect(await splitForService(`${rare}中`, 3000)).toHaveLength(2);
  expect((await splitForTelegram(rare)).map((piece) => piece.length)).toEqual([4096, 1904]);
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
  ])('%s', async (_, limit, pieces) => {
    expect(await splitForTelegram(pieces.join(''), limit)).toEqual(pieces);
    expect(await splitForService(pieces.join(''), limit)).toEqual(pieces);
  });

  test('for the service a shad rather than a line break that only the width made', async () => {
    const text = 'རྒྱལ་པོ་ཡིན། སྐྱེས་\nཙམ་ཉིད་ནས་སོང་';
    expect(await splitForService(text, 26)).toEqual(['རྒྱལ་པོ་ཡིན། ', 'སྐྱེས་\nཙམ་ཉིད་ནས་སོང་']);
    expect(await splitForTelegram(text, 26)).toEqual(['རྒྱལ་པོ་ཡིན། སྐྱེས་\n', 'ཙམ་ཉིད་ནས་སོང་']);
  });

  test.each([
    ['the latest of equals', 6, ['一。二。三。', '四。五。']],
    ['a lesser boundary where the best one would cost a piece more', 6, ['一\n二三四，', '五六七八']],
    ['the best one where it does not', 9, ['一\n', '二三四，五六七八']],
    ['the place before the white space where that alone exceeds the piece', 5, ['一二三四。', ' 五六']],
    [
      'the edge of a cluster that no piece can hold, before any place inside it',
      5,
      ['一二三', `ཀ${'\u0fb2'.repeat(4)}`, '\u0fb2'.repeat(3)],
    ],
  ])('%s', async (_, limit, pieces) => {
    expect(await splitForTelegram(pieces.join(''), limit)).toEqual(pieces);
  });
});

test.each([
  [24_000, 8],
  [250_000, 84],
])(
  '%i characters, which fill full pieces only where some cuts are poor, take %i pieces',
  async (length, pieces) => {
    const text = `${'ཀ་'.repeat(83)}ས། `.repeat(1500).slice(0, length);
    expect(await splitForService(text, 3000)).toHaveLength(pieces);
  },
);

describe('a text longer than anybody writes', () => {
  const mixed = fc
    .array(fc.oneof(anyText, fc.constantFrom('བོད་ཡིག་', '今天天气很好。', 'word ', '👨‍👩‍👧‍👦', '\n\n')), {
      minLength: 30,
    })
    .map((parts) => parts.join(''))
    .filter((text) => text !== '');
  const long = fc
    .oneof(mixed, fc.constantFrom('བོ', '中', '.', ' ', '\n', '\u0fb2', '👨‍👩‍👧‍👦', '\ud83d'))
    .map((text) => text.repeat(Math.ceil(60_000 / text.length)));

  test.each(ROUTES)('is whole in its pieces, as few as possible, for $route', ({ split, measure }) => {
    const most = split === splitForService ? 3000 : 4096;
    return fc.assert(
      fc.asyncProperty(long, async (text) => {
        const pieces = await split(text, most);
        expectSound(pieces, text, most, measure);
        expect(pieces).toHaveLength(filledPieces(text, most, measure));
      }),
      { numRuns: 20 },
    );
  });
});

test('the length in code points is that of the iterated text, whatever is in it', () => {
  fc.assert(fc.property(anyText, (text) => codePointLength(text) === Array.from(text).length));
});

test.each([
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
])('%j shortened to %i units is %j', (text, limit, short) => {
  expect(truncate(text, limit)).toBe(short);
});

test('a shortened text is marked, within its units, and cut between clusters', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, limit) => {
      const short = truncate(text, limit);
      expect(short.length).toBeLessThanOrEqual(limit);
      const isWhole = text.length <= limit;
      expect(short.endsWith(ELLIPSIS)).toBe(!isWhole);
      const kept = graphemes(isWhole ? short : short.slice(0, -ELLIPSIS.length));
      expect(kept).toEqual(graphemes(text).slice(0, isWhole ? undefined : kept.length));
    }),
    { numRuns: 300 },
  );
});
