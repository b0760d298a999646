/**
 * The positions of a page's lines, if the service gives them (service-interface §2.4): indents, the distance to the right edge, and gaps
 * between lines.
 */

/** The box around a printed line, in pixels from the top-left corner of the page. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The position of a line on its page. Lengths are in em (the width of a Chinese character), so that pages can be compared. */
export interface LinePosition {
  readonly left: number;
  readonly right: number;
  /** The right edge of the lines with the same left edge. */
  readonly edge: number;
  /** The right edge of the lines that begin where most lines of the column do. */
  readonly edgeOfColumn: number;
  /** Its indent from the usual left edge of its column; negative if it begins further left. */
  readonly indent: number;
  /** Nearly all lines of its column end at the edge. */
  readonly isJustified: boolean;
  /** There is more space above it than usual. */
  readonly isAfterGap: boolean;
  /** There is more space than the heights of letters could explain: a footnote or a footer. */
  readonly isFarBelow: boolean;
  /** It stands beside or above the line before. */
  readonly isNewColumn: boolean;
}

/** Lines that begin within this distance have the same left edge, in em. */
const ALIGNED = 0.6;
/** A gap, as a multiple of the usual line distance. The heights of Tibetan lines vary, and move their middles by a tenth. */
const GAP = 1.28;
const FAR = 1.5;
/** A line within this distance ends at the edge, in em. */
const FLUSH = 0.4;
/** A full Chinese line may lack one character, where a mark would have had to come onto it with the next one. */
const ROOM_OF_FULL = 1.5;
/** At most two marks hang over the edge, in em. */
const MAX_HANGING = 1.5;
/** The fewest lines that show how a column is set. */
const FEWEST = 4;

/** The place of each line; undefined if a line has no box, or the boxes do not fit the lines. `widthOf`: the printed width of a text, in em. */
export function positionsOf(
  lines: readonly string[],
  boxes: readonly (Box | undefined)[],
  widthOf: (text: string) => number,
): readonly LinePosition[] | undefined {
  const known = boxes.flatMap((box) => (box !== undefined && box.width > 0 && box.height > 0 ? [box] : []));
  if (lines.length < 2 || boxes.length !== lines.length || known.length < lines.length) return undefined;
  const em = median(known.map(({ width }, index) => width / Math.max(1, widthOf(lines[index] ?? ''))));
  if (!(em > 0)) return undefined;
  const scaled = known.map(({ left, top, width, height }) => ({
    left: left / em,
    right: (left + width) / em,
    top: top / em,
    bottom: (top + height) / em,
  }));
  const isNewColumn = scaled.map((box, index) => {
    const before = scaled[index - 1];
    if (before === undefined) return false;
    const isAbove = box.bottom < (before.top + before.bottom) / 2;
    const isBeside = (box.left > before.right || box.right < before.left) && box.top < before.bottom;
    return isAbove || isBeside;
  });
  const middles = scaled.map(({ top, bottom }) => (top + bottom) / 2);
  const pitches = middles.map((middle, index) => middle - (middles[index - 1] ?? Number.NaN));
  const pitch = median(pitches.filter((distance, index) => distance > 0 && !isNewColumn[index]));
  let column = -1;
  const columns = isNewColumn.map((isNew, index) => {
    if (isNew || index === 0) column += 1;
    return column;
  });
  return scaled.map((box, index) => {
    const ofColumn = scaled.filter((_, other) => columns[other] === columns[index]);
    const beside = ofColumn.filter(({ left }) => Math.abs(left - box.left) < ALIGNED);
    const edge = edgeOf(beside);
    const body = bodyLeft(ofColumn);
    const ofBody = ofColumn.filter(({ left }) => Math.abs(left - body) < ALIGNED);
    const bodyEdge = edgeOf(ofBody);
    const flush = ofBody.filter(({ right }) => bodyEdge - right < FLUSH);
    return {
      left: box.left,
      right: box.right,
      edge,
      edgeOfColumn: bodyEdge,
      indent: box.left - body,
      isJustified: ofBody.length >= FEWEST && flush.length > ofBody.length * 0.6,
      isAfterGap: !isNewColumn[index] && (pitches[index] ?? 0) > pitch * GAP,
      isFarBelow: !isNewColumn[index] && (pitches[index] ?? 0) > pitch * FAR,
      isNewColumn: isNewColumn[index] === true,
    };
  });
}

/** The right edge of lines. Ignores a single longer one: it hangs over the edge, or was recognised with a speck beside it. */
function edgeOf(lines: readonly { readonly right: number }[]): number {
  const [longest = 0, next = longest] = lines.map(({ right }) => right).sort((one, other) => other - one);
  return lines.length >= FEWEST && longest - next < MAX_HANGING ? next : longest;
}

/**
 * The left edge of a column without paragraph indents: where most lines begin, unless most are short indented paragraphs; then the lines
 * before the leftmost ones are full.
 */
function bodyLeft(column: readonly { readonly left: number; readonly right: number }[]): number {
  const lefts = column.map(({ left }) => left);
  const counts = lefts.map((left) => lefts.filter((other) => Math.abs(other - left) < ALIGNED).length);
  const most = Math.max(...counts);
  const common = Math.min(...lefts.filter((_, index) => counts[index] === most));
  const leftmost = Math.min(...lefts);
  if (common - leftmost < ALIGNED) return leftmost;
  const edge = Math.max(...column.map(({ right }) => right));
  const before = column.filter((_, index) => (lefts[index + 1] ?? common) - leftmost < ALIGNED);
  const full = before.filter(({ right }) => edge - right < ROOM_OF_FULL);
  return before.length > 0 && full.length * 2 > before.length ? leftmost : common;
}

function median(unsorted: readonly number[]): number {
  const sorted = [...unsorted].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
