/** A line of a page as it is judged: what stands at its end, how wide it is in each of the ways in which a page may have been measured. */
import type { Place } from './page-layout.ts';

/** The marks that end a phrase in Tibetan: the shad and its kinds. */
const SHAD = '\u0f0d-\u0f12\u0f14';
const ENDS_IN_SHAD = new RegExp(`(?:[${SHAD}]|(?<=[\\p{Script=Tibetan}\\s])\\|)["'”’»)\\]\\s་༌]*$`, 'u');
export const ENDS_IN_TSHEG = new RegExp(`(?<![${SHAD}|]\\s*)[་༌]$`, 'u');
const ENDS_BARE = /\p{Script=Tibetan}$/u;
/** After these letters the shad is not written, where nothing but a space follows. */
export const ENDS_IN_GA = /[ཀག]$/u;
const ENDS_SENTENCE =
  /(?:[。！？：；…｡]|(?<=\p{Script=Han})[;:]|[.!?](?=["'”’“‘」』）)]*$))["'”’“‘」』）)】》]*$/u;
/** Verse in Chinese ends its lines in a comma, too. */
const ENDS_IN_PUNCTUATION = /[，、。！？；：…,.!?;:]["'”’」』）)】》]*$/u;

/** A page number, a date, the time of a message: stands for itself. */
const NUMBER_ALONE =
  /^[\s\-–—·•.~()（）|]*(?:第|p\.?|上午|下午|凌晨|晚上|昨天|今天)?\s*[\d༠-༩０-９][\d༠-༩０-９\s:：.\-/年月日]*(?:页|頁|[AP]M|am|pm)?[\s\-–—·•.~()（）|]*$/iu;

/** No number that stands for itself is longer, in UTF-16 units. */
const LONGEST_NUMBER = 40;

/** A page number, a date, the time of a message. */
export function isNumberAlone(text: string): boolean {
  return text.length <= LONGEST_NUMBER && NUMBER_ALONE.test(text);
}

/** A line as it is judged. */
export interface Line {
  readonly text: string;
  /** In each of the measures. */
  readonly widths: readonly number[];
  /** Without the marks at its end, which may hang over the edge. */
  readonly leastWidths: readonly number[];
  /** Of what would have stood between it and the next one. */
  readonly gapWidths: readonly number[];
  /** Of what would have stood next on the line before, had there been room: the first syllable, character or word. */
  readonly firstWidths: readonly number[];
  readonly syllables: number;
  readonly isTibetan: boolean;
  /** A phrase or sentence is over at its end. */
  readonly isOver: boolean;
  /** Undefined in prose. */
  readonly verse: { readonly piece: number; readonly isEnd: boolean } | undefined;
  readonly place: Place | undefined;
}

/** Fewer than such a share of the lines may have lost by chance what stands at their end. */
const LEAST_OF_BARE = 0.2;

/** Whether the tsheg at the end of a line is not on the page: most lines that end within a phrase do so without one. */
export function areBareAtEnd(lines: readonly string[]): boolean {
  const bare = lines.filter((line) => ENDS_BARE.test(line) && !/[ཀག\u0f0b-\u0f14]$/u.test(line));
  if (bare.length < lines.length * LEAST_OF_BARE) return false;
  return bare.length > lines.filter((line) => ENDS_IN_TSHEG.test(line)).length;
}

/** A phrase is over at its end; in Chinese verse that may be a clause. */
export function endsMarked({ text, isTibetan, isOver }: Line): boolean {
  return isOver || (!isTibetan && ENDS_IN_PUNCTUATION.test(text));
}

/** `dropsTsheg`: see `areBareAtEnd`. */
export function judgeLine(text: string, dropsTsheg: boolean, place: Place | undefined): Line {
  const first = FIRST_UNIT.exec(text)?.[0] ?? '';
  const isTibetan = ENDS_TIBETAN.test(text);
  const isOver =
    ENDS_IN_SHAD.test(text) || ENDS_SENTENCE.test(text) || (!dropsTsheg && ENDS_IN_GA.test(text));
  const gap = !isTibetan ? '' : isOver ? ' ' : ENDS_BARE.test(text) ? '་' : '';
  const least = text.replace(MAY_HANG, '');
  return {
    text,
    widths: MEASURES.map((measure) => measure(text)),
    leastWidths: MEASURES.map((measure) => measure(least)),
    gapWidths: MEASURES.map((measure) => measure(gap)),
    firstWidths: MEASURES.map((measure) => measure(first)),
    syllables: text.match(SYLLABLE)?.length ?? 0,
    isTibetan,
    isOver,
    verse: undefined,
    place,
  };
}

/** What must not begin a line stands at the end of the one before, though there is no room. */
const MAY_HANG = /(?:(?<=\p{Script=Han})[\p{Po}\p{Pe}\p{Pf}…—]+|(?<=[།༎]) ?[།༎]+)$/u;

/** The first syllable with its tsheg or shad, the first Chinese character with what must not begin a line, or the first word. */
const FIRST_UNIT =
  /^(?:[\u0f0b-\u0f14]*[\p{Script=Tibetan}&&[^\u0f0b-\u0f14]]+[\u0f0b-\u0f14]*(?: ?[།༎༏༑༔]+(?=\s|$))*|[\p{Ps}\p{Pi}]*\p{Script=Han}[\p{Po}\p{Pe}\p{Pf}]*|[^\s\p{Script=Han}\p{Script=Tibetan}]+|.)/v;
const SYLLABLE = /[[\p{L}\p{M}]&&\p{Script=Tibetan}]+|\p{Script=Han}/gv;
const ENDS_TIBETAN = /[\p{Script=Tibetan}&&\p{L}][^\p{L}]*$/v;

/** Roughly in ems: the marks of a stack take no room of their own. */
export function printedWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    if (/[\p{Script=Han}\u3000-\u303f\uff00-\uff60]/u.test(character)) width += 1;
    else if (/[\p{Script=Tibetan}&&\p{L}]/v.test(character)) width += 0.65;
    else if (/[་༌།༔\s]/u.test(character)) width += 0.22;
    else width += 0.5;
  }
  return width;
}

/** How a page may have been measured that was broken: by a printer, in characters, in code points. A line is short in all or not at all. */
export const MEASURES: readonly ((text: string) => number)[] = [
  printedWidth,
  (text) => text.replace(/\p{M}/gu, '').length,
  (text) => text.length,
];
