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
  /** Its indent from the leftmost line of its column. */
  readonly indent: number;
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
    const edge = Math.max(...beside.map(({ right }) => right));
    const leftmost = Math.min(...ofColumn.map(({ left }) => left));
    return {
      left: box.left,
      right: box.right,
      edge,
      indent: box.left - leftmost,
      isAfterGap: !isNewColumn[index] && (pitches[index] ?? 0) > pitch * GAP,
      isFarBelow: !isNewColumn[index] && (pitches[index] ?? 0) > pitch * FAR,
      isNewColumn: isNewColumn[index] === true,
    };
  });
}

function median(unsorted: readonly number[]): number {
  const sorted = [...unsorted].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
