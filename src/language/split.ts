/** Cuts a long text into as few pieces as possible within a limit, at the best boundaries that allow this; or shortens it to one. */
import { CutRank, rankCuts } from './boundaries.ts';
import { withoutBreaksOfWidth } from './reading/line-breaks.ts';

/** The length of a message (Bot API, sendMessage), in UTF-16 units. */
export const TELEGRAM_LIMIT = 4096;

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Pieces of at most `limit` code points (2 or more) for the service, cut at the boundaries of spec §2 (boundaries.ts). Joined, they are the
 * text again; an empty text has none. A cut falls inside a grapheme cluster only if the cluster alone exceeds the limit, and never inside a
 * surrogate pair. A line break that only the page's width has made counts as a space. No piece is only white space if that can be avoided.
 */
export function splitForService(text: string, limit: number): string[] {
  return split(text, withoutBreaksOfWidth, limit, CODE_POINTS);
}

/** The same in pieces of at most `limit` UTF-16 units. Telegram refuses messages of only white space. */
export function splitForTelegram(text: string, limit: number = TELEGRAM_LIMIT): string[] {
  return split(text, (same) => same, limit, UTF_16);
}

/** The unit of a limit. Offsets are in UTF-16 units. */
interface Unit {
  /** The length of a part of a text. */
  between(text: string, start: number, end: number): number;
  /** The offset that is at most so much further on or back. */
  moved(text: string, offset: number, by: number): number;
}

const UTF_16: Unit = {
  between: (_, start, end) => end - start,
  moved: (text, offset, by) => Math.min(Math.max(0, offset + by), text.length),
};

const CODE_POINTS: Unit = {
  between: (text, start, end) => {
    let length = 0;
    for (let offset = start; offset < end; length++) offset += isPair(text, offset) ? 2 : 1;
    return length;
  },
  moved: (text, offset, by) => {
    let moved = offset;
    for (let left = by; left > 0 && moved < text.length; left--) moved += isPair(text, moved) ? 2 : 1;
    for (let left = by; left < 0 && moved > 0; left++) moved -= isPair(text, moved - 2) ? 2 : 1;
    return moved;
  },
};

/** Length in Unicode code points, the unit of the service's limit, without copying the text; half a surrogate pair counts as one. */
export function codePointLength(text: string): number {
  return CODE_POINTS.between(text, 0, text.length);
}

/** Whether one character stands at this offset and the next one. */
function isPair(text: string, offset: number): boolean {
  return (text.codePointAt(offset) ?? 0) > LAST_OF_ONE_UNIT;
}

const LAST_OF_ONE_UNIT = 0xffff;

