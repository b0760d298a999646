/** Which texts count as the same when results are looked up. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inIdeographs } from '../../src/language/ideographs.ts';
import { normaliseForKey } from '../../src/language/normalise.ts';
import { anyText } from './texts.ts';

describe('texts that differ in encoding alone share a key', () => {
  test.each([
    ['a tsheg that no line ends after', 'བོད\u0f0cཡིག', 'བོད་ཡིག'],
    ['om as one character and in parts', '\u0f00་མ་ཎི', '\u0f68\u0f7c\u0f7e་མ་ཎི'],
    ['long vocalic r', 'ཀ\u0f77', 'ཀ\u0fb2\u0f71\u0f80'],
    ['long vocalic r, half composed', 'ཀ\u0f77', 'ཀ\u0fb2\u0f81'],
    ['long vocalic l', 'ཀ\u0f79', 'ཀ\u0fb3\u0f71\u0f80'],
    ['anusvara typed before a long vowel', 'ཧ\u0f7e\u0f71\u0f74', 'ཧ\u0f75\u0f7e'],
    ['a vowel typed before what is subjoined', 'ས\u0f72\u0f90', 'ས\u0f90\u0f72'],
    ['ee as two e', 'ཀ\u0f7a\u0f7a', 'ཀ\u0f7b'],
    ['oo as two o', 'ཀ\u0f7c\u0f7c', 'ཀ\u0f7d'],
    ['a tsheg typed twice', 'བོད་་ཡིག', 'བོད་ཡིག'],
    ['two kinds of tsheg, one after the other', 'བོད་༌ཡིག', 'བོད་ཡིག'],
    ['a double shad and two', 'བོད༎', 'བོད།།'],
    ['the fixed form of a subjoined wa', 'ཀ\u0fba', 'ཀ\u0fad'],
    ['the fixed form of a subjoined ya', 'ཀ\u0fbb', 'ཀ\u0fb1'],
    ['the fixed form of a subjoined ra', 'ཀ\u0fbc', 'ཀ\u0fb2'],
    ['Kangxi radicals', '我⾃⼰的⼈⽣⼀路⾛来', '我自己的人生一路走来'],
    ['radicals of the supplement', '⻓⻛⻢⻔⻋⻅⻉⻚⻜⻝⻤⻥⻦⻨⻬⻰', '长风马门车见贝页飞食鬼鱼鸟麦齐龙'],
    ['both forms of mother', '⺟', '母'],
    ['the simplified turtle', '⻳', '龟'],
    ['strokes', '㇐㇑㇔', '一丨丶'],
    ['numerals that look like ideographs', '〸〹〺', '十卄卅'],
    ['compatibility ideographs', '\uf90a\uf98e\ufa10', '金年塚'],
    ['compatibility ideographs of the second block', '\u{2f804}\u{2f833}', '你卿'],
    ['kinds of line break', 'བོད\r\nཡིག\rམི', 'བོད\nཡིག\nམི'],
    ['kinds and number of spaces', 'བོད།\u00a0 \u3000ཡིག', 'བོད། ཡིག'],
    ['white space around', '\n 中文\t\n', '中文'],
    ['characters that are not seen', '\ufeffབོད\u200b་ཡི\u2060ག', 'བོད་ཡིག'],
    ...[...'\u00ad\u034f\u061c\u180e\u200c\u200d\u200e\u200f\u202a\u202e\u2066\u2069\u{e0001}\ufe0f'].map(
      (unseen) => [
        `U+${unseen.codePointAt(0)?.toString(16)} between letters`,
        `བོད${unseen}་中${unseen}文`,
        'བོད་中文',
      ],
    ),
    ['spaces at a line end', 'བོད། \t\nཡིག', 'བོད།\nཡིག'],
    ['a tab and a space', '中\t文', '中 文'],
    ['a joiner beside an emoji alone', '中\u200d👍\u200d文', '中👍文'],
    ['an unseen character inside a sequence', 'ཀ\u0f71\u200b\u0f72', 'ཀ\u0f73'],
  ])('%s', (_, one, other) => {
    expect(normaliseForKey(one)).toBe(normaliseForKey(other));
  });
});

describe('texts that a reader tells apart do not', () => {
  test.each([
    ['a letter', 'བོད', 'བོན'],
    ['a long vowel', 'ཀ\u0f71\u0f72', 'ཀ\u0f72'],
    ['anusvara and candrabindu', 'ཧ\u0f7e', 'ཧ\u0f83'],
    ['the stack that a vowel stands on', 'ཀི་ཁ', 'ཀ་ཁི'],
    ['where a syllable ends', 'དགའ', 'དག་འ'],
    ['a shad', 'བོད།', 'བོད'],
    ['one shad and two', 'བོད།', 'བོད།།'],
    ['e and ee', 'ཀ\u0f7a', 'ཀ\u0f7b'],
    ['the order of subjoined letters', 'ཀ\u0fb2\u0fb1', 'ཀ\u0fb1\u0fb2'],
    ['a line break that has a sense', '目录\n第一章', '目录第一章'],
    ['a line break between two sentences', '我不要\n你去', '我不要你去'],
    ['a line break between two Tibetan names', 'ཨ་མ\nའགྲོ་དགོས', 'ཨ་མ་འགྲོ་དགོས'],
    [
      'a line break after a long line',
      `${'今天我们去拉萨'.repeat(6)}。\n好`,
      `${'今天我们去拉萨'.repeat(6)}。好`,
    ],
    ['a list and its names in a row', '扎西\n卓玛\n次仁\n白玛', '扎西卓玛次仁白玛'],
    ['an empty line', 'བོད།\n\nཡིག', 'བོད།\nཡིག'],
    ['a space', '中 文', '中文'],
    ['upper case', 'Bod', 'bod'],
    ['simplified and traditional', '汉', '漢'],
    ['width of a mark', '！', '!'],
    ['full and half width', 'ＡＢＣ１２３', 'ABC123'],
    ['an ideograph and another', '己', '已'],
    ['an ideograph and one of its parts', '亻', '人'],
    ['a family and its members', '👨‍👩‍👧', '👨👩👧'],
    ['text and emoji style', '❤\ufe0f', '❤'],
    ['a heart on fire, and the two', '❤️\u200d🔥', '❤️🔥'],
    ['the flags of two regions', '🏴\u{e0067}\u{e0062}\u{e007f}', '🏴'],
    ['a digit in its key, and a keyless one', '1\ufe0f\u20e3', '1'],
    ['fixed and common form of ra', '\u0f6aཀ', 'རཀ'],
  ])('%s', (_, one, other) => {
    expect(normaliseForKey(one)).not.toBe(normaliseForKey(other));
  });
});

test('canonically equal texts share a key, and the form is stable', () => {
  const marks = fc.string({
    unit: fc.constantFrom(
      ...'ཀཧཨ\u0f71\u0f72\u0f73\u0f74\u0f75\u0f76\u0f77\u0f78\u0f79\u0f7c\u0f7e\u0f80\u0f81\u0f83\u0f39\u0fb7\u0f42\u0f43\u0f69\u0fa2é',
    ),
  });
  fc.assert(
    fc.property(fc.oneof(anyText, marks), (text) => {
      const key = normaliseForKey(text);
      expect(normaliseForKey(text.normalize('NFD'))).toBe(key);
      expect(normaliseForKey(key)).toBe(key);
    }),
    { numRuns: 1000 },
  );
});

test('what looks like an ideograph stands for one, and nothing else changes', () => {
  const all = Array.from({ length: 0x30000 }, (_, code) => String.fromCodePoint(code)).filter((sign) =>
    sign.isWellFormed(),
  );
  const changed = all.filter((sign) => inIdeographs(sign) !== sign);
  const [first] = changed;
  expect(first).toBe('⺁');
  for (const sign of changed) expect(inIdeographs(sign)).toMatch(/^\p{Unified_Ideograph}$/u);
  const radicals = all.filter((sign) => /\p{Radical}/u.test(sign));
  const unchanged = radicals.filter((sign) => inIdeographs(sign) === sign);
  // It is the sign of repetition, and no ideograph shows it.
  expect(unchanged).toEqual(['⺀']);
  expect(inIdeographs(inIdeographs(all.join('')))).toBe(inIdeographs(all.join('')));
});

const MARKS = [...'\u0f71\u0f72\u0f74\u0f7a\u0f7c\u0f80\u0f7e\u0f83\u0f7f\u0f39\u0f35\u0f37\u0f84'];
const stack = fc.record({
  letters: fc
    .tuple(fc.constantFrom(...'ཀཁགངསརཧཨ'), fc.constantFrom('', '\u0f90', '\u0fb1', '\u0fb2\u0fad'))
    .map((both) => both.join('')),
  marks: fc.subarray(MARKS),
});
const stacks = fc.array(stack, { minLength: 1, maxLength: 5 });
type Stack = { readonly letters: string; readonly marks: readonly string[] };
const written = (all: readonly Stack[]): string =>
  all.map(({ letters, marks }) => letters + marks.join('')).join('་');

test('the marks of a stack may be typed in any order', () => {
  const twice = stacks.chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.tuple(
        ...all.map(({ letters, marks }) =>
          fc
            .shuffledSubarray([...marks], { minLength: marks.length })
            .map((shuffled) => ({ letters, marks: shuffled })),
        ),
      ),
    ),
  );
  fc.assert(
    fc.property(twice, ([one, other]) => {
      expect(normaliseForKey(written(other))).toBe(normaliseForKey(written(one)));
    }),
  );
});

test('texts of other letters, or of other marks on a letter, never share a key', () => {
  const spelling = (all: readonly Stack[]): string =>
    all.map(({ letters, marks }) => letters + [...marks].sort().join('')).join('་');
  fc.assert(
    fc.property(stacks, stacks, (one, other) => {
      fc.pre(spelling(one) !== spelling(other));
      expect(normaliseForKey(written(one))).not.toBe(normaliseForKey(written(other)));
    }),
    { numRuns: 1000 },
  );
});
