/** Parses the pages of a document that people ask for: `3-12`, `5`, `1,3,7-9`, `pages 3 to 12`, 第三至十二页, ཤོག་ངོས་ ༣-༡༢. */
import {
  LANGUAGE_NAMES,
  parseBothLanguages,
  parseReadingLanguage,
  readingLanguageIn,
} from './reading-language.ts';
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

/** Words that stand beside page numbers. Any other word means that the numbers are none. */
const PAGE_WORDS =
  /(?<!\p{L})(?:pages?|pp?\.?|please|read|only|in|from)(?!\p{L})|[第页頁请請读讀只用]|ཤོག(?:་(?:ངོས|གྲངས|ལྷེ|བུ))?་?|བར(?:་དུ)?་?/giu;
const DASHES = /\s*(?:[-–—−‐‑~～〜至到]|(?<!\p{L})to(?!\p{L})|་?ནས་?)\s*/giu;
const SEPARATORS = /[\s,，、;；:.。་།&()[\]【】]+|(?<!\p{L})and(?!\p{L})|和/giu;
/** Where a language may end and pages begin, also without a space: 中文3-12. */
const BETWEEN_TOKENS = /[\s,、:()[\]【】]+|(?<=[\p{L}\p{M}])(?=\p{N})|(?<=\p{N})(?=\p{L})/u;
const RANGE = /^(\d{1,7})(-(\d{1,7})?)?$/u;
const CHINESE_DIGITS = '一二三四五六七八九';
/** A number up to 99 in Chinese. */
const CHINESE_NUMBER = new RegExp(`([${CHINESE_DIGITS}]?)十([${CHINESE_DIGITS}]?)|[${CHINESE_DIGITS}]`, 'gu');
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
  const tokens = words.normalize('NFKC').split(BETWEEN_TOKENS);
  const languages = tokens.flatMap((token) => parseReadingLanguage(token) ?? []);
  const others = tokens.filter((token) => token !== '' && parseReadingLanguage(token) === undefined);
  const rest = others.filter((token) => parseBothLanguages(token) === undefined);
  const isInBoth = rest.length < others.length;
  const language = languages[0] ?? (isInBoth ? undefined : readingLanguageIn(words));
  const pages = plainNumbers(withoutName(rest.join(' '), language));
  const ranges = pages === '' ? undefined : rangesIn(pages);
  const isRead = language !== undefined || isInBoth;
  return { language, isInBoth, ranges, areUnderstood: pages === '' ? isRead : ranges !== undefined };
}

/** Takes the name of a language out of a phrase without spaces: 用中文读第3页. */
function withoutName(words: string, language: Language | undefined): string {
  if (language === undefined) return words;
  // The longest first, since one name can begin with another. A single character may belong to another word.
  const names = LANGUAGE_NAMES[language].filter((name) => name.length > 1 && !/[a-z]/u.test(name));
  return names
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, name) => left.replaceAll(name, ' '), words);
}

/** Numbers and ranges in ASCII with spaces between them, and whatever words are no page words. */
function plainNumbers(words: string): string {
  const isOfPages = /[第页頁]/u.test(words);
  return (isOfPages ? withoutChineseNumbers(words) : words)
    .replace(/[༠-༩]/gu, (digit) => String((digit.codePointAt(0) ?? 0) - TIBETAN_ZERO))
    .replace(PAGE_WORDS, ' ')
    .replace(DASHES, '-')
    .replace(SEPARATORS, ' ')
    .trim();
}

function withoutChineseNumbers(words: string): string {
  const digit = (character: string): number => (character === '' ? 0 : CHINESE_DIGITS.indexOf(character) + 1);
  return words.replace(CHINESE_NUMBER, (found, tens?: string, ones?: string) => {
    const number = tens === undefined ? digit(found) : (digit(tens) || 1) * 10 + digit(ones ?? '');
    return ` ${number} `;
  });
}

/** Whether words beside a picture or a document only say how to read it: in which language, or which pages. */
export function sayHowToRead(words: string): boolean {
  return parseReadingLanguage(words) !== undefined || documentWords(words).areUnderstood;
}

function rangesIn(numbers: string): PageRange[] | undefined {
  const ranges: PageRange[] = [];
  for (const part of numbers.split(/ +/u)) {
    const match = RANGE.exec(part);
    if (match === null) return undefined;
    const [, first = '', dash, last] = match;
    const from = Number(first);
    const to = dash === undefined ? from : last === undefined ? Number.MAX_SAFE_INTEGER : Number(last);
    ranges.push(to < from ? [to, from] : [from, to]);
  }
  return ranges;
}
