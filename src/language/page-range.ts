/**
 * Parses how people ask for a document to be read: its pages (`3-12`, `5`, `1,3,7-9`, `pages 3 to 12`, 第三至十二页, 最后一页, ཤོག་ངོས་གསུམ་པ),
 * its language, its password.
 */
import { withAsciiDigits, withoutNumberWords } from './numerals.ts';
import { languageNamedIn, parseBothLanguages, parseReadingLanguage } from './reading-language.ts';
import type { Language } from './script.ts';

/** The first and the last page, counted from 1, as asked for; they may not exist. Negative: counted from the end, -1 is the last page. */
export type PageRange = readonly [from: number, to: number];

/** In order. At most one page more than `most`, since a file may claim millions. */
export function chosenPages(
  ranges: readonly PageRange[] | undefined,
  pageCount: number,
  most: number,
): number[] {
  const fromStart = (number: number): number => (number < 0 ? pageCount + 1 + number : number);
  const chosen = new Set<number>();
  for (const [from, to] of ranges ?? [[1, pageCount]]) {
    const last = Math.min(fromStart(to), pageCount);
    for (let number = Math.max(1, fromStart(from)); number <= last && chosen.size <= most; number += 1)
      chosen.add(number);
  }
  return [...chosen].sort((one, other) => one - other);
}

export interface DocumentWords {
  readonly language: Language | undefined;
  /** Read it in both languages. */
  readonly isInBoth: boolean;
  /** Undefined for all pages. */
  readonly ranges: readonly PageRange[] | undefined;
  /** Recognise it, whatever text it has. */
  readonly isForced: boolean;
  readonly passwords: readonly Password[];
  /** The words say nothing else. */
  readonly areUnderstood: boolean;
}

export interface Password {
  readonly text: string;
  /** The pages that the words beside it choose; undefined for all. */
  readonly ranges: readonly PageRange[] | undefined;
}

const NAMED_PASSWORD =
  /(?:(?<!\p{L})(?:password|passwd|pwd|pw|pass)(?!\p{L})|密[码碼]|口令|གསང་(?:གྲངས|ཨང|ཚིག)་?)[ \u3000]{0,9}(?:is(?!\p{L})|[是为為:：=།]|ནི་?)?[ \u3000]{0,9}(\S+)/iu;
const QUOTES = /^["'“”‘’「『]+|(?<!["'“”‘’」』,.，。།])["'“”‘’」』,.，。།]+$/gu;
const FORCE =
  /(?<!\p{L})(?:ocr|scan(?:ned)?)(?!\p{L})|[识識][别別]|[扫掃]描|(?<![\p{L}\p{M}]་?)ཀློག(?![\p{L}\p{M}]|་[\p{L}\p{M}])་?/giu;

/** Words beside page numbers. With any other word the numbers are not pages. */
const PAGE_WORDS =
  /(?<!\p{L})(?:pages?|pp?\.?|please|read|only|in|from|the)(?!\p{L})|[第页頁请請读讀只用]|ཤོག(?:་(?:ངོས|གྲངས|ལྷེ|བུ))?་?|བར(?:་དུ)?་?/giu;
