/** Where the lines of a column end: at its longest line, unless that is a heading over columns, or two lines that were read as one. */

interface Measured {
  readonly width: number;
  /** It ends within a phrase, so that only the width of the column can have ended it. */
  readonly isBroken: boolean;
}

/** A line is far longer than the others if it is longer than the longest of them by this factor. */
const FAR_LONGER = 1.5;
/** At most this share of the lines is far longer. */
const MAX_FAR = 0.2;
/** So many lines, and this share of all that are not far longer but the last, end near the edge without ending a phrase. */
const MIN_NEAR = 4;
const MIN_SHARE_NEAR = 0.6;
/** Near the edge is what leaves this share of the width at most. */
const NEAR = 0.15;

/** The narrowest column, in em, characters or UTF-16 units: names, short items and lines of verse are no column. */
const MIN_COLUMN = 10;

/** The width of a column; all lengths are in one measure. */
export function edgeOf(lines: readonly Measured[]): number {
  // Not `Math.max(...)`: a text file may have more lines than a call takes arguments.
  const longest = lines.reduce((most, { width }) => Math.max(most, width), 0);
  const widths = lines.map(({ width }) => width).sort((one, other) => other - one);
  const far = widths.findIndex((width, index) => width > (widths[index + 1] ?? 0) * FAR_LONGER);
  const edge = widths[far + 1] ?? 0;
  if (far + 1 > lines.length * MAX_FAR || edge < MIN_COLUMN) return longest;
  const near = lines.filter(({ width, isBroken }) => isBroken && width <= edge && width >= edge * (1 - NEAR));
  const isColumn = near.length >= MIN_NEAR && near.length >= (lines.length - far - 2) * MIN_SHARE_NEAR;
  return isColumn ? edge : longest;
}
