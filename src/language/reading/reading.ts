/** The reading of a page: lines that only the width breaks are joined; breaks that are meant stay (line-breaks.ts). */
import { createYield, throwIfCancelled } from '../../patience.ts';
import { dropsTshegAtEnd, isNumberAlone, separatorBetween } from './line.ts';
import { breaksOf, isJoined, measureBlock } from './line-breaks.ts';
import { type Layout, mended, type Page, positionsOf } from './page.ts';

/** In UTF-16 units: a page of a newspaper has up to 25,000. */
const MAX_LETTERS = 40_000;
/** A page of as many holds the event loop for some 10 ms. */
const MAX_LINES = 1000;

/** Whether a page has more letters or lines than paper holds: it is read as it stands. */
function isEndless(lines: readonly string[]): boolean {
  const letters = lines.reduce((sum, { length }) => sum + length + 1, 0);
  return letters > MAX_LETTERS || lines.length > MAX_LINES;
}

/** If the service's `paragraphs` (service-interface §2.4) name each line once, they decide; otherwise `boxes` help to judge the text. */
export function readingOf(lines: readonly string[], layout: Layout = {}): string {
  return isEndless(lines) ? lines.join('\n') : readingOfMended(mended({ lines, ...layout }));
}

function readingOfMended({ lines, paragraphs = [], boxes = [] }: Page): string {
  const texts = lines.map((line) => line.trim());
  const dropsTsheg = dropsTshegAtEnd(texts);
  const named = paragraphs.flat();
  if (
    new Set(named).size === named.length &&
    named.length === lines.length &&
    named.every((index) => index in lines)
  ) {
    const ofParagraphs = paragraphs.map((indices) => indices.map((index) => texts[index] ?? ''));
    return ofParagraphs
      .map((own) => joined(own, [], dropsTsheg))
      .join('\n')
      .trim();
  }
  return joined(texts, breaksOf(texts, positionsOf(lines, boxes)), dropsTsheg).trim();
}

/** `breaks`: whether the break after the line of this index stays; beside a blank line it always does. */
function joined(lines: readonly string[], breaks: readonly boolean[], dropsTsheg: boolean): string {
  let result = lines[0] ?? '';
  for (const [index, next] of lines.slice(1).entries()) {
    const line = lines[index] ?? '';
    const isParted = line === '' || next === '' || breaks[index];
    result += `${isParted ? '\n' : separatorBetween(line, next, dropsTsheg)}${next}`;
  }
  return result;
}

/**
 * One for each page. A sentence over the edge joins both readings in the first page's, without page numbers; the next is empty. A page with
 * more letters or lines than paper holds stays as it is. A book takes a second, in turns of the event loop. Throws `cancelled`.
 */
export async function readingsOfPages(recognised: readonly Page[], signal?: AbortSignal): Promise<string[]> {
  const yieldToOthers = createYield();
  const readings: string[] = [];
  let holder = -1;
  let before: readonly string[] | undefined;
  for (const [index, one] of recognised.entries()) {
    await yieldToOthers();
    throwIfCancelled(signal);
    if (isEndless(one.lines)) {
      readings.push(one.lines.join('\n'));
      before = undefined;
      continue;
    }
    const page = mended(one);
    const reading = readingOfMended(page);
    readings.push(reading);
    if (reading === '') continue;
    const separator = before && overEdge(before, page.lines);
    before = page.lines;
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
  const lines = [...above, ...below];
  const block = measureBlock(lines);
  const [last, first] = [block.lines[above.length - 1], block.lines[above.length]];
  // A sign or a list gives no evidence that it goes on.
  const isRunning = above.some((_, index) => index < above.length - 1 && isJoined(block, index));
  if (!isRunning) return undefined;
  // After a full stop, a paragraph may end at the page's edge.
  if (last === undefined || first === undefined || last.isOver) return undefined;
  if (!isJoined(block, above.length - 1)) return undefined;
  return separatorBetween(last.text, first.text, dropsTshegAtEnd(lines));
}

function withoutNumberAtEnd(reading: string): string {
  const lines = reading.split('\n');
  return isNumberAlone(lines.at(-1) ?? '') ? lines.slice(0, -1).join('\n').trimEnd() : reading;
}

function withoutNumberAtStart(reading: string): string {
  const [first = '', ...rest] = reading.split('\n');
  return isNumberAlone(first) ? rest.join('\n').trimStart() : reading;
}
