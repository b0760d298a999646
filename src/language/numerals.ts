/** Numbers in Chinese and Tibetan words, up to 999, and in Tibetan digits: 一百零五, 一〇五, ཉི་ཤུ་རྩ་གསུམ, བཅོ་ལྔ་པ, ༡༢. */
import { words } from './names.ts';

/** A digit; a unit, which multiplies the digit before it; or a Tibetan link, which says the tens unless they were said: སོ་གཅིག is 31. */
interface NumberPart {
  readonly kind: 'digit' | 'unit' | 'link';
  readonly value: number;
}

/** From 0 on. */
const DIGITS = words('零/〇 一/གཅིག/དང་པོ 二/两/兩/གཉིས/ཉི/ཉིས 三/གསུམ/སུམ 四/བཞི 五/ལྔ 六/དྲུག 七/བདུན 八/བརྒྱད 九/དགུ');
/** From 20 on, in tens. */
const LINKS = words('རྩ/ཉེར སོ ཞེ ང རེ དོན གྱ གོ');

const partsOf = (kind: NumberPart['kind'], value: number, written: string) =>
  written.split('/').map((word) => [word, { kind, value }] as const);

const PARTS = new Map<string, NumberPart>([
  ...DIGITS.flatMap((written, value) => partsOf('digit', value, written)),
  ...partsOf('unit', 10, '十/བཅུ/བཅོ/ཅུ/ཤུ'),
  ...partsOf('unit', 100, '百/བརྒྱ'),
  ...LINKS.flatMap((written, index) => partsOf('link', 20 + 10 * index, written)),
]);

const CHINESE_NUMBER = /[零〇一二两兩三四五六七八九十百]+/gu;
const SYLLABLE = `(?:${[...PARTS.keys()].join('|')})(?![\\p{L}\\p{M}])`;
const TIBETAN_PART = new RegExp(SYLLABLE, 'gu');
/** With the ending of an ordinal. */
const TIBETAN_NUMBER = new RegExp(
  `(?<![\\p{L}\\p{M}])${SYLLABLE}(?:་${SYLLABLE})*(?:་པ(?![\\p{L}\\p{M}]))?་?`,
  'gu',
);
const TIBETAN_ZERO = 0x0f20;

/** Puts numbers in ASCII digits, set apart by spaces, in the place of words. */
export function withoutNumberWords(text: string): string {
  return text
    .replace(CHINESE_NUMBER, (found) => ` ${sumOf([...found])} `)
    .replace(TIBETAN_NUMBER, (found) => {
      const said = found.match(TIBETAN_PART) ?? [];
      return said.every((word) => PARTS.get(word)?.kind === 'link') ? found : ` ${sumOf(said)} `;
    });
}

export function withAsciiDigits(text: string): string {
  return text.replace(/[༠-༩]/gu, (digit) => String((digit.codePointAt(0) ?? 0) - TIBETAN_ZERO));
}

/** Digits without a unit stand one after another, as in 一〇五. */
function sumOf(said: readonly string[]): number {
  let [sum, digits] = [0, 0];
  for (const { kind, value } of said.flatMap((word) => PARTS.get(word) ?? [])) {
    if (kind === 'digit') digits = digits * 10 + value;
    else if (kind === 'link') sum += sum % 100 < 10 ? value : 0;
    else {
      sum += (digits || 1) * value;
      digits = 0;
    }
  }
  return sum + digits;
}
