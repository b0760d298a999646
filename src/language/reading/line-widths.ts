/** The widths of a page's lines, and whether the next line's first unit would have fit on a line: then its break was meant. */
import { ENDS_IN_TSHEG, ENDS_WITHOUT_SHAD, type Line, MEASURES } from './line.ts';

/** The width of a page in one of the measures. */
interface PageWidth {
  /** The right edge. */
  readonly edge: number;
  /** The page was broken by exactly this measure: not one of its full lines had room for one more unit. */
  readonly isExact: boolean;
}

/** The width of a page in each of the measures. */
export function widthsOfPage(lines: readonly Line[]): PageWidth[] {
  return MEASURES.map((_, measure) => {
    // Not `Math.max(...)`: a text file may have more lines than a call takes arguments.
    const edge = lines.reduce((most, { widths }) => Math.max(most, widths[measure] ?? 0), 0);
    const wanted = lines.flatMap((line, index) => {
      const next = lines[index + 1];
      const isFull = !mayBeOver(line) && (line.widths[measure] ?? 0) > edge * MIN_OF_EDGE;
      return isFull && next !== undefined ? [wantedBy(line, next, measure)] : [];
    });
    return { edge, isExact: wanted.length >= MIN_OF_EXACT && wanted.every((width) => width > edge) };
  });
}

/** A line below this share of the page's width is not full. */
const MIN_OF_EDGE = 0.7;
/** This many full lines that agree to the last character are no coincidence. */
const MIN_OF_EXACT = 4;

/** Whether a line is so short that the next one's first unit would have fit on it. */
export function isShort(page: readonly PageWidth[], line: Line, next: Line): boolean {
  const isExact = mayBeOver(line) && page.some((width) => width.isExact);
  return page.every((width, measure) => {
    const room = width.edge - wantedBy(line, next, measure);
    if (isExact) return room >= 0 || !width.isExact;
    if (line.isOver) return room > width.edge * (line.isTibetan ? 0.06 : 0.01);
    return room > width.edge * (ENDS_IN_TSHEG.test(line.text) ? 0.3 : 0.15);
  });
}

/** After some letters no shad is written; if the tsheg is dropped, too, only the room shows whether a phrase ends. */
function mayBeOver({ text, isOver }: Line): boolean {
  return isOver || ENDS_WITHOUT_SHAD.test(text);
}

/** The width of a line with the separator and the next one's first unit. */
function wantedBy(line: Line, next: Line, measure: number): number {
  return (line.widths[measure] ?? 0) + (MEASURES[measure]?.(line.gap + next.first) ?? 0);
}
