/**
 * Decides for each line of a block (lines without a blank line between them) whether it goes on in the next line (spec §2, the reading of
 * a page). It looks at how the line ends, how much room was left on it, and where it stands, if that is known. Lengths are in em.
 */
import { dropsTshegAtEnd, ENDS_IN_TSHEG, endsMarked, isNumberAlone, type Line, measureLine } from './line.ts';
import { DOUBTFUL_OF_FULL, isShort, MIN_OF_EDGE, widthsOfPage } from './line-widths.ts';
import { beginningsOf } from './list.ts';
import type { LinePosition } from './page-layout.ts';
import { inVerse } from './verse.ts';

/** The sentence goes on after these marks. */
const ENDS_OPEN = /(?:[，、：；,:;（(「『《]|(?<![。！？…])[“‘])$/u;
/** The line ends within a phrase, and not in a mark with which a line of a list or of verse ends. */
const ENDS_WITHIN_PHRASE = /[་༌\p{Script=Han}]$/u;
const BEGINS_SPEECH = /^[“「『]/u;

/** Lines without a blank line between them. */
interface Block {
  readonly lines: readonly Line[];
  /** See `dropsTshegAtEnd`. */
  readonly dropsTsheg: boolean;
  /** Every line ends a phrase or sentence (of many lines: nearly every one), as in a list, a talk or verse. */
  readonly isOfSentences: boolean;
  readonly widths: ReturnType<typeof widthsOfPage>;
  /** The room, in em, that full lines of this page leave at their ends. */
  readonly slack: number;
  /** The page stretches its Tibetan lines to the edge, at their spaces. */
  readonly isStretched: boolean;
  /** The first line of a paragraph begins further in than the others. */
  readonly beginsFurtherIn: boolean;
}

/** Measures the lines of a block. `places`: where they stand, if that is known. */
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
  const slack = slackOf(pairs);
  const marked = pairs.filter(({ line }) => endsMarked(line));
  const isOfSentences =
    pairs.length >= MIN_OF_PAGE
      ? marked.length >= pairs.length * (1 - MISREAD) && !isFull(lines) && !pairs.some(isFirstOfParagraph)
      : pairs.every(({ line }) => line.isOver) && pairs.some(({ line, next }) => isShort(widths, line, next));
  const beginsFurtherIn = beginFurtherIn(pairs);
  return {
    lines,
    dropsTsheg,
    widths,
    slack,
    isStretched: areStretched(lines),
    isOfSentences,
    beginsFurtherIn,
  };
}

interface Pair {
  readonly line: Line;
  readonly next: Line;
}

/**
 * Whether the first lines of paragraphs are indented. They are if several lines stand further in than both the line above, which ends a
 * sentence, and the line below.
 */
function beginFurtherIn(pairs: readonly Pair[]): boolean {
  const first = pairs.filter(({ line, next }, index) => {
    const [before, after] = [line.place, pairs[index + 1]?.next.place];
    if (next.place === undefined || before === undefined || after === undefined || !line.isOver) return false;
    const isFurtherIn = (than: LinePosition): boolean => (next.place?.left ?? 0) - than.left > INDENT;
    return next.place.indent < MAX_INDENT && isFurtherIn(before) && isFurtherIn(after);
  });
  return first.length >= MIN_OF_INDENTED;
}

/** In em. A line that begins still further in begins no paragraph. */
const MAX_INDENT = 4;
const MIN_OF_INDENTED = 2;

/** Whether an indented line goes on at the edge of its column, as the first line of a paragraph does. */
function isFirstOfParagraph({ line: { place, isOver }, next: { place: next } }: Pair): boolean {
  if (isOver || place === undefined || next === undefined || next.isNewColumn) return false;
  return place.indent > INDENT && place.indent < MAX_INDENT && Math.abs(next.indent) < INDENT;
}

/** If nearly all of this number of lines end in a mark, that is no coincidence. */
const MIN_OF_PAGE = 5;
/** Recognition may have lost the mark at the end of such a share of the lines. */
const MISREAD = 0.2;

