/** Numbers in Chinese and Tibetan words, up to 999, and in Tibetan digits: 一百零五, 一〇五, ཉི་ཤུ་རྩ་གསུམ, བཅོ་ལྔ་པ, ༡༢. */

/** A digit; a unit, which multiplies the digit before it; or a Tibetan link, which says the tens unless they were said: སོ་གཅིག is 31. */
interface NumberPart {
  readonly kind: 'digit' | 'unit' | 'link';
  readonly value: number;
}

const CHINESE = new Map<string, NumberPart>([
  ...[...'零一二三四五六七八九'].map((word, value) => [word, { kind: 'digit', value }] as const),
  ['〇', { kind: 'digit', value: 0 }],
  ['两', { kind: 'digit', value: 2 }],
  ['兩', { kind: 'digit', value: 2 }],
  ['十', { kind: 'unit', value: 10 }],
  ['百', { kind: 'unit', value: 100 }],
]);

const TIBETAN_DIGITS = [
  ...['གཅིག', 'གཉིས', 'གསུམ', 'བཞི', 'ལྔ', 'དྲུག', 'བདུན', 'བརྒྱད', 'དགུ'].map(
    (word, index) => [word, index + 1] as const,
  ),
  ['དང་པོ', 1] as const,
  ['ཉི', 2] as const,
  ['ཉིས', 2] as const,
  ['སུམ', 3] as const,
];
const TIBETAN = new Map<string, NumberPart>([
  ...TIBETAN_DIGITS.map(([word, value]) => [word, { kind: 'digit', value }] as const),
  ...['བཅུ', 'བཅོ', 'ཅུ', 'ཤུ'].map((word) => [word, { kind: 'unit', value: 10 }] as const),
  ['བརྒྱ', { kind: 'unit', value: 100 }],
  ['ཉེར', { kind: 'link', value: 20 }],
  ...['རྩ', 'སོ', 'ཞེ', 'ང', 'རེ', 'དོན', 'གྱ', 'གོ'].map(
    (word, index) => [word, { kind: 'link', value: 20 + 10 * index }] as const,
  ),
]);

const CHINESE_NUMBER = new RegExp(`[${[...CHINESE.keys()].join('')}]+`, 'gu');
const SYLLABLE = `(?:${[...TIBETAN.keys()].join('|')})(?![\\p{L}\\p{M}])`;
const TIBETAN_PART = new RegExp(SYLLABLE, 'gu');
/** With the ending of an ordinal. */
const TIBETAN_NUMBER = new RegExp(
  `(?<![\\p{L}\\p{M}])${SYLLABLE}(?:་${SYLLABLE})*(?:་པ(?![\\p{L}\\p{M}]))?་?`,
  'gu',
);
const TIBETAN_ZERO = 0x0f20;

/** Puts numbers in ASCII digits, set apart by spaces, in the place of words. */
export function withoutNumberWords(words: string): string {
  return words
    .replace(
      CHINESE_NUMBER,
      (found) => ` ${chineseNumber([...found].flatMap((one) => CHINESE.get(one) ?? []))} `,
    )
    .replace(TIBETAN_NUMBER, (found) => {
      const said = (found.match(TIBETAN_PART) ?? []).flatMap((one) => TIBETAN.get(one) ?? []);
      return said.every(({ kind }) => kind === 'link') ? found : ` ${sumOf(said)} `;
    });
}

export function withAsciiDigits(words: string): string {
  return words.replace(/[༠-༩]/gu, (digit) => String((digit.codePointAt(0) ?? 0) - TIBETAN_ZERO));
}

/** Without a unit, digits stand one after another, as in 一〇五. */
function chineseNumber(said: readonly NumberPart[]): number {
  if (said.some(({ kind }) => kind === 'unit')) return sumOf(said);
  return Number(said.map(({ value }) => value).join(''));
}

function sumOf(said: readonly NumberPart[]): number {
  let [sum, digit] = [0, 0];
  for (const { kind, value } of said) {
    if (kind === 'digit') digit = value;
    else if (kind === 'link') sum += sum % 100 < 10 ? value : 0;
    else {
      sum += (digit || 1) * value;
      digit = 0;
    }
  }
  return sum + digit;
}
