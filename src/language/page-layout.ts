/**
 * Where the lines of a page stand on it, as far as the service tells (service-interface §2.4): what begins further in, what ends before
 * the right edge, and where there is more space above than between other lines.
 */

/** Around the print of a line; pixels from the top-left corner of the page. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A line on its page. Lengths are in em, the width of a Chinese character, so that those of two pages can be compared. */
export interface Place {
  readonly left: number;
  readonly right: number;
  /** Where the lines end that begin as far left as this one: their right edge. */
  readonly edge: number;
  /** The same of those that begin where most lines of its column do. */
  readonly edgeOfColumn: number;
  /** How much further in it begins than the lines of its column do; negative where it begins further out. */
  readonly indent: number;
  /** Nearly all lines of its column end at the edge. */
  readonly isJustified: boolean;
  /** There is more space above it than between other lines. */
  readonly isAfterGap: boolean;
  /** So much more that no heights of letters account for it: a footnote, or a footer. */
  readonly isFarBelow: boolean;
  /** It stands beside or above the line before. */
  readonly isNewColumn: boolean;
}

/** Lines that begin so near to one another begin at one place, in em. */
const ALIGNED = 0.6;
/** So much more than the usual distance between lines is a gap. Tibetan lines are of many heights: their middles wander by a tenth. */
const GAP = 1.28;
const FAR = 1.5;
/** So near to the edge a line ends at it, in em. */
const FLUSH = 0.4;
/** Two marks hang over the edge at most, in em. */
const MOST_HANGING = 1.5;
/** So many lines at least tell how a column is set. */
const FEWEST = 4;

/** The place of each line. Undefined where not every line has a box, or boxes cannot be of these lines. `widthOf`: in em, as it would be printed. */
export function placesOf(
  lines: readonly string[],
  boxes: readonly (Box | undefined)[],
  widthOf: (text: string) => number,
): readonly Place[] | undefined {
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

/** Where these lines end. One of several that reaches further by itself hangs over the edge, or was recognised with a speck beside it. */
function edgeOf(lines: readonly { readonly right: number }[]): number {
  const [longest = 0, next = longest] = lines.map(({ right }) => right).sort((one, other) => other - one);
  return lines.length >= FEWEST && longest - next < MOST_HANGING ? next : longest;
}

/**
 * Where the lines of a column begin that begin no paragraph: most of them, unless these are short paragraphs that begin further in. Then
 * the lines before those that begin leftmost are full.
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
  const full = before.filter(({ right }) => edge - right < 1);
  return before.length > 0 && full.length * 2 > before.length ? leftmost : common;
}

function median(unsorted: readonly number[]): number {
  const sorted = [...unsorted].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
