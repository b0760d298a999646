/** Shortens a text for a place that holds no more, where the whole of it stands elsewhere. */

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** What stands at the end of a text that was cut. */
export const ELLIPSIS = '…';

/** The text in at most `limit` UTF-16 units, cut at the latest grapheme cluster boundary and marked with `…`. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = limit - ELLIPSIS.length;
  let end = 0;
  for (const { index, segment } of GRAPHEMES.segment(text.slice(0, limit + 1))) {
    if (index + segment.length > room) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end).trimEnd()}${ELLIPSIS}`;
}
