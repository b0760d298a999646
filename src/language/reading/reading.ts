/**
 * The reading of a page (spec §2): on paper a line ends where the paper ends. Lines that only the width breaks are joined; breaks that are
 * meant stay (line-breaks.ts).
 */
import { dropsTshegAtEnd, ENDS_IN_GA, isNumberAlone, printedWidth } from './line.ts';
import { breaksOf, isJoined, measureBlock } from './line-breaks.ts';
import { type Box, type Place, placesOf } from './page-layout.ts';

/**
 * The lines of a page as running text. Only breaks that are meant stay. If the service gives `paragraphs`, these decide (service-interface
 * §2.4), unless they do not fit the lines; otherwise `boxes` help to judge the text.
 */
export function readingOf(lines: readonly string[], { paragraphs, boxes = [] }: Layout = {}): string {
  const places = placesOf(lines, boxes, printedWidth);
  const { ordered, paragraphOf, placesOrdered } = arranged(lines, paragraphs ?? [], places ?? []);
  return joinLines(ordered, placesOrdered, (index) => {
    const [one, next] = [paragraphOf[index], paragraphOf[index + 1]];
    return one === undefined || next === undefined ? undefined : one === next;
  });
}

/** The layout of a page, as far as it is known. */
export interface Layout {
  /** Indices of the lines of each paragraph. */
  readonly paragraphs?: readonly (readonly number[])[] | undefined;
  /** Where each line stands. */
  readonly boxes?: readonly (Box | undefined)[] | undefined;
}

/** A recognised page. */
export interface Page extends Layout {
  readonly lines: readonly string[];
}

/** The readings of several pages in one text (see `readingsOfPages`). A blank line parts pages that no sentence joins. */
export function readingOfPages(pages: readonly (readonly string[])[]): string {
  const readings = readingsOfPages(pages.map((lines) => ({ lines })));
  return readings.filter((reading) => reading !== '').join('\n\n');
}

/**
 * The reading of each page. If a sentence runs over the edge of two pages, both are joined, without a page number at the edge: the first
 * page's reading then holds the second's, too, which is empty.
 */
export function readingsOfPages(pages: readonly Page[]): string[] {
  const readings = pages.map((page) => readingOf(page.lines, page));
  let [holder, before] = [-1, -1];
  for (const [index, { lines }] of pages.entries()) {
    const reading = readings[index] ?? '';
    if (reading === '') continue;
    const separator = before < 0 ? undefined : overEdge(pages[before]?.lines ?? [], lines);
    before = index;
    if (separator === undefined) holder = index;
    else {
      readings[holder] =
        `${withoutNumberAtEnd(readings[holder] ?? '')}${separator}${withoutNumberAtStart(reading)}`;
      readings[index] = '';
    }
  }
  return readings;
}

/** The separator that joins a sentence running over from one page to the next; undefined if none does. */
function overEdge(page: readonly string[], next: readonly string[]): string | undefined {
  const written = (lines: readonly string[]): string[] =>
    lines.map((line) => line.trim()).filter((line) => line !== '');
  const [above, below] = [written(page), written(next)];
  if (isNumberAlone(above.at(-1) ?? '')) above.pop();
  if (isNumberAlone(below[0] ?? '')) below.shift();
  const block = measureBlock([...above, ...below]);
  const [last, first] = [block.lines[above.length - 1], block.lines[above.length]];
  // A sign or a list gives no evidence that it goes on.
  const isRunning = above.some((_, index) => index < above.length - 1 && isJoined(block, index));
  if (!isRunning) return undefined;
  // After a full stop, a paragraph may end at the page's edge.
  if (last === undefined || first === undefined || last.isOver) return undefined;
  if (!isJoined(block, above.length - 1)) return undefined;
  return learnSeparators([...above, ...below])(last.text, first.text, block.dropsTsheg);
}

function withoutNumberAtEnd(reading: string): string {
  const lines = reading.split('\n');
  return isNumberAlone(lines.at(-1) ?? '') ? lines.slice(0, -1).join('\n').trimEnd() : reading;
}

function withoutNumberAtStart(reading: string): string {
  const [first = '', ...rest] = reading.split('\n');
  return isNumberAlone(first) ? rest.join('\n').trimStart() : reading;
}