const DASHES = /(?<!\s)\s*(?:[-–—−‐‑~～〜至到]|\.{2,}|(?<!\p{L})to(?!\p{L})|་?ནས་?)\s*/giu;
const SEPARATORS = /[\s,，、;；:.。་།&()[\]【】]+|(?<!\p{L})and(?!\p{L})|和|དང་?/giu;
/** Where a language may end and pages begin, also without a space: 中文3-12. */
const BETWEEN_TOKENS = /[\s,、:()[\]【】]+|(?<=[\p{L}\p{M}])(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/u;
/** Without such a word, numbers are in digits, and nothing is counted from an end. */
const PAGES = /[第页頁]|ཤོག|(?<!\p{L})pages?(?!\p{L})/iu;
/** Pages counted from the beginning or from the end; `←1` is the last one. */
const COUNTED: readonly (readonly [RegExp, string])[] = [
  [/(?:(?<!\p{L})first|前)\s*(\d{1,7})/giu, ' 1-$1 '],
  [/(?<!\p{L})first(?!\p{L})/giu, ' 1 '],
  [/倒[数數]\s*第\s*(\d{1,7})/gu, ' ←$1 '],
  [/(?:(?<!\p{L})last|最?[后後]|末)\s*(?!1(?!\d))(\d{1,7})/giu, ' ←$1-←1 '],
  [/(?<!\p{L})last(?!\p{L})(?:\s*1)?|(?:最[后後]|末)(?:\s*1)?|(?:མཐའ|མཇུག)་མ(?![\p{L}\p{M}])་?/giu, ' ←1 '],
];
const RANGE = /^(←?\d{1,7})(-(←?\d{1,7})?)?$/u;
/** Of words that choose pages, in UTF-16 units. */
const MAX_LENGTH = 300;

/** Each takes a try to open the document. */
const MAX_PASSWORDS = 20;

export function documentWords(words: string): DocumentWords {
  const nothing = {
    language: undefined,
    isInBoth: false,
    ranges: undefined,
    isForced: false,
    passwords: [],
    areUnderstood: words.trim() === '',
  };
  if (nothing.areUnderstood || words.length > MAX_LENGTH) return nothing;
  const named = NAMED_PASSWORD.exec(words);
  const others = words.replace(named?.[0] ?? '', ' ');
  const left = others.replace(FORCE, ' ');
  const how = { isForced: left !== others, passwords: passwordsIn(words, named) };
  if (left.trim() === '') return { ...nothing, ...how, areUnderstood: true };
  return { ...how, ...languageAndPages(left) };
}

/** The word called a password; or each word that is no page, language or order, of which a locked document may be opened by any. */
function passwordsIn(words: string, named: RegExpExecArray | null): Password[] {
  const beside = (rest: string) => languageAndPages(rest.replace(FORCE, ' ')).ranges;
  if (named?.[1] !== undefined) {
    const ranges = beside(words.replace(named[0], ' '));
    const texts = new Set([named[1], named[1].replace(QUOTES, '')]);
    return Array.from(texts, (text) => ({ text, ranges }));
  }
  const all = words.trim().split(/\s+/u);
  const isOrder = (word: string): boolean => {
    const left = word.replace(FORCE, ' ');
    return left.trim() === '' || languageAndPages(left).areUnderstood;
  };
  // What looks like a page may be a password where it stands alone.
  const candidates = all.filter((word) => all.length === 1 || !isOrder(word)).slice(0, MAX_PASSWORDS);
  return candidates.flatMap((word) => {
    const ranges = beside(all.filter((other) => other !== word).join(' '));
    const texts = new Set([word, word.replace(QUOTES, '')]);
    return Array.from(texts, (text) => ({ text, ranges }));
  });
}

function languageAndPages(
  words: string,
): Pick<DocumentWords, 'language' | 'isInBoth' | 'ranges' | 'areUnderstood'> {
  const tokens = words.normalize('NFKC').split(BETWEEN_TOKENS);
  const languages = tokens.flatMap((token) => parseReadingLanguage(token) ?? []);
  const others = tokens.filter((token) => token !== '' && parseReadingLanguage(token) === undefined);
  const rest = others.filter((token) => parseBothLanguages(token) === undefined);
  const isInBoth = rest.length < others.length;
  const named = languages.length > 0 || isInBoth ? undefined : languageNamedIn(words);
  const language = languages[0] ?? named?.language;
  // The name may stand in a phrase without spaces: 用中文读第3页.
  const pages = plainNumbers(named === undefined ? rest.join(' ') : rest.join(' ').replace(named.name, ' '));
  const ranges = pages === '' ? undefined : rangesIn(pages);
  const isRead = language !== undefined || isInBoth;
  return { language, isInBoth, ranges, areUnderstood: pages === '' ? isRead : ranges !== undefined };
}

/** Numbers and ranges in ASCII with spaces between them, and whatever words are no page words. */
function plainNumbers(words: string): string {
  const isOfPages = PAGES.test(words);
  let left = withAsciiDigits(isOfPages ? withoutNumberWords(words) : words);
  if (isOfPages) for (const [counted, pages] of COUNTED) left = left.replace(counted, pages);
  return left.replace(PAGE_WORDS, ' ').replace(DASHES, '-').replace(SEPARATORS, ' ').trim();
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
    const from = numberOf(first);
    const to = dash === undefined ? from : last === undefined ? Number.MAX_SAFE_INTEGER : numberOf(last);
    ranges.push(to < from && to < 0 === from < 0 ? [to, from] : [from, to]);
  }
  return ranges;
}

/** Negative for a page counted from the end. */
const numberOf = (page: string): number => (page.startsWith('←') ? -Number(page.slice(1)) : Number(page));
