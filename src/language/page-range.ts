/** Parses the pages of a document that people ask for: `3-12`, `5`, `1,3,7-9`, 第3至12页, ཤོག་ངོས་ ༣-༡༢. */
import { parseBothLanguages, parseReadingLanguage } from './reading-language.ts';
import type { Language } from './script.ts';

/** The first and the last page, counted from 1, as asked for; they may not exist. */
export type PageRange = readonly [from: number, to: number];

interface DocumentWords {
  readonly language: Language | undefined;
  /** Read it in both languages. */
  readonly isInBoth: boolean;
  /** Undefined for all pages. */
  readonly ranges: readonly PageRange[] | undefined;
  /** The words say nothing else. */
  readonly areUnderstood: boolean;
}

const PAGE_WORDS = /(?<!\p{L})(?:pages?|pp?\.?)(?=[\s\d]|$)|[第页頁]|ཤོག(?:་(?:ངོས|གྲངས|ལྷེ|བུ))?་?/giu;
const DASHES = /\s*[-–—−‐‑~～〜至到]\s*/gu;
const SEPARATORS = /[\s,，、;；.。་།&]+|(?<!\p{L})and(?!\p{L})|和/giu;
const RANGE = /^(\d{1,7})(-(\d{1,7})?)?$/u;
const TIBETAN_ZERO = 0x0f20;
/** Longer words do not choose pages, in UTF-16 units. */
const LONGEST = 300;

/** Parses words beside a document: the language to read it in, and its pages. */
export function documentWords(words: string): DocumentWords {
  const nothing = {
    language: undefined,
    isInBoth: false,
    ranges: undefined,
    areUnderstood: words.trim() === '',
  };
  if (nothing.areUnderstood || words.length > LONGEST) return nothing;
  const tokens = words.normalize('NFKC').split(/\s+/u);
  const languages = tokens.flatMap((token) => parseReadingLanguage(token) ?? []);
  const others = tokens.filter((token) => token !== '' && parseReadingLanguage(token) === undefined);
  const rest = others.filter((token) => parseBothLanguages(token) === undefined);
  const ranges = rangesIn(rest.join(' '));
  return {
    language: languages[0],
    isInBoth: rest.length < others.length,
    ranges,
    areUnderstood: rest.length === 0 || ranges !== undefined,
  };
}

function rangesIn(words: string): PageRange[] | undefined {
  const plain = words
    .replace(/[༠-༩]/gu, (digit) => String((digit.codePointAt(0) ?? 0) - TIBETAN_ZERO))
    .replace(PAGE_WORDS, ' ')
    .replace(DASHES, '-')
    .replace(SEPARATORS, ' ')
    .trim();
  if (plain === '') return undefined;
  const ranges: PageRange[] = [];
  for (const part of plain.split(/ +/u)) {
    const match = RANGE.exec(part);
    if (match === null) return undefined;
    const [, first = '', dash, last] = match;
    const from = Number(first);
    const to = dash === undefined ? from : last === undefined ? Number.MAX_SAFE_INTEGER : Number(last);
    ranges.push(to < from ? [to, from] : [from, to]);
  }
  return ranges;
}
