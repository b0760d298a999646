/**
 * Lines of a page that no blank line parts, and which of them go on in the next (spec §2, the reading of a page): by their ends, by how
 * much room there was, and by where they stand, as far as that is known.
 */
import { areBareAtEnd, ENDS_IN_TSHEG, endsMarked, isNumberAlone, judgeLine, type Line } from './line.ts';
import { DOUBTFUL_OF_FULL, isShort, LEAST_OF_EDGE, widthsOfPage } from './line-widths.ts';
import type { Place } from './page-layout.ts';
import { inVerse } from './verse.ts';

/** What it says follows. */
const ENDS_OPEN = /(?:[，、：；,:;（(「『《]|(?<![。！？…])[“‘])$/u;
/** And not in a mark that a list or verse would have. */
const ENDS_WITHIN_PHRASE = /[་༌\p{Script=Han}]$/u;
const BEGINS_SPEECH = /^[“「『]/u;

/** What begins a line of a list, a chapter or a text, and hardly ever a line of prose. */
const BEGINS_ANEW = new RegExp(
  `^(?:${[
    '[•·●○■□◆◇▪▫▶►★☆※✓✔‣⁃◦【]',
    '[*+–—-]\\s',
    '[①-⑳㈠-㈩]',
    '[一二三四五六七八九十百]{1,4}[、．]',
    '第[一二三四五六七八九十百零〇\\d]{1,5}[章节節条條回课課卷篇编編讲講]',
    '[༁-༇༈༓]',
  ].join('|')})`,
  'u',
);
/** A number or a letter of a list; within a sentence a line may begin with one, too. */
const BEGINS_WITH_NUMBER =
  /^(?:[(（]?(?:\d{1,3}|[０-９]{1,3}|[༠-༩]{1,3}|[一二三四五六七八九十百]{1,4}|[a-zA-Z])[)）༽．、]|(?:\d{1,3}|[༠-༩]{1,3})\.(?!\d)|\d{1,5}\s|[༠-༩]{1,5}[\s།༽]|[⑴-⒇])/u;
/** Lines that no blank line parts. */
export interface Block {
  readonly lines: readonly Line[];
  readonly dropsTsheg: boolean;
  /** Every line, or of many nearly every one, ends a phrase or sentence: the lines of a list, of a talk, of verse. */
  readonly isOfSentences: boolean;
  readonly widths: ReturnType<typeof widthsOfPage>;
  /** In em how much room there was, as their places have it, at the ends of lines that were full all the same. */
  readonly slack: number;
  /** Tibetan lines are stretched to the edge at their spaces. */
  readonly isStretched: boolean;
  /** Paragraphs of this page begin further in than their other lines. */
  readonly beginsFurtherIn: boolean;
}

/** `places`: where the lines stand, if that is known. */
export function judgeBlock(texts: readonly string[], places: readonly (Place | undefined)[] = []): Block {
  const dropsTsheg = areBareAtEnd(texts);
  const lines = inVerse(texts.map((text, index) => judgeLine(text, dropsTsheg, places[index])));
  const widths = widthsOfPage(lines);
  const pairs = lines.slice(1).map((next, index) => ({ line: lines[index] ?? next, next }));
  const slack = slackOf(pairs);
  const isOfSentences =
    pairs.length >= FEWEST_OF_PAGE
      ? pairs.filter(({ line }) => endsMarked(line)).length >= pairs.length * (1 - MISREAD) && !isFull(lines)
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

/** Whether the paragraphs of the page begin further in: several lines do that stand below one further out that is over, and above another. */
function beginFurtherIn(pairs: readonly Pair[]): boolean {
  const first = pairs.filter(({ line, next }, index) => {
    const [before, after] = [line.place, pairs[index + 1]?.next.place];
    if (next.place === undefined || before === undefined || after === undefined || !line.isOver) return false;
    const isFurtherIn = (than: Place): boolean => (next.place?.left ?? 0) - than.left > INDENT;
    return next.place.indent < MOST_INDENT && isFurtherIn(before) && isFurtherIn(after);
  });
  return first.length >= FEWEST_OF_INDENTED;
}

/** In em; what begins still further in is no paragraph of the page. */
const MOST_INDENT = 4;
const FEWEST_OF_INDENTED = 2;

/** Of so many lines that nearly all end in a mark, chance is no reason. */
const FEWEST_OF_PAGE = 5;
/** Such a share of the lines may have lost the mark at their end. */
const MISREAD = 0.2;

/** Whether the line of this index goes on in the next one. */
export function isJoined(block: Block, index: number): boolean {
  const [line, next] = [block.lines[index], block.lines[index + 1]];
  if (line === undefined || next === undefined) return false;
  if (standsForItself(line) || standsForItself(next)) return false;
  const isPlaced = line.place !== undefined && next.place !== undefined;
  if (isPlaced && beginsAnew(block, line, next)) return false;
  if (!isPlaced && line.isOver && BEGINS_SPEECH.test(next.text) && !ENDS_OPEN.test(line.text)) return false;
  if (BEGINS_ANEW.test(next.text) && !ENDS_IN_TSHEG.test(line.text) && !ENDS_OPEN.test(line.text))
    return false;
  if (BEGINS_WITH_NUMBER.test(next.text) && (line.isOver || BEGINS_WITH_NUMBER.test(line.text))) return false;
  if (line.verse !== undefined && line.verse.piece === next.verse?.piece) return !line.verse.isEnd;
  if (block.isOfSentences && (isPlaced || !ENDS_WITHIN_PHRASE.test(line.text))) return false;
  const judged = block.isOfSentences ? { ...line, isOver: true } : line;
  return !(isPlaced ? endsEarly(block, judged, next) : isShort(block.widths, judged, next));
}

/** A number alone; what fills a line of the page is none, whatever was recognised of it. */
function standsForItself({ text, widths, place }: Line): boolean {
  if (!isNumberAlone(text)) return false;
  return place === undefined || place.right - place.left < 3 * (widths[0] ?? 0) + 1;
}

/** So much further in begins a line that begins a paragraph, in em. */
const INDENT = 0.9;
/** An opening mark in Chinese fills but half of its em. */
const BEGINS_HALF_EMPTY = /^[“‘「『《〈（(【]/u;

/** Whether the next line's place says that it begins anew: after a gap, or further in. */
function beginsAnew({ lines, slack, beginsFurtherIn }: Block, line: Line, nextLine: Line): boolean {
  const { place, isOver } = line;
  const { place: next, text, firstWidths } = nextLine;
  if (place === undefined || next === undefined) return false;
  // Within a phrase that fills the width of a page of many lines nothing begins but what stands apart.
  const room = roomOn(place);
  const fillsWidth = room <= (firstWidths[0] ?? 0) + slack;
  const isApart = next.isFarBelow || next.isNewColumn;
  if (fillsWidth && !isApart && ENDS_IN_TSHEG.test(line.text) && lines.length >= FEWEST_OF_PAGE) return false;
  if (next.isAfterGap) return true;
  const further = next.left - place.left;
  // Further out than the line before, and than its column: the first line of what hangs.
  if (next.indent < -INDENT && further < -INDENT && !next.isNewColumn) return true;
  const indent = BEGINS_HALF_EMPTY.test(text) ? 1.5 * INDENT : INDENT;
  if (next.indent <= indent) return false;
  if (next.isNewColumn) return isOver;
  if (further > indent) return true;
  if (!isOver) return false;
  // Of two that begin equally far in, the one goes on in the other where it is full, and others so far in go on.
  const needed = place.isJustified && !line.isTibetan ? UNEVEN : (firstWidths[0] ?? 0) + LEAST_SLACK;
  return beginsFurtherIn || room > needed || !hasBlockAt(lines, next.left);
}

/** In em how much room there is from a line's end to the edge, its own or its column's. */
function roomOn({ edge, edgeOfColumn, right }: Place): number {
  return Math.max(edge, edgeOfColumn) - right;
}

/** Whether paragraphs of several lines stand as far in: an answer in a chat, a quotation. */
function hasBlockAt(lines: readonly Line[], left: number): boolean {
  const isThere = ({ place }: Line): boolean => place !== undefined && Math.abs(place.left - left) < INDENT;
  return lines.some((line, index) => {
    const next = lines[index + 1];
    return next !== undefined && !line.isOver && isThere(line) && isThere(next);
  });
}

/** Whether the place of a line says that the first of the next one would have had room on it. */
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

/** So far from the edge of a justified column ends what ends at it: its full stop fills but half of an em. */
const UNEVEN = 0.85;
/** The same where lines are stretched to the edge: their boxes end there but for so much. */
const UNEVEN_TIBETAN = 0.2;
/** The least that is taken for room, in em. */
const LEAST_SLACK = 0.4;

/** Without a space between its phrases a Tibetan line cannot be stretched: it may end before the edge. */
const HAS_SPACE = /\S\s+\S/u;
/** Of the lines that could be stretched such a share is. */
const STRETCHED = 0.75;

function areStretched(lines: readonly Line[]): boolean {
  const rooms = lines.flatMap(({ text, isOver, isTibetan, place }) => {
    if (place === undefined || !isTibetan || isOver || !HAS_SPACE.test(text)) return [];
    return [roomOn(place)];
  });
  const even = rooms.filter((room) => room < UNEVEN_TIBETAN);
  return even.length >= FEWEST_OF_PAGE && even.length >= rooms.length * STRETCHED;
}

function slackOf(pairs: readonly { readonly line: Line; readonly next: Line }[]): number {
  const rooms = pairs.flatMap(({ line, next }) => {
    if (line.isOver || line.place === undefined || next.place === undefined) return [];
    const room = line.place.edge - line.place.right;
    if (room > (line.place.edge - line.place.left) * (1 - LEAST_OF_EDGE)) return [];
    return [room - (next.firstWidths[0] ?? 0)];
  });
  rooms.sort((one, other) => one - other);
  return Math.max(LEAST_SLACK, rooms[Math.floor(rooms.length * (1 - DOUBTFUL_OF_FULL))] ?? 0);
}

/** Whether places tell that Tibetan lines end where they do for want of room: of the lines of verse many are shorter than the longest. */
function isFull(lines: readonly Line[]): boolean {
  const lengthOf = ({ place }: Line): number => (place === undefined ? 0 : place.right - place.left);
  const longest = lines.reduce((most, line) => Math.max(most, lengthOf(line)), 0);
  const early = lines.filter((line, index) => {
    if (line.place === undefined || !line.isTibetan) return true;
    return longest - lengthOf(line) > (lines[index + 1]?.firstWidths[0] ?? 0) + LEAST_SLACK;
  });
  return early.length < lines.length * 0.3;
}

/**
 * The text, as long as it was, with a tab for each line break that its reading would join: none of these is a place to cut a text before
 * any other, and like a line break it is a grapheme cluster by itself.
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

/** For each line but the last whether its break has a sense, and so stays. */
export function breaksOf(lines: readonly string[], places: readonly (Place | undefined)[] = []): boolean[] {
  const breaks = lines.slice(1).map(() => true);
  for (let start = 0; start < lines.length; ) {
    let end = start;
    while (end < lines.length && lines[end] !== '') end += 1;
    const block = judgeBlock(lines.slice(start, end), places.slice(start, end));
    for (let index = start; index < end - 1; index += 1) breaks[index] = !isJoined(block, index - start);
    start = end + 1;
  }
  return breaks;
}