/** `prepared` returns a text of the same length, by which the cuts are chosen. */
function split(text: string, prepared: (text: string) => string, limit: number, unit: Unit): string[] {
  if (text === '') return [];
  if (unit.between(text, 0, text.length) <= limit) return [text];
  const ends = bestEnds(cutPointsOf(prepared(text), limit, unit), limit);
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

/** How far back to look for the start of a cluster, in UTF-16 units: even 250 flags in a row are told apart. */
const MAX_RUN_LENGTH = 1024;

/** The clusters of a text. Those that no piece can hold may be cut between any characters. */
function clustersOf(text: string, limit: number, unit: Unit) {
  /** A piece takes at most two UTF-16 units per unit of the limit. Further away the search would take long in an endless cluster. */
  const reach = 2 * limit + MAX_RUN_LENGTH;
  /** The cluster around this offset, or as much of it as shows that no piece can hold it. */
  const clusterAt = (offset: number) => {
    const from = Math.max(0, offset - reach);
    const around = GRAPHEMES.segment(text.slice(from, offset + reach)).containing(offset - from);
    const { index = 0, segment = '' } = around ?? {};
    return {
      start: from + index,
      cluster: segment,
      isTooLong: unit.between(segment, 0, segment.length) > limit,
    };
  };
  /** The nearest offset, back or on, where the text may be cut. */
  const nearest = (offset: number, isBack: boolean): number => {
    if (offset === text.length) return offset;
    const { start, cluster, isTooLong } = clusterAt(offset);
    if (start === offset) return offset;
    if (!isTooLong) return isBack ? start : start + cluster.length;
    if (!isPair(text, offset - 1)) return offset;
    return isBack ? offset - 1 : offset + 1;
  };
  return { isTooLong: (offset: number): boolean => clusterAt(offset).isTooLong, nearest };
}

/** A point where a piece may end. */
interface CutPoint {
  readonly offset: number;
  /** The length of the text before it, in the unit of the limit. */
  readonly length: number;
  /** The offset after the last character before it that is no white space. */
  readonly content: number;
  /** The rank of a cut here. */
  readonly rank: number;
}

/** The text so near to a place, in UTF-16 units, decides its rank. */
const CONTEXT = 64;

/** For each of the fewest possible pieces, the places where it may end, of which each is in reach of the last place of the piece before. */
function cutPointsOf(text: string, limit: number, unit: Unit): CutPoint[][] {
  const { isTooLong, nearest } = clustersOf(text, limit, unit);
  let [measured, length] = [0, 0];
  return rangesOf(text, limit, unit, nearest).map(([first, last]) => {
    const from = nearest(Math.max(0, first - CONTEXT), true);
    const excerpt = text.slice(from, last + CONTEXT);
    const starts = Array.from(GRAPHEMES.segment(excerpt), ({ index }) => from + index);
    starts.push(from + excerpt.length);
    const searched = Math.max(0, first - 2 * limit);
    let content = searched + text.slice(searched, first).trimEnd().length;
    const places: CutPoint[] = [];
    const add = (offset: number, rank: number): void => {
      if (offset < first || offset > last) return;
      if (offset > first && text.slice(places.at(-1)?.offset, offset).trim() !== '') content = offset;
      length += unit.between(text, measured, offset);
      measured = offset;
      places.push({ offset, length, content, rank });
    };
    for (const [index, rank] of rankCuts(text, starts).entries()) {
      const [start = 0, end = text.length] = [starts[index], starts[index + 1]];
      add(start, rank);
      // The excerpt may hold only a part of the first and the last one.
      const mayBeTooLong = index === 0 || index === starts.length - 2 || end - start > limit;
      if (!mayBeTooLong || !isTooLong(start)) continue;
      for (let inside = start + 1; inside < end; inside++)
        if (!isPair(text, inside - 1)) add(inside, CutRank.insideCluster);
    }
    if (places.at(-1)?.offset !== last) add(last, CutRank.insideCluster);
    return places;
  });
}

/** How many places of a text are compared at most, in UTF-16 units, which takes some ten ms; and at the end of each piece at least. */
const MAX_COMPARED = 40_000;
const MIN_COMPARED = 256;

/**
 * For each of the fewest possible pieces, the first and the last place where it may end. The last ones are in reach of each other. Where
 * pieces have more room than is compared, it is given up evenly, from the first piece to the last.
 */
function rangesOf(
  text: string,
  limit: number,
  unit: Unit,
  nearest: (offset: number, isBack: boolean) => number,
): [number, number][] {
  const endAfter = (start: number): number => nearest(unit.moved(text, start, limit), true);
  const latest: number[] = [];
  for (let end = 0; end < text.length; latest.push(end)) end = endAfter(end);
  const earliest: number[] = [];
  for (let end = text.length; end > 0; end = nearest(unit.moved(text, end, -limit), false))
    earliest.push(end);
  earliest.reverse();

  const compared = Math.max(MIN_COMPARED, Math.floor(MAX_COMPARED / latest.length));
  let last = 0;
  const ranges = latest.map((end, index): [number, number] => {
    const start = earliest[index] ?? end;
    const givenUp = (Math.max(0, end - start - compared) * index) / latest.length;
    last = Math.min(endAfter(last), nearest(end - Math.floor(givenUp), true));
    const first = Math.max(start, nearest(Math.max(0, last - compared), false));
    return [Math.min(first, last), last];
  });
  // In a run longer than is searched, clusters may differ when seen from another side; then nothing is given up.
  return last === text.length ? ranges : latest.map((end) => [end, end]);
}

/** The end of a piece, and of those before it. */
interface PieceEnd {
  readonly offset: number;
  readonly length: number;
  readonly before: PieceEnd | undefined;
  /** Of all cuts up to here. */
  readonly cost: number;
}

/** Each step to a lesser boundary costs four times as much, so few cuts fall inside words. */
const costOf = (rank: number): number => 2 ** (CutRank.paragraph - rank);
/** Of a piece that is only white space: more than all cuts of any text together. */
const COST_OF_BLANK = 2 ** 40;

/**
 * The ends, in UTF-16 units, of pieces within the limit whose cuts cost least together; of several such, those with the latest last cut,
 * then the latest one before it, and so on.
 */
function bestEnds(pieces: readonly (readonly CutPoint[])[], limit: number): number[] {
  let ends: PieceEnd[] = [{ offset: 0, length: 0, before: undefined, cost: 0 }];
  for (const places of pieces) {
    const starts = ends;
    /** Where a piece may start that is not only white space, each cheaper than the next. */
    const cheapest: PieceEnd[] = [];
    let [head, next] = [0, 0];
    ends = places.map(({ offset, length, content, rank }) => {
      for (let start = starts[next]; start !== undefined && start.offset < content; start = starts[next]) {
        while (cheapest.length > head && (cheapest.at(-1)?.cost ?? 0) >= start.cost) cheapest.pop();
        cheapest.push(start);
        next += 1;
      }
      while (length - (cheapest[head]?.length ?? length) > limit) head += 1;
      const before = cheapest[head] ?? starts.at(-1);
      const cost = (before?.cost ?? 0) + costOf(rank) + (head < cheapest.length ? 0 : COST_OF_BLANK);
      return { offset, length, before, cost };
    });
  }
  const best: number[] = [];
  for (let end = ends.at(-1); end?.before !== undefined; end = end.before) best.push(end.offset);
  return best.reverse();
}

/** Ends a shortened text. */
export const ELLIPSIS = '…';

/** A letter of a script with syllables or words; Chinese may be cut between any two characters. */
const LETTER = /^(?!\p{Script=Han})\p{Letter}/u;
/** White space, a tsheg, or a Tibetan mark that ends a clause. */
const WORD_END = /[\s་-༔]$/u;
/** How many UTF-16 units may be given up to avoid cutting a syllable or word. */
const MAX_GIVEN_UP = 24;

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
      if (isInsideWord && wordEnd > 0 && end - wordEnd <= MAX_GIVEN_UP) end = wordEnd;
      break;
    }
    end = index + segment.length;
    if (WORD_END.test(segment)) wordEnd = end;
    last = segment;
  }
  return `${text.slice(0, end).trimEnd()}${ELLIPSIS}`;
}
