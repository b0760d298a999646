/** How wide the lines of a page are, and whether the first of the next line would have had room on one: then it was not the width that broke it. */
import { ENDS_IN_GA, ENDS_IN_TSHEG, type Line, MEASURES } from './line.ts';

/** What is known of the width of a page in one of the measures. */
interface PageWidth {
  /** Where the right edge is. */
  readonly edge: number;
  /** How much the lines that end within a phrase, and so are full, would have had to hold at least; nearly all of them. */
  readonly floor: number | undefined;
  /** The page was broken by this very measure: what no line holds more of, though each full one would have had to. */
  readonly exact: number | undefined;
}

/** In each of the measures. */
export function widthsOfPage(lines: readonly Line[]): PageWidth[] {
  return MEASURES.map((_, measure) => {
    const edge = edgeOf(lines.map(({ widths }) => widths[measure] ?? 0));
    const full = lines.flatMap((line, index) => {
      const next = lines[index + 1];
      const isFull = !line.isOver && (line.widths[measure] ?? 0) > edge * LEAST_OF_EDGE;
      return isFull && next !== undefined ? [{ line, next }] : [];
    });
    const wanted = full.map(({ line, next }) => wantedBy(line, next, measure));
    wanted.sort((one, other) => one - other);
    // Of a text file there may be more lines than a call takes arguments.
    const held = lines.reduce((most, { leastWidths }) => Math.max(most, leastWidths[measure] ?? 0), 0);
    const isExact =
      full.length >= FEWEST_OF_EXACT &&
      full.every(({ line, next }) => mayBeOver(line) || wantedExactly(line, next, measure) > held);
    return {
      edge,
      floor: wanted[Math.floor(wanted.length * DOUBTFUL_OF_FULL)],
      exact: isExact ? held : undefined,
    };
  });
}

/** A line of so little of the page's width is no full one. */
export const LEAST_OF_EDGE = 0.7;
/** So many of the full lines may be taken for full though they are not. */
export const DOUBTFUL_OF_FULL = 0.08;
/** So many full lines that agree to the last character are no chance. */
const FEWEST_OF_EXACT = 4;

/** Whether a line is so short that the first of the next one would have had room on it. */
export function isShort(page: readonly PageWidth[], line: Line, next: Line): boolean {
  if (mayBeOver(line) && page.some(({ exact }) => exact !== undefined))
    return page.every(
      ({ exact }, measure) => exact === undefined || wantedExactly(line, next, measure) <= exact,
    );
  return page.every(({ edge, floor = edge }, measure) => {
    const wanted = wantedBy(line, next, measure);
    const room = edge - wanted;
    if (line.isOver) return room > edge * (line.isTibetan ? 0.04 : 0.01) && wanted < floor;
    return room > edge * (ENDS_IN_TSHEG.test(line.text) ? 0.3 : 0.15);
  });
}

/** After these letters no shad is written, and where the tsheg is dropped, too, nothing but the room tells. */
function mayBeOver({ text, isOver }: Line): boolean {
  return isOver || ENDS_IN_GA.test(text);
}

/** What a line would have had to hold for the next one's first unit to stand on it. */
function wantedBy(line: Line, next: Line, measure: number): number {
  return (line.widths[measure] ?? 0) + (next.firstWidths[measure] ?? 0);
}

/** The same with what would have stood between the two. */
function wantedExactly(line: Line, next: Line, measure: number): number {
  return wantedBy(line, next, measure) + (line.gapWidths[measure] ?? 0);
}

/** So many lines share the right edge of a page, where there are enough; of a long page such a share. */
const AT_EDGE = 3;
/** A heading over two columns may be longer; on a long page such a share of the lines. */
const MOST_BEYOND_EDGE = 2;
const SHARE_OF_LONG_PAGE = 0.04;
/** How far apart lines end that end at one edge. */
const EDGE_BAND = 0.93;

/** The right edge of a page: the greatest width that several lines have in common, else the longest line's. */
function edgeOf(unsorted: readonly number[]): number {
  const widths = [...unsorted].sort((one, other) => other - one);
  const ofLongPage = Math.round(widths.length * SHARE_OF_LONG_PAGE);
  const [most, least] = [Math.max(MOST_BEYOND_EDGE, ofLongPage), Math.max(AT_EDGE, ofLongPage)];
  const shared = widths
    .slice(0, most + 1)
    .findIndex((width, index) => (widths[index + least - 1] ?? 0) >= width * EDGE_BAND);
  return widths[Math.max(shared, 0)] ?? 0;
}