/** Whether the line with this index goes on in the next one. */
export function isJoined(block: Block, index: number): boolean {
  const [line, next] = [block.lines[index], block.lines[index + 1]];
  if (line === undefined || next === undefined) return false;
  if (standsForItself(line) || standsForItself(next) || next.begins === 'item') return false;
  const isPlaced = line.place !== undefined && next.place !== undefined;
  if (isPlaced && beginsAnew(block, line, next)) return false;
  if (!isPlaced && line.isOver && BEGINS_SPEECH.test(next.text) && !ENDS_OPEN.test(line.text)) return false;
  if (next.begins === 'mark' && !ENDS_IN_TSHEG.test(line.text) && !ENDS_OPEN.test(line.text)) return false;
  if (next.begins === 'number' && (line.isOver || line.begins === 'number' || line.begins === 'item'))
    return false;
  if (line.verse !== undefined && line.verse.piece === next.verse?.piece) return !line.verse.isEnd;
  if (block.isOfSentences && (isPlaced || !ENDS_WITHIN_PHRASE.test(line.text))) return false;
  const judged = block.isOfSentences ? { ...line, isOver: true } : line;
  return !(isPlaced ? endsEarly(block, judged, next) : isShort(block.widths, judged, next));
}

/** Whether the line is only a number, such as a page's. A line that fills the page is not, whatever recognition made of it. */
function standsForItself({ text, widths, place }: Line): boolean {
  if (!isNumberAlone(text)) return false;
  return place === undefined || place.right - place.left < 3 * (widths[0] ?? 0) + 1;
}

