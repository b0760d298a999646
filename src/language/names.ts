/** Recognises names of languages, dialects and voices, however people type them. */

/** Accents, spaces, hyphens, apostrophes and tshegs, which make no difference in a name. */
const INSIGNIFICANT = /[\u0300-\u036f\s\p{Dash_Punctuation}\p{Format}_·'’‘ʼ\u0f0b\u0f0c]/gu;
const OPENING_BRACKETS = /^[([【〔༼]+/u;
/** Punctuation and brackets at the end of a name, shads included. */
const PUNCTUATION_AT_END = /(?<![,:、.。!)\]】〕༽\u0f0d-\u0f14])[,:、.。!)\]】〕༽\u0f0d-\u0f14]+$/u;

/** Longer than any name with the words beside it, in UTF-16 units. */
export const MAX_NAME_LENGTH = 60;

/** Traditional characters in names and words of people's requests, and the simplified ones that mean the same there. */
const TRADITIONAL = '衛薩則後樹慶壩爾蓋黃熱貢區語話來說講讀點種個譯幫雙兩漢國華現標準體簡請';
const SIMPLIFIED = '卫萨则后树庆坝尔盖黄热贡区语话来说讲读点种个译帮双两汉国华现标准体简请';
const IS_TRADITIONAL = new RegExp(`[${TRADITIONAL}]`, 'gu');

/** Keeps the length of the text. */
export function simplified(words: string): string {
  return words.replace(IS_TRADITIONAL, (one) => SIMPLIFIED.charAt(TRADITIONAL.indexOf(one)));
}

/** `Ü-Tsang`, `(u:tsang)` and `ｕ ｔｓａｎｇ` give `utsang`; `དབུས་གཙང་།` gives `དབུསགཙང`, `衛藏` gives `卫藏`. Empty if too long for a name. */
export function folded(name: string): string {
  if (name.length > MAX_NAME_LENGTH) return '';
  return simplified(name)
    .normalize('NFKD')
    .replace(INSIGNIFICANT, '')
    .replace(OPENING_BRACKETS, '')
    .replace(PUNCTUATION_AT_END, '')
    .toLowerCase()
    .replace(/^u:/u, 'u'); // as German keyboards spell ü
}

/** `list`: parted by white space; a hyphen in it counts as a space. */
export function words(list: string): string[] {
  return list.trim().split(/\s+/u);
}

/** A regular expression's group of any of these names, folded. */
export function anyOf(names: readonly string[]): string {
  return `(?:${names.map(folded).join('|')})`;
}

/** Undefined for an unknown name. If two values share a name, the later one has it. */
export function createNameParser<V>(
  values: readonly V[],
  namesOf: (value: V) => readonly string[],
): (word: string) => V | undefined {
  const known = new Map(
    values.flatMap((value) => namesOf(value).map((name) => [folded(name), value] as const)),
  );
  return (word) => known.get(folded(word));
}
