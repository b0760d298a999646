/**
 * Decides for each line of a block (lines without a blank line between them) whether it goes on in the next line. It looks at how the line ends, how much room was left on it, and where it stands, if that is known. Lengths are in em.
 */
import { createYield } from '../../patience.ts';
import { edgeOf } from './edge.ts';
import {
  dropsTshegAtEnd,
  ENDS_WITHOUT_SHAD,
  endsInTsheg,
  endsMarked,
  isNumberAlone,
  type Line,
  type LinePosition,
  MEASURES,
  measureLine,
  printedWidth,
} from './line.ts';
import { beginningsOf } from './list.ts';
import { inVerse } from './verse.ts';

/** The line ends within a phrase, and not in a mark with which a line of a list or of verse ends. */
const ENDS_WITHIN_PHRASE = /[་༌\p{Script=Han}]$/u;
const BEGINS_SPEECH = /^[“「『]/u;

interface Block {
  readonly lines: readonly Line[];
  /** Every line ends a phrase or sentence (of many lines: nearly every one), as in a list, a talk or verse. */
  readonly isOfSentences: boolean;
  readonly widths: readonly PageWidth[];
  /** The page stretches its Tibetan lines to the edge, at their spaces. */
  readonly isStretched: boolean;
  /** The first line of a paragraph begins further in than the others. */
  readonly beginsFurtherIn: boolean;
}

export function measureBlock(
  texts: readonly string[],
  places: readonly (LinePosition | undefined)[] = [],
): Block {
  const dropsTsheg = dropsTshegAtEnd(texts);
  const beginnings = beginningsOf(texts);
  const lines = inVerse(
    texts.map((text, index) => measureLine(text, dropsTsheg, places[index], beginnings[index])),
  );
  const widths = widthsOfPage(lines);
  const pairs = lines.slice(1).map((next, index) => ({ line: lines[index] ?? next, next }));
  const marked = pairs.filter(({ line }) => endsMarked(line));
  const isOfSentences =
    pairs.length >= MIN_OF_PAGE
      ? marked.length >= pairs.length * (1 - MISREAD)
      : pairs.every(({ line }) => line.isOver) && pairs.some(({ line, next }) => isShort(widths, line, next));
  return {
    lines,
    isOfSentences,
    widths,
    isStretched: areStretched(lines),
    beginsFurtherIn: beginFurtherIn(pairs),
  };
}

interface Pair {
  readonly line: Line;
  readonly next: Line;
}

/** Whether the first lines of paragraphs are indented: several lines are, between one at the left edge that ends a sentence and another there. */
function beginFurtherIn(pairs: readonly Pair[]): boolean {
  const first = pairs.filter(({ line, next }, index) => {
    const after = pairs[index + 1]?.next;
    return line.isOver && isAtLeft(line) && isIndented(next) && after !== undefined && isAtLeft(after);
  });
  return first.length >= MIN_OF_INDENTED;
}

const MIN_OF_INDENTED = 2;

const isIndented = ({ place }: Line): boolean => place !== undefined && place.indent > INDENT;
const isAtLeft = ({ place }: Line): boolean => place !== undefined && place.indent <= INDENT;

/** If nearly all of this number of lines end in a mark, that is no coincidence. */
const MIN_OF_PAGE = 5;
/** Recognition may have lost the mark at the end of such a share of the lines. */
const MISREAD = 0.2;

/** Whether the line with this index goes on in the next one. */
export function isJoined(block: Block, index: number): boolean {
  const [line, next] = [block.lines[index], block.lines[index + 1]];
  if (line === undefined || next === undefined) return false;
  if (isNumberAlone(line.text) || isNumberAlone(next.text) || next.begins === 'item') return false;
  const isPlaced = line.place !== undefined && next.place !== undefined;
  if (isPlaced && beginsAnew(block, line, next)) return false;
  if (!isPlaced && line.isOver && BEGINS_SPEECH.test(next.text)) return false;
  if (next.begins !== undefined && (line.isOver || line.begins !== undefined)) return false;
  if (line.verse !== undefined && line.verse.piece === next.verse?.piece) return !line.verse.isEnd;
  if (block.isOfSentences && !ENDS_WITHIN_PHRASE.test(line.text)) return false;
  return !(isPlaced ? endsEarly(block, line, next) : isShort(block.widths, line, next));
}