/** The lines in the order of their paragraphs, if these name each line once; and the paragraph of each, if it has one. */
function arranged(
  lines: readonly string[],
  paragraphs: readonly (readonly number[])[],
  places: readonly (Place | undefined)[],
) {
  const named = paragraphs.flat();
  const isUsable = new Set(named).size === named.length && named.every((index) => index < lines.length);
  const owners = new Map(
    isUsable ? paragraphs.flatMap((indices, paragraph) => indices.map((index) => [index, paragraph])) : [],
  );
  const isWhole = owners.size === lines.length;
  const order = isWhole ? named : lines.map((_, index) => index);
  return {
    ordered: order.map((index) => lines[index] ?? ''),
    paragraphOf: order.map((index) => owners.get(index)),
    placesOrdered: order.map((index) => places[index]),
  };
}

/** Joins lines. `decided`: whether the line of this index is joined with the next; undefined if unknown. */
function joinLines(
  texts: readonly string[],
  places: readonly (Place | undefined)[],
  decided: (index: number) => boolean | undefined,
): string {
  const lines = texts.map((text) => text.trim());
  const breaks = breaksOf(lines, places);
  const separatorBetween = learnSeparators(lines);
  const dropsTsheg = dropsTshegAtEnd(lines);
  let result = lines[0] ?? '';
  for (const [index, next] of lines.slice(1).entries()) {
    const line = lines[index] ?? '';
    const isParted = line === '' || next === '' || !(decided(index) ?? !breaks[index]);
    result += `${isParted ? '\n' : separatorBetween(line, next, dropsTsheg)}${next}`;
  }
  return result.trim();
}

type Side = 'tsheg' | 'shad' | 'opening' | 'tibetan' | 'han' | 'digit' | 'other';

function sideOf(character: string): Side {
  if (/[་༌]/u.test(character)) return 'tsheg';
  if (/[\u0f0d-\u0f14]/u.test(character)) return 'shad';
  if (/[\d༠-༩]/u.test(character)) return 'digit';
  if (/\p{Script=Tibetan}/u.test(character)) return 'tibetan';
  if (/[\p{Script=Han}\u3000-\u303f\uff00-\uff60“”‘’…—]/u.test(character)) return 'han';
  return 'other';
}

/** The side before `end`. A shad after a space opens the next phrase. */
function sideBefore(text: string, end: number): Side {
  const last = text.slice(Math.max(0, end - 2), end);
  return /(?:^|\s)[།༎]$/u.test(last) ? 'opening' : sideOf([...last].at(-1) ?? '');
}

/** Learns from the page what stands between two characters within a line, and gives the same separator for joined lines. */
function learnSeparators(texts: readonly string[]) {
  const seen = new Map<string, number>();
  for (const text of texts) {
    for (const { 0: before, 1: space, 2: after = '', index } of text.matchAll(/\S( ?)(?=(\S))/gu)) {
      const key = `${sideBefore(text, index + before.trimEnd().length)} ${sideOf(after)}`;
      seen.set(key, (seen.get(key) ?? 0) + (space === '' ? -1 : 1));
    }
  }
  return (line: string, next: string, dropsTsheg: boolean): string => {
    const [before, after] = [sideBefore(line, line.length), sideOf([...next][0] ?? '')];
    if (before === 'tibetan' && after === 'tibetan') {
      return ENDS_IN_GA.test(line) && !dropsTsheg ? ' ' : '་';
    }
    if (before === 'tibetan' && after === 'shad')
      return ENDS_IN_GA.test(line) ? ' ' : /ང$/u.test(line) ? '་' : '';
    if ((before === 'shad' || before === 'opening') && after === 'shad') return ' ';
    if (before === 'tsheg' && (after === 'tibetan' || after === 'shad')) return '';
    if (before === 'han' && after === 'han') return '';
    const learnt = seen.get(`${before} ${after}`) ?? 0;
    if (learnt !== 0 && !(before === 'other' && after === 'other')) return learnt > 0 ? ' ' : '';
    return before === 'han' || after === 'han' || before === 'tsheg' || before === 'opening' ? '' : ' ';
  };
}
