/** The widths of a page's lines, and whether the next line's first unit would have fit on a line: then its break was meant. */
import { ENDS_IN_TSHEG, ENDS_WITHOUT_SHAD, type Line, MEASURES } from './line.ts';

/** The width of a page in one of the measures. */
interface PageWidth {
  /** The right edge. */
  readonly edge: number;
  /** The least that full lines (those that end within a phrase) would have had to hold for one more unit; a few exceptions are ignored. */
  readonly floor: number | undefined;
  /** Set if the page was broken by exactly this measure: no line holds more, and each full line would have had to for one more unit. */
  readonly exact: number | undefined;
}

/** The width of a page in each of the measures. */
export function widthsOfPage(lines: readonly Line[]): PageWidth[] {
  return MEASURES.map((_, measure) => {
    const edge = edgeOf(lines.map(({ widths }) => widths[measure] ?? 0));
    const full = lines.flatMap((line, index) => {
      const next = lines[index + 1];
      const isFull = !line.isOver && (line.widths[measure] ?? 0) > edge * MIN_OF_EDGE;
      return isFull && next !== undefined ? [{ line, next }] : [];
    });
    const wanted = full.map(({ line, next }) => wantedBy(line, next, measure));
    wanted.sort((one, other) => one - other);
    // Not `Math.max(...)`: a text file may have more lines than a call takes arguments.
    const held = lines.reduce((most, { leastWidths }) => Math.max(most, leastWidths[measure] ?? 0), 0);
    const isExact =
      full.length >= MIN_OF_EXACT &&
      full.every(({ line, next }) => mayBeOver(line) || wantedExactly(line, next, measure) > held);
    return {
      edge,
      floor: wanted[Math.floor(wanted.length * DOUBTFUL_OF_FULL)],
      exact: isExact ? held : undefined,
    };
  });
}

/** A line below this share of the page's width is not full. */
export const MIN_OF_EDGE = 0.7;
/** The share of lines that may be wrongly taken for full. */
export const DOUBTFUL_OF_FULL = 0.08;
/** This many full lines that agree to the last character are no coincidence. */
const MIN_OF_EXACT = 4;

/** Whether a line is so short that the next one's first unit would have fit on it. */
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

/** After some letters no shad is written; if the tsheg is dropped, too, only the room shows whether a phrase ends. */
function mayBeOver({ text, isOver }: Line): boolean {
  return isOver || ENDS_WITHOUT_SHAD.test(text);
}

/** The width of a line with the next one's first unit. */
function wantedBy(line: Line, next: Line, measure: number): number {
  return (line.widths[measure] ?? 0) + (next.firstWidths[measure] ?? 0);
}

/** The same with the separator between the two. */
function wantedExactly(line: Line, next: Line, measure: number): number {
  return wantedBy(line, next, measure) + (line.gapWidths[measure] ?? 0);
}

/** How many lines must share the right edge; on a long page a share of the lines. */
const AT_EDGE = 3;
/** How many lines may go beyond it (a heading over two columns); on a long page a share of the lines. */
const MAX_BEYOND_EDGE = 2;
const SHARE_OF_LONG_PAGE = 0.04;
/** Lines that end at one edge reach at least this share of its width. */
const EDGE_BAND = 0.93;

/** The right edge of a page: the greatest width that several lines share, else that of the longest line. */
function edgeOf(unsorted: readonly number[]): number {
  const widths = [...unsorted].sort((one, other) => other - one);
  const ofLongPage = Math.round(widths.length * SHARE_OF_LONG_PAGE);
  const [most, least] = [Math.max(MAX_BEYOND_EDGE, ofLongPage), Math.max(AT_EDGE, ofLongPage)];
  const shared = widths
    .slice(0, most + 1)
    .findIndex((width, index) => (widths[index + least - 1] ?? 0) >= width * EDGE_BAND);
  return widths[Math.max(shared, 0)] ?? 0;
}