/** A line that begins a paragraph begins so much further in, in em. */
const INDENT = 0.9;
/** A gap, as a multiple of the usual line distance. The heights of Tibetan lines vary, and move their middles by a tenth. */
const GAP = 1.28;
/** More than the heights of letters could explain: a footnote or a footer. */
const FAR = 1.5;

function beginsAnew({ lines, beginsFurtherIn }: Block, line: Line, nextLine: Line): boolean {
  const { place, isOver } = line;
  const { place: next, first } = nextLine;
  if (place === undefined || next === undefined) return false;
  // After a line that fills the width and ends within a phrase, only what stands far below begins anew.
  const room = place.edge - place.right;
  const fillsWidth = room <= printedWidth(first) + SLACK;
  if (fillsWidth && endsInTsheg(line.text) && next.gap <= FAR) return false;
  if (next.gap > GAP) return true;
  if (next.indent <= INDENT) return false;
  if (next.left - place.left > INDENT) return true;
  // Both lines begin equally far in: the first goes on if other lines at this indent do, and paragraphs do not begin so.
  return isOver && (beginsFurtherIn || !hasBlockAt(lines, next.left));
}

/** Whether a paragraph of several lines stands at this indent, such as an answer in a chat or a quotation. */
function hasBlockAt(lines: readonly Line[], left: number): boolean {
  const isThere = ({ place }: Line): boolean => place !== undefined && Math.abs(place.left - left) < INDENT;
  return lines.some((line, index) => {
    const next = lines[index + 1];
    return next !== undefined && !line.isOver && isThere(line) && isThere(next);
  });
}

/** Whether the line has room for the first unit of the next one, as its place shows. */
function endsEarly({ isStretched, beginsFurtherIn }: Block, line: Line, next: Line): boolean {
  const [place, nextPlace] = [line.place, next.place];
  if (place === undefined || nextPlace === undefined) return false;
  const room = place.edge - place.right;
  const left = room - printedWidth(next.first);
  if (line.isOver && beginsFurtherIn && !nextPlace.isNewColumn) return false;
  if (!line.isOver) return left > (place.edge - place.left) * 0.3;
  if (isStretched && line.isTibetan && HAS_SPACE.test(line.text)) return room > UNEVEN;
  return left > SLACK;
}

/** Tibetan lines that are stretched to the edge end so far from it, in em. */
const UNEVEN = 0.2;
/** A gap smaller than this, in em, does not count as free space. */
const SLACK = 0.4;

/** A Tibetan line without a space between its phrases cannot be stretched, so it may end before the edge. */
const HAS_SPACE = /\S\s+\S/u;
/** On a page that stretches its lines, at least this share of those that can be stretched is. */
const STRETCHED = 0.75;

function areStretched(lines: readonly Line[]): boolean {
  const rooms = lines.flatMap(({ text, isOver, isTibetan, place }) => {
    if (place === undefined || !isTibetan || isOver || !HAS_SPACE.test(text)) return [];
    return [place.edge - place.right];
  });
  const even = rooms.filter((room) => room < UNEVEN);
  return even.length >= MIN_OF_PAGE && even.length >= rooms.length * STRETCHED;
}

/** The width of a page in one of the measures. */
interface PageWidth {
  readonly edge: number;
  /** The page was broken by exactly this measure: not one of its full lines had room for one more unit. */
  readonly isExact: boolean;
}

