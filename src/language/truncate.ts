/** Shortens a text for a place that holds no more, where the whole of it stands elsewhere. */

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** What stands at the end of a text that was cut. */
export const ELLIPSIS = '…';

/** A letter of a script that is written in syllables or words; between two Chinese characters any place will do. */
const LETTER = /^(?!\p{Script=Han})\p{Letter}/u;
/** White space, a tsheg, or the marks that end a clause in Tibetan. */
const WORD_END = /[\s་-༔]$/u;
/** So many UTF-16 units are given up so that no syllable and no word is cut. */
const MOST_GIVEN_UP = 24;

/**
 * The text in at most `limit` UTF-16 units, marked with `…`, cut at the latest end of a syllable or word, or where there is none near at
 * the latest grapheme cluster boundary.
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
