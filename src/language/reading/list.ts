/** Finds the lines that begin with the mark or the number of a list, a chapter or a text. */
import { withAsciiDigits, withoutNumberWords } from '../numerals.ts';

/** `item`: several lines begin with equal marks or consecutive numbers. `mark`: the line begins with a mark or number alone. */
export type Beginning = 'item' | 'mark';

const BULLET = /^(?:[•·●○■□◆◇▪▫▶►★☆※✓✔‣⁃◦]|[*+–—-](?=\s))/u;
/** Begins a chapter or a text, but counts nothing. */
const HEAD = /^[【༁-༇༈༓]/u;
/** A number in one character. */
const ENCLOSED = /^[①-⒛㈠-㈩㊀-㊉❶-❿]/u;
const CHAPTER = /^第([\d零〇一二三四五六七八九十百]{1,5})([章节節条條回课課卷篇编編讲講])/u;
/** A number or a letter, with what stands around it, in normal form KC: wide characters are narrow. */
const NUMBERED =
  /^([([【〔《༼]?)(\d{1,5}|[༠-༩]{1,5}|[一二三四五六七八九十百]{1,4}|[a-z](?!\s)|[ཀ-ཨ](?![\s།]))([)\]】〕》༽、]|[.:](?!\d)|[\s།])/iu;
/** Its maximum length, in UTF-16 units. */
const MAX_LENGTH = 8;

interface Start {
  /** The same for the lines of a list; undefined if such lines make no list. */
  readonly style?: string;
  /** Its place among those of its style; undefined for equal marks. */
  readonly place?: number;
}

/** Items of a list may run over several lines. */
export function beginningsOf(lines: readonly string[]): (Beginning | undefined)[] {
  const starts = lines.map(startOf);
  const items = new Set<Start>();
  for (const [style, alike] of Map.groupBy(starts, (start) => start?.style)) {
    if (style === undefined) continue;
    for (const [index, start] of alike.entries()) {
      const before = alike[index - 1];
      if (start === undefined || before === undefined) continue;
      if (before.place === undefined || start.place === before.place + 1) items.add(before).add(start);
    }
  }
  return starts.map((start) => {
    if (start === undefined) return undefined;
    return items.has(start) ? 'item' : 'mark';
  });
}

function startOf(line: string): Start | undefined {
  const text = line.slice(0, MAX_LENGTH);
  const [bullet] = BULLET.exec(text) ?? [];
  if (bullet !== undefined) return { style: bullet };
  if (HEAD.test(text)) return {};
  if (ENCLOSED.test(text)) return { style: '①', place: text.charCodeAt(0) };
  const [, chapter, division] = CHAPTER.exec(text) ?? [];
  if (chapter !== undefined) return { style: `第${division}`, place: ordinalOf(chapter) };
  const [, before, counter, after] = NUMBERED.exec(text.normalize('NFKC')) ?? [];
  if (counter === undefined) return undefined;
  const place = ordinalOf(counter);
  const sort = /\p{Nd}/u.test(counter) ? '1' : /\p{Script=Han}/u.test(counter) ? '一' : 'a';
  return { style: `${before}${sort}${after}`, place };
}

/** Letters that count, in their order. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz ཀཁགངཅཆཇཉཏཐདནཔཕབམཙཚཛཝཞཟའཡརལཤསཧཨ';

/** Years and larger numbers count no items. */
const MAX_ITEMS = 1000;

/** The place of a number or a letter among its like; NaN for what is none. */
function ordinalOf(counter: string): number {
  const letter = LETTERS.indexOf(counter.toLowerCase());
  if (letter >= 0) return letter;
  const number = Number(withoutNumberWords(withAsciiDigits(counter)));
  return number < MAX_ITEMS ? number : Number.NaN;
}