function widthsOfPage(lines: readonly Line[]): PageWidth[] {
  return MEASURES.map((_, measure) => {
    const edge = edgeOf(
      lines.map((line) => ({
        width: line.widths[measure] ?? 0,
        isBroken: line.verse === undefined && !mayBeOver(line),
      })),
    );
    const wanted = lines.flatMap((line, index) => {
      const next = lines[index + 1];
      const isFull = !mayBeOver(line) && (line.widths[measure] ?? 0) > edge * MIN_OF_EDGE;
      return isFull && next !== undefined ? [wantedBy(line, line.gap + next.first, measure)] : [];
    });
    return { edge, isExact: wanted.length >= MIN_OF_EXACT && wanted.every((width) => width > edge) };
  });
}

/** A line below this share of the page's width is not full. */
const MIN_OF_EDGE = 0.7;
/** This many full lines that agree to the last character are no coincidence. */
const MIN_OF_EXACT = 4;

/** Whether a line is so short that the next one's first unit would have fit on it. */
function isShort(page: readonly PageWidth[], line: Line, next: Line): boolean {
  const isExact = mayBeOver(line) && page.some((width) => width.isExact);
  return page.every((width, measure) => {
    if (isExact) return !width.isExact || wantedBy(line, line.gap + next.first, measure) <= width.edge;
    const room = width.edge - wantedBy(line, next.first, measure);
    if (line.isOver) return room > width.edge * (line.isTibetan ? 0.08 : 0.01);
    return room > width.edge * (endsInTsheg(line.text) ? 0.3 : 0.15);
  });
}

/** After some letters no shad is written; if the tsheg is dropped, too, only the room shows whether a phrase ends. */
function mayBeOver({ text, isOver }: Line): boolean {
  return isOver || ENDS_WITHOUT_SHAD.test(text);
}

/** The width of a line, if this stood behind it. */
function wantedBy(line: Line, behind: string, measure: number): number {
  return (line.widths[measure] ?? 0) + (MEASURES[measure]?.(behind) ?? 0);
}

/** What is judged together at most: lines, and UTF-16 units. They take some 5 ms. */
const MAX_JUDGED = { lines: 500, letters: 10_000 };

/**
 * Puts a tab for each line break that the reading would join: as long, and one grapheme cluster, but no preferred place to cut. Works in slices
 * of the event loop.
 */
export async function withoutBreaksOfWidth(text: string): Promise<string> {
  if (!text.includes('\n')) return text;
  const yieldToOthers = createYield();
  let unbroken = '';
  let block: string[] = [];
  let letters = 0;
  const judge = async (): Promise<void> => {
    await yieldToOthers();
    const breaks = breaksOf(block.map((line) => line.trim()));
    // The last line is judged with those after it, unless it is longer than any that the width has broken.
    const next = block.slice(-1).filter(({ length }) => length <= MAX_JUDGED.letters);
    for (const [index, line] of block.slice(0, block.length - next.length).entries())
      unbroken += `${line}${breaks[index] === false && !line.endsWith('\r') ? '\t' : '\n'}`;
    block = next;
    letters = next[0]?.length ?? 0;
  };
  for (const line of linesOf(text)) {
    if (block.length >= MAX_JUDGED.lines || letters + line.length > MAX_JUDGED.letters) await judge();
    block.push(line);
    letters += line.length;
  }
  await judge();
  return (unbroken + block.join('')).slice(0, text.length);
}

/** One after another, since a long text may have a million. */
function* linesOf(text: string): Generator<string, void> {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  yield text.slice(start);
}

/** For each line but the last, whether the break after it stays. */
export function breaksOf(
  lines: readonly string[],
  places: readonly (LinePosition | undefined)[] = [],
): boolean[] {
  const breaks = lines.slice(1).map(() => true);
  for (let start = 0; start < lines.length; ) {
    let end = start;
    while (end < lines.length && lines[end] !== '') end += 1;
    if (end > start + 1) {
      const block = measureBlock(lines.slice(start, end), places.slice(start, end));
      for (let index = start; index < end - 1; index += 1) breaks[index] = !isJoined(block, index - start);
    }
    start = end + 1;
  }
  return breaks;
}