/** A line that begins a paragraph begins so much further in, in em. */
const INDENT = 0.9;
/** A Chinese opening mark fills only the right half of its em. */
const BEGINS_HALF_EMPTY = /^[“‘「『《〈（(【]/u;

/** Whether the next line begins anew, as its place shows: it stands after a gap, or further in. */
function beginsAnew({ lines, slack, beginsFurtherIn }: Block, line: Line, nextLine: Line): boolean {
  const { place, isOver } = line;
  const { place: next, text, firstWidths } = nextLine;
  if (place === undefined || next === undefined) return false;
  // The line fills the width and ends within a phrase: on a page of many lines, only a line that stands apart begins anew after it.
  const room = roomOn(place);
  const fillsWidth = room <= (firstWidths[0] ?? 0) + slack;
  const isApart = next.isFarBelow || next.isNewColumn;
  if (fillsWidth && !isApart && ENDS_IN_TSHEG.test(line.text) && lines.length >= MIN_OF_PAGE) return false;
  if (next.isAfterGap) return true;
  const further = next.left - place.left;
  // Further out than the line before and than the column: the first line of a hanging paragraph.
  if (next.indent < -INDENT && further < -INDENT && !next.isNewColumn) return true;
  const indent = BEGINS_HALF_EMPTY.test(text) ? 1.5 * INDENT : INDENT;
  if (next.indent <= indent) return false;
  if (next.isNewColumn) return isOver;
  if (further > indent) return true;
  if (!isOver) return false;
  // Both lines begin equally far in: the first goes on if it is full, and if other lines at this indent go on, too.
  const needed = place.isJustified && !line.isTibetan ? UNEVEN : (firstWidths[0] ?? 0) + MIN_SLACK;
  return beginsFurtherIn || room > needed || !hasBlockAt(lines, next.left);
}

/** The room, in em, between a line's end and the edge of the line or of its column, whichever is further out. */
function roomOn({ edge, edgeOfColumn, right }: LinePosition): number {
  return Math.max(edge, edgeOfColumn) - right;
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
function endsEarly({ slack, isStretched, beginsFurtherIn }: Block, line: Line, next: Line): boolean {
  const [place, nextPlace] = [line.place, next.place];
  if (place === undefined || nextPlace === undefined) return false;
  const edge = nextPlace.isNewColumn ? place.edge : Math.max(place.edge, nextPlace.edge);
  const room = edge - place.right;
  const left = room - (next.firstWidths[0] ?? 0);
  if (line.isOver && beginsFurtherIn && !nextPlace.isNewColumn) return false;
  if (!line.isOver) return left > (edge - place.left) * (ENDS_IN_TSHEG.test(line.text) ? 0.3 : 0.15);
  if (place.isJustified && !line.isTibetan) return room > UNEVEN;
  if (isStretched && line.isTibetan && HAS_SPACE.test(line.text)) return room > UNEVEN_TIBETAN;
  return left > slack;
}

/** Lines of a justified column end so far from its edge, in em: a full stop fills only half of its em. */
const UNEVEN = 0.85;
/** The same for Tibetan lines that are stretched to the edge. */
const UNEVEN_TIBETAN = 0.2;
/** Less than this, in em, is no room. */
const MIN_SLACK = 0.4;

/** A Tibetan line without a space between its phrases cannot be stretched, so it may end before the edge. */
const HAS_SPACE = /\S\s+\S/u;
/** On a page that stretches its lines, at least this share of those that can be stretched is. */
const STRETCHED = 0.75;

function areStretched(lines: readonly Line[]): boolean {
  const rooms = lines.flatMap(({ text, isOver, isTibetan, place }) => {
    if (place === undefined || !isTibetan || isOver || !HAS_SPACE.test(text)) return [];
    return [roomOn(place)];
  });
  const even = rooms.filter((room) => room < UNEVEN_TIBETAN);
  return even.length >= MIN_OF_PAGE && even.length >= rooms.length * STRETCHED;
}

function slackOf(pairs: readonly { readonly line: Line; readonly next: Line }[]): number {
  const rooms = pairs.flatMap(({ line, next }) => {
    if (line.isOver || line.place === undefined || next.place === undefined) return [];
    const room = line.place.edge - line.place.right;
    if (room > (line.place.edge - line.place.left) * (1 - MIN_OF_EDGE)) return [];
    return [room - (next.firstWidths[0] ?? 0)];
  });
  rooms.sort((one, other) => one - other);
  return Math.max(MIN_SLACK, rooms[Math.floor(rooms.length * (1 - DOUBTFUL_OF_FULL))] ?? 0);
}

/** Whether Tibetan lines end where they do for want of room, as their places show. In verse, many lines are shorter than the longest. */
function isFull(lines: readonly Line[]): boolean {
  const lengthOf = ({ place }: Line): number => (place === undefined ? 0 : place.right - place.left);
  const longest = lines.reduce((most, line) => Math.max(most, lengthOf(line)), 0);
  const early = lines.filter((line, index) => {
    if (line.place === undefined || !line.isTibetan) return true;
    return longest - lengthOf(line) > (lines[index + 1]?.firstWidths[0] ?? 0) + MIN_SLACK;
  });
  return early.length < lines.length * 0.3;
}

/**
 * The text with a tab in place of each line break that its reading would join. Its length stays the same: a tab, like a line break, is
 * one grapheme cluster, but a text is not cut there rather than elsewhere.
 */
export function withoutBreaksOfWidth(text: string): string {
  if (!text.includes('\n')) return text;
  const lines = text.split('\n');
  let unbroken = lines[0] ?? '';
  const breaks = breaksOf(lines.map((line) => line.trim()));
  for (const [index, line] of lines.slice(1).entries())
    unbroken += `${breaks[index] || lines[index]?.endsWith('\r') ? '\n' : '\t'}${line}`;
  return unbroken;
}

/** Says for each line but the last whether the break after it means something, and so stays. */
export function breaksOf(
  lines: readonly string[],
  places: readonly (LinePosition | undefined)[] = [],
): boolean[] {
  const breaks = lines.slice(1).map(() => true);
  for (let start = 0; start < lines.length; ) {
    let end = start;
    while (end < lines.length && lines[end] !== '') end += 1;
    const block = measureBlock(lines.slice(start, end), places.slice(start, end));
    for (let index = start; index < end - 1; index += 1) breaks[index] = !isJoined(block, index - start);
    start = end + 1;
  }
  return breaks;
}
