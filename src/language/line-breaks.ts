/**
 * Lines of a page that no blank line parts, and which of them go on in the next (spec §2, the reading of a page): by their ends, by how
 * much room there was, and by where they stand, as far as that is known.
 */
import type { Place } from './page-layout.ts';

/** The marks that end a phrase in Tibetan: the shad and its kinds. */
const SHAD = '\u0f0d-\u0f12\u0f14';
const ENDS_IN_SHAD = new RegExp(`(?:[${SHAD}]|(?<=[\\p{Script=Tibetan}\\s])\\|)["'”’»)\\]\\s་༌]*$`, 'u');
const ENDS_IN_TSHEG = new RegExp(`(?<![${SHAD}|]\\s*)[་༌]$`, 'u');
const ENDS_BARE = /\p{Script=Tibetan}$/u;
/** After these letters the shad is not written, where nothing but a space follows. */
export const ENDS_IN_GA = /[ཀག]$/u;
const ENDS_SENTENCE = /(?:[。！？：；…｡]|[.!?](?=["'”’“‘」』）)]*$))["'”’“‘」』）)】》]*$/u;
/** Verse in Chinese ends its lines in a comma, too. */
const ENDS_IN_PUNCTUATION = /[，、。！？；：…,.!?;:]["'”’」』）)】》]*$/u;
/** What it says follows. */
const ENDS_OPEN = /(?:[，、：；,:;（(「『《]|(?<![。！？…])[“‘])$/u;
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
interface Line {
  readonly text: string;
  /** In each of the measures. */
  readonly widths: readonly number[];
  /** Of what would have stood next on the line before, had there been room: the first syllable, character or word. */
  readonly firstWidths: readonly number[];
  readonly syllables: number;
  readonly isTibetan: boolean;
  /** A phrase or sentence is over at its end. */
  readonly isOver: boolean;
  /** The same for lines of one piece of verse; undefined in prose. */
  readonly verse: number | undefined;
  readonly place: Place | undefined;
}

/** Whether the tsheg at the end of a line is not on the page: most lines that end within a phrase do so without one. */
export function areBareAtEnd(lines: readonly string[]): boolean {
  const bare = lines.filter((line) => ENDS_BARE.test(line) && !/[ཀག\u0f0b-\u0f14]$/u.test(line));
  return bare.length > lines.filter((line) => ENDS_IN_TSHEG.test(line)).length;
}

/** Lines that no blank line parts. */
export interface Block {
  readonly lines: readonly Line[];
  readonly dropsTsheg: boolean;
  /** Every line, or of many nearly every one, ends a phrase or sentence: the lines of a list, of a talk, of verse. */
  readonly isOfSentences: boolean;
  /** In each of the measures where the right edge is. */
  readonly edges: readonly number[];
  /** In each of the measures how much the lines that end within a phrase, and so are full, would have had to hold at least. */
  readonly floors: readonly (number | undefined)[];
  /** In em how much room there was, as their places have it, at the ends of lines that were full all the same. */
  readonly slack: number;
}

/** `places`: where the lines stand, if that is known. */
export function judgeBlock(texts: readonly string[], places: readonly (Place | undefined)[] = []): Block {
  const dropsTsheg = areBareAtEnd(texts);
  const lines = inVerse(texts.map((text, index) => judge(text, dropsTsheg, places[index])));
  const edges = MEASURES.map((_, measure) => edgeOf(lines.map(({ widths }) => widths[measure] ?? 0)));
  const floors = MEASURES.map((_, measure) => floorOf(lines, measure, edges[measure] ?? 0));
  const pairs = lines.slice(1).map((next, index) => ({ line: lines[index] ?? next, next }));
  const block = { lines, dropsTsheg, edges, floors, slack: slackOf(pairs), isOfSentences: false };
  const isOfSentences =
    pairs.length >= FEWEST_OF_PAGE
      ? pairs.filter(({ line }) => endsMarked(line)).length >= pairs.length * (1 - MISREAD) && !isFull(lines)
      : pairs.every(({ line }) => line.isOver) && pairs.some(({ line, next }) => isShort(block, line, next));
  return { ...block, isOfSentences };
}

/** Of so many lines that nearly all end in a mark, chance is no reason. */
const FEWEST_OF_PAGE = 5;
/** Such a share of the lines may have lost the mark at their end. */
const MISREAD = 0.2;

/** A phrase is over at its end; in Chinese verse that may be a clause. */
function endsMarked({ text, isTibetan, isOver }: Line): boolean {
  return isOver || (!isTibetan && ENDS_IN_PUNCTUATION.test(text));
}

function judge(text: string, dropsTsheg: boolean, place: Place | undefined): Line {
  const first = FIRST_UNIT.exec(text)?.[0] ?? '';
  return {
    text,
    widths: MEASURES.map((measure) => measure(text)),
    firstWidths: MEASURES.map((measure) => measure(first)),
    syllables: text.match(SYLLABLE)?.length ?? 0,
    isTibetan: ENDS_TIBETAN.test(text),
    isOver: ENDS_IN_SHAD.test(text) || ENDS_SENTENCE.test(text) || (!dropsTsheg && ENDS_IN_GA.test(text)),
    verse: undefined,
    place,
  };
}

/** The first syllable with its tsheg or shad, the first Chinese character with what must not begin a line, or the first word. */
const FIRST_UNIT =
  /^(?:[\u0f0b-\u0f14]*[\p{Script=Tibetan}&&[^\u0f0b-\u0f14]]+[\u0f0b-\u0f14]*|\p{Script=Han}[\p{Po}\p{Pe}\p{Pf}]*|[^\s\p{Script=Han}\p{Script=Tibetan}]+|.)/v;
const SYLLABLE = /[[\p{L}\p{M}]&&\p{Script=Tibetan}]+|\p{Script=Han}/gv;
const ENDS_TIBETAN = /[\p{Script=Tibetan}&&\p{L}][^\p{L}]*$/v;

/** Whether the line of this index goes on in the next one. */
export function isJoined(block: Block, index: number): boolean {
  const [line, next] = [block.lines[index], block.lines[index + 1]];
  if (line === undefined || next === undefined) return false;
  if (standsForItself(line) || standsForItself(next)) return false;
  const isPlaced = line.place !== undefined && next.place !== undefined;
  if (isPlaced && beginsAnew(line, next)) return false;
  if (!isPlaced && line.isOver && BEGINS_SPEECH.test(next.text) && !ENDS_OPEN.test(line.text)) return false;
  if (BEGINS_ANEW.test(next.text) && !ENDS_IN_TSHEG.test(line.text) && !ENDS_OPEN.test(line.text))
    return false;
  if (BEGINS_WITH_NUMBER.test(next.text) && (line.isOver || BEGINS_WITH_NUMBER.test(line.text))) return false;
  if (line.verse !== undefined && line.verse === next.verse) return false;
  if (block.isOfSentences) return false;
  return !(isPlaced ? endsEarly(block, line, next) : isShort(block, line, next));
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
function beginsAnew({ place, isOver }: Line, { place: next, text }: Line): boolean {
  if (place === undefined || next === undefined) return false;
  if (next.isAfterGap) return true;
  // Further out than the line before, and than its column: the first line of what hangs.
  if (next.indent < -INDENT && next.left - place.left < -INDENT && !next.isNewColumn) return true;
  const indent = BEGINS_HALF_EMPTY.test(text) ? 1.5 * INDENT : INDENT;
  // Of two that begin equally far in, the one may go on in the other.
  return next.indent > indent && (isOver || (!next.isNewColumn && next.left - place.left > indent));
}

/** Whether the place of a line says that the first of the next one would have had room on it. */
function endsEarly({ slack }: Block, line: Line, next: Line): boolean {
  const [place, nextPlace] = [line.place, next.place];
  if (place === undefined || nextPlace === undefined) return false;
  const edge = nextPlace.isNewColumn ? place.edge : Math.max(place.edge, nextPlace.edge);
  const room = edge - place.right;
  const left = room - (next.firstWidths[0] ?? 0);
  if (!line.isOver) return left > (edge - place.left) * (ENDS_IN_TSHEG.test(line.text) ? 0.3 : 0.15);
  if (place.isJustified && !line.isTibetan) return room > UNEVEN;
  return left > slack;
}

/** So far from the edge of a justified column ends what ends at it: its full stop fills but half of an em. */
const UNEVEN = 0.85;
/** The least that is taken for room, in em. */
const LEAST_SLACK = 0.4;

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

/** Whether the first of the next line would have had room on this one: then it was not the width that broke it. */
function isShort({ edges, floors }: Block, line: Line, next: Line): boolean {
  return edges.every((edge, measure) => {
    const wanted = wantedBy(line, next, measure);
    const room = edge - wanted;
    if (line.isOver)
      return room > edge * (line.isTibetan ? 0.04 : 0.01) && wanted < (floors[measure] ?? edge);
    return room > edge * (ENDS_IN_TSHEG.test(line.text) ? 0.3 : 0.15);
  });
}

/** What a line would have had to hold for the next one's first unit to stand on it. */
function wantedBy(line: Line, next: Line, measure: number): number {
  return (line.widths[measure] ?? 0) + (next.firstWidths[measure] ?? 0);
}

/** A line of so little of the page's width is no full one. */
const LEAST_OF_EDGE = 0.7;
/** So many of the full lines may be taken for full though they are not. */
const DOUBTFUL_OF_FULL = 0.08;

function floorOf(lines: readonly Line[], measure: number, edge: number): number | undefined {
  const wanted: number[] = [];
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    const isFull = !line.isOver && (line.widths[measure] ?? 0) > edge * LEAST_OF_EDGE;
    if (isFull && next !== undefined) wanted.push(wantedBy(line, next, measure));
  }
  wanted.sort((one, other) => one - other);
  return wanted[Math.floor(wanted.length * DOUBTFUL_OF_FULL)];
}

/** So many lines share the right edge of a page, where there are enough. */
const AT_EDGE = 3;
/** A heading over two columns may be longer. */
const MOST_BEYOND_EDGE = 2;
/** How far apart lines end that end at one edge. */
const EDGE_BAND = 0.93;

/** The right edge of a page: the greatest width that several lines have in common, else the longest line's. */
function edgeOf(unsorted: readonly number[]): number {
  const widths = [...unsorted].sort((one, other) => other - one);
  const shared = widths
    .slice(0, MOST_BEYOND_EDGE + 1)
    .findIndex((width, index) => (widths[index + AT_EDGE - 1] ?? 0) >= width * EDGE_BAND);
  return widths[Math.max(shared, 0)] ?? 0;
}

/** So many lines of verse stand together at least, where they are not all that there is. */
const FEWEST_OF_VERSE = 4;

/** Whether places tell that Tibetan lines end where they do for want of room: of the lines of verse many are shorter than the longest. */
function isFull(lines: readonly Line[]): boolean {
  const lengthOf = ({ place }: Line): number => (place === undefined ? 0 : place.right - place.left);
  const longest = Math.max(...lines.map(lengthOf));
  const early = lines.filter((line, index) => {
    if (line.place === undefined || !line.isTibetan) return true;
    return longest - lengthOf(line) > (lines[index + 1]?.firstWidths[0] ?? 0) + LEAST_SLACK;
  });
  return early.length < lines.length * 0.3;
}

/** Of Chinese characters one may be lost to recognition: the room that they take tells better, in em. */
function areAlikeLong(one: Line, other: Line): boolean {
  if (one.isTibetan) return Math.abs(one.syllables - other.syllables) <= 1;
  if (one.place === undefined || other.place === undefined) return one.syllables === other.syllables;
  return Math.abs(one.place.right - one.place.left - (other.place.right - other.place.left)) < 0.7;
}

/** The lines with the verse that they belong to: lines of one length that each end in a shad, or in Chinese in a mark. */
function inVerse(lines: readonly Line[]): Line[] {
  const isVerse = (one: Line | undefined, other: Line | undefined): boolean =>
    one !== undefined &&
    other !== undefined &&
    one.isTibetan === other.isTibetan &&
    areAlikeLong(one, other) &&
    [one, other].every(endsMarked);
  const result: Line[] = [];
  for (let start = 0; start < lines.length; ) {
    let end = start + 1;
    while (isVerse(lines[end - 1], lines[end])) end += 1;
    const count = end - start;
    const verse = count > 1 && (count >= FEWEST_OF_VERSE || count === lines.length) ? start : undefined;
    result.push(...lines.slice(start, end).map((line) => ({ ...line, verse })));
    start = end;
  }
  return result;
}

/** Roughly in ems: the marks of a stack take no room of their own. */
export function printedWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    if (/[\p{Script=Han}\u3000-\u303f\uff00-\uff60]/u.test(character)) width += 1;
    else if (/[\p{Script=Tibetan}&&\p{L}]/v.test(character)) width += 0.6;
    else if (/[་༌]/u.test(character)) width += 0.25;
    else width += 0.5;
  }
  return width;
}

/** How a page may have been measured that was broken: by a printer, in characters, in code points. A line is short in all or not at all. */
const MEASURES: readonly ((text: string) => number)[] = [
  printedWidth,
  (text) => text.replace(/\p{M}/gu, '').length,
  (text) => text.length,
];

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
