/** Sections of a long text, for work that would hold the event loop too long if it were done on all of it at once. */

export const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** In UTF-16 units. The slowest work on so many takes some 5 ms. */
const MAX_LENGTH = 8000;

export interface Section {
  readonly start: number;
  readonly end: number;
  /** It begins inside a grapheme cluster that is longer than a section. */
  readonly isTorn: boolean;
}

/** Each ends where `isEnd` allows that, as late as possible; if it does so nowhere in half a section, between two grapheme clusters. */
export function* sectionsOf(
  text: string,
  isEnd: (text: string, at: number) => boolean,
): Generator<Section, void> {
  let [start, isTorn] = [0, false];
  while (text.length - start > MAX_LENGTH) {
    const last = start + MAX_LENGTH;
    let end = last;
    while (end > last - MAX_LENGTH / 2 && !isEnd(text, end)) end -= 1;
    if (end === last - MAX_LENGTH / 2) end = clusterAt(text, start, last);
    const isInside = end === start;
    // Not between the halves of a surrogate pair.
    if (isInside) end = (text.codePointAt(last - 1) ?? 0) > 0xffff ? last - 1 : last;
    yield { start, end, isTorn };
    [start, isTorn] = [end, isInside];
  }
  yield { start, end: text.length, isTorn };
}

/** The beginning of the grapheme cluster that holds the character at `at`; `start` if it begins there or before. */
function clusterAt(text: string, start: number, at: number): number {
  const clusters = GRAPHEMES.segment(text.slice(start, at + 2));
  return start + (clusters.containing(at - start)?.index ?? 0);
}

const SPACE = /\s/u;

/** Whether white space ends here. */
export function isBehindSpace(text: string, at: number): boolean {
  return SPACE.test(text.charAt(at - 1)) && !SPACE.test(text.charAt(at));
}
