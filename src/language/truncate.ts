/** Shortens a text for a place that holds no more; the whole text stands elsewhere. */

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Ends a shortened text. */
export const ELLIPSIS = '…';

/** A letter of a script with syllables or words; Chinese may be cut between any two characters. */
const LETTER = /^(?!\p{Script=Han})\p{Letter}/u;
/** White space, a tsheg, or a Tibetan mark that ends a clause. */
const WORD_END = /[\s་-༔]$/u;
/** How many UTF-16 units may be given up to avoid cutting a syllable or word. */
const MOST_GIVEN_UP = 24;

/**
 * The text in at most `limit` UTF-16 units, with `…` if it was cut: after the last whole syllable or word, or, if none ends nearby, after
 * the last grapheme cluster.
 */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = limit - ELLIPSIS.length;
  let end = 0;
  let wordEnd = 0;
  let last = '';
  for (const { index, segment } of GRAPHEMES.segment(text.slice(0, limit + 1))) {
    if (index + segment.length > room) {
      const isInsideWord = LETTER.test(last) && LETTER.test(segment);
      if (isInsideWord && wordEnd > 0 && end - wordEnd <= MOST_GIVEN_UP) end = wordEnd;
      break;
    }
    end = index + segment.length;
    if (WORD_END.test(segment)) wordEnd = end;
    last = segment;
  }
  return `${text.slice(0, end).trimEnd()}${ELLIPSIS}`;
}
