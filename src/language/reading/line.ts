/** A line of a page, measured: what stands at its end and joins it with the next, and its width in each way in which a page may be broken. */
import type { Beginning } from './list.ts';

/** The shad and its kinds. */
const SHAD = '\u0f0d-\u0f12\u0f14';
const ENDS_IN_SHAD = new RegExp(`(?:[${SHAD}]|(?<=[\\p{Script=Tibetan}\\s])\\|)["'”’»)\\]\\s་༌]*$`, 'u');
const ENDS_WITH_SHAD = new RegExp(`[${SHAD}|]$`, 'u');
const ENDS_BARE = /\p{Script=Tibetan}$/u;
/** After these letters, and after this sign of mantras, no shad is written; a space alone ends the phrase. */
export const ENDS_WITHOUT_SHAD = /[ཀགཿ]$/u;
const ENDS_SENTENCE =
  /(?:[。！？：；…｡]|(?<=\p{Script=Han})[;:]|[.!?](?=["'”’“‘」』）)]*$))["'”’“‘」』）)】》]*$/u;
/** A line of Chinese verse may also end in a comma. */
const ENDS_IN_PUNCTUATION = /[，、。！？；：…,.!?;:]["'”’」』）)】》]*$/u;

/** A page number, a date or the time of a message. */
const NUMBER_ALONE =
  /^[\s\-–—·•.~()（）|]*(?:第|p\.?|上午|下午|凌晨|晚上|昨天|今天)?\s{0,40}[\d༠-༩０-９][\d༠-༩０-９\s:：.\-/年月日]{0,40}(?:页|頁|[AP]M|am|pm)?[\s\-–—·•.~()（）|]*$/iu;

/** No such number is longer, in UTF-16 units. */
const MAX_NUMBER_LENGTH = 40;

export function isNumberAlone(text: string): boolean {
  return text.length <= MAX_NUMBER_LENGTH && NUMBER_ALONE.test(text);
}

/** The position of a line on its page. Lengths are in em (the width of a Chinese character), so that pages can be compared. */
export interface LinePosition {
  readonly left: number;
  readonly right: number;
  /** The right edge of the lines with the same left edge. */
  readonly edge: number;
  /** Its indent from the leftmost line of its column. */
  readonly indent: number;
  /** Its distance from the line above, as a multiple of the usual one; 0 in a new column. */
  readonly gap: number;
  /** It stands above the line before. */
  readonly isNewColumn: boolean;
}

export interface Line {
  readonly text: string;
  /** Its width in each of `MEASURES`. */
  readonly widths: readonly number[];
  /** What would stand between it and the next line, if they stood on one line. */
  readonly gap: string;
  /** Its first unit (syllable, character or word), which would stand on the line before if there were room. */
  readonly first: string;
  readonly syllables: number;
  readonly isTibetan: boolean;
  /** Its end is the end of a phrase or sentence. */
  readonly isOver: boolean;
  /** The piece of verse that the line belongs to, and whether a line of verse ends with it. Undefined in prose. */
  readonly verse: { readonly piece: number; readonly isEnd: boolean } | undefined;
  readonly place: LinePosition | undefined;
  readonly begins: Beginning | undefined;
}

/** If fewer than this share of the lines end bare, recognition may have lost their tsheg by chance. */
const MIN_OF_BARE = 0.2;

/** Whether the page leaves out the tsheg at the end of a line: most of its lines that end within a phrase have none. */
export function dropsTshegAtEnd(lines: readonly string[]): boolean {
  const bare = lines.filter((line) => ENDS_BARE.test(line) && !/[ཀགཿ\u0f0b-\u0f14]$/u.test(line));
  if (bare.length < lines.length * MIN_OF_BARE) return false;
  return bare.length > lines.filter((line) => endsInTsheg(line)).length;
}

/** A tsheg after a shad, as some write it, ends the phrase all the same. */
export function endsInTsheg(text: string): boolean {
  return /[་༌]$/u.test(text) && !ENDS_WITH_SHAD.test(text.slice(0, -1).trimEnd());
}

type Side = 'tsheg' | 'shad' | 'opening' | 'tibetan' | 'han' | 'other';

function sideOf(character: string): Side {
  if (/[་༌]/u.test(character)) return 'tsheg';
  if (/[\u0f0d-\u0f14]/u.test(character)) return 'shad';
  if (/(?![༠-༩])\p{Script=Tibetan}/u.test(character)) return 'tibetan';
  if (/[\p{Script=Han}\u3000-\u303f\uff00-\uff60“”‘’…—]/u.test(character)) return 'han';
  return 'other';
}

/** What stands between two lines that are joined. `dropsTsheg`: see `dropsTshegAtEnd`. */
export function separatorBetween(line: string, next: string, dropsTsheg: boolean): string {
  // A shad after a space opens the next phrase.
  const before = /(?:^|\s)[།༎]$/u.test(line.slice(-2)) ? 'opening' : sideOf(/.$/su.exec(line)?.[0] ?? '');
  const after = sideOf(/^./su.exec(next)?.[0] ?? '');
  if (before === 'tibetan' && after === 'tibetan')
    return ENDS_WITHOUT_SHAD.test(line) && !dropsTsheg ? ' ' : '་';
  if (before === 'tibetan' && after === 'shad')
    return ENDS_WITHOUT_SHAD.test(line) ? ' ' : line.endsWith('ང') ? '་' : '';
  if (before === 'shad' || (before === 'opening' && after === 'shad')) return ' ';
  return before === 'han' || after === 'han' || before === 'tsheg' || before === 'opening' ? '' : ' ';
}

/** Whether the line ends a phrase, or in Chinese a clause. */
export function endsMarked({ text, isTibetan, isOver }: Line): boolean {
  return isOver || (!isTibetan && ENDS_IN_PUNCTUATION.test(text));
}

/** Whether a shad or a full stop ends the text. */
export function endsPhrase(text: string): boolean {
  return ENDS_IN_SHAD.test(text) || ENDS_SENTENCE.test(text);
}

/** `dropsTsheg`: see `dropsTshegAtEnd`. */
export function measureLine(
  text: string,
  dropsTsheg: boolean,
  place: LinePosition | undefined,
  begins: Beginning | undefined,
): Line {
  const first = FIRST_UNIT.exec(text)?.[0] ?? '';
  const isTibetan = ENDS_TIBETAN.test(text);
  const isOver = endsPhrase(text) || (!dropsTsheg && ENDS_WITHOUT_SHAD.test(text));
  const gap = !isTibetan ? '' : isOver ? ' ' : ENDS_BARE.test(text) ? '་' : '';
  return {
    text,
    widths: MEASURES.map((measure) => measure(text)),
    gap,
    first,
    syllables: text.match(SYLLABLE)?.length ?? 0,
    isTibetan,
    isOver,
    verse: undefined,
    place,
    begins,
  };
}

/** The first syllable with its tsheg or shad, the first Chinese character with the marks around it, or the first word. */
const FIRST_UNIT =
  /^(?:[\u0f0b-\u0f14]*[\p{Script=Tibetan}&&[^\u0f0b-\u0f14]]+[\u0f0b-\u0f14]*(?: [།༎༏༑༔]+(?=\s|$))*|[\p{Ps}\p{Pi}]*\p{Script=Han}[\p{Po}\p{Pe}\p{Pf}]*|[^\s\p{Script=Han}\p{Script=Tibetan}]+|.)/v;
const SYLLABLE = /[[\p{L}\p{M}]&&\p{Script=Tibetan}]+|\p{Script=Han}/gv;
const ENDS_TIBETAN = /[\p{Script=Tibetan}&&\p{L}][^\p{L}]*$/v;

/** Roughly, in em. */
export function printedWidth(text: string): number {
  let width = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.codePointAt(index) ?? 0;
    if (code > LAST_OF_ONE_UNIT) index += 1;
    width += WIDTHS[(KINDS[code] || kindOf(code)) - 1]?.[1] ?? 0;
  }
  return width;
}

const LAST_OF_ONE_UNIT = 0xffff;

/** In em, by kind of character. The marks of a stack take no room of their own. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/\p{M}/u, 0],
  [/[\p{Script=Han}\u3000-\u303f\uff00-\uff60]/u, 1],
  [/[\p{Script=Tibetan}&&\p{L}]/v, 0.65],
  [/[་༌།༔\s]/u, 0.22],
  [/./u, 0.5],
];
/** One more than the index of its kind, for each character met so far: measuring takes a third of the time. */
const KINDS = new Uint8Array(LAST_OF_ONE_UNIT + 1);

function kindOf(code: number): number {
  const character = String.fromCodePoint(code);
  const kind = 1 + WIDTHS.findIndex(([pattern]) => pattern.test(character));
  KINDS[code] = kind;
  return kind;
}

/** How a page may have been broken into lines: by width in print, in characters, or in UTF-16 units. A line is short only if it is by all three. */
export const MEASURES: readonly ((text: string) => number)[] = [
  printedWidth,
  (text) => text.replace(/\p{M}/gu, '').length,
  (text) => text.length,
];
