/** Cuts a long text into the fewest pieces that fit a limit, each at the best boundary that keeps them the fewest. */
import { CutRank, rankCuts } from './boundaries.ts';
import { withoutBreaksOfWidth } from './line-breaks.ts';

/** Bot API, sendMessage: what one message holds, in UTF-16 units. */
export const TELEGRAM_LIMIT = 4096;

/**
 * Up to so many UTF-16 units every place for a cut is weighed, which takes some ten ms. Of a longer text, such as no person writes and
 * no page holds, filled pieces are cut off from its beginning until so much is left.
 */
const MOST_WEIGHED = 20_000;
/** How much of a filled piece's end is searched for the best place to cut, in the unit of the limit. */
const LOOKED_AT = 256;
/** How many UTF-16 units behind it are looked at to judge its last place. */
const LOOKED_AHEAD = 64;

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Pieces of at most `limit` code points (2 or more) for the service, cut at the boundaries of spec §2 (boundaries.ts).
 * Joined they are the text again; an empty text has none. A cut falls inside a grapheme cluster only where the cluster
 * alone exceeds the limit, and inside a surrogate pair never. A line break that only the width of a page has made is no better a place than
 * a space. A piece of nothing but white space is avoided as far as
 * each cut can see, one piece ahead; where white space is as long as a piece it still comes. It is no paid call's worth.
 */
export function splitForService(text: string, limit: number): string[] {
  const pieces = split(withoutBreaksOfWidth(text), limit, codePointLength);
  let start = 0;
  return pieces.map(({ length }) => {
    start += length;
    return text.slice(start - length, start);
  });
}

/** The same in pieces of at most `limit` UTF-16 units. Telegram refuses a message of nothing but white space. */
export function splitForTelegram(text: string, limit: number = TELEGRAM_LIMIT): string[] {
  return split(text, limit, utf16Length);
}

/** The same of a long text, each piece cut when it is asked for: there may be one piece more, but nobody waits for all to be cut. */
export function* cutForTelegram(text: string): Generator<string> {
  const rest = yield* filledPieces(text, TELEGRAM_LIMIT, utf16Length, 0);
  yield* weighedPieces(rest, TELEGRAM_LIMIT, utf16Length);
}

/** The length of a text in the unit of a limit. */
type Measure = (text: string) => number;

function utf16Length(text: string): number {
  return text.length;
}

function split(text: string, limit: number, measure: Measure): string[] {
  if (text === '') return [];
  if (measure(text) <= limit) return [text];
  const pieces: string[] = [];
  const filled = filledPieces(text, limit, measure, MOST_WEIGHED);
  for (let next = filled.next(); ; next = filled.next()) {
    if (next.done) return [...pieces, ...weighedPieces(next.value, limit, measure)];
    pieces.push(next.value);
  }
}

/** Pieces from the beginning of a text, filled up until `mostLeft` UTF-16 units at most are left, or two pieces; returns these. */
function* filledPieces(
  text: string,
  limit: number,
  measure: Measure,
  mostLeft: number,
): Generator<string, string> {
  let rest = text;
  while (rest.length > Math.max(mostLeft, 2 * limit) && limit > LOOKED_AT) {
    const piece = filledPiece(rest, limit, measure);
    yield piece;
    rest = rest.slice(piece.length);
  }
  return rest;
}

/** The fewest pieces, each cut at the best of all its places. */
function weighedPieces(text: string, limit: number, measure: Measure): string[] {
  const layout = layOut(text, limit, measure);
  const pieces: string[] = [];
  let start = 0;
  for (const earliestEnd of earliestEnds(layout)) {
    const end = bestEnd(layout, start, earliestEnd);
    pieces.push(layout.units.slice(start, end).join(''));
    start = end;
  }
  return pieces;
}

/** The first piece of a long text, as full as the best place near its end allows. */
function filledPiece(text: string, limit: number, measure: Measure): string {
  const sureLength = limit - LOOKED_AT;
  let sure = 0;
  for (let missing = sureLength; missing > 0; missing = sureLength - measure(text.slice(0, sure)))
    sure += missing;
  const layout = layOut(text.slice(sure, sure + 2 * LOOKED_AT + LOOKED_AHEAD), LOOKED_AT, measure);
  return text.slice(0, sure) + layout.units.slice(0, bestEnd(layout, 0, 1)).join('');
}

/** A text as the units between which it may be cut. All indexes are of units; cut n is the one before unit n. */
interface Layout {
  readonly units: readonly string[];
  /** A unit alone always fits, even one that no limit holds: there is no smaller piece. */
  fits(start: number, end: number): boolean;
  rankOfCut(index: number): number;
  /** The first unit from here on that is not white space; their number where there is none. */
  nextContent(index: number): number;
}

function layOut(text: string, limit: number, measure: Measure): Layout {
  const clusters = Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);
  const clusterRanks = rankCuts(clusters);
  const units: string[] = [];
  const ranks: number[] = [];
  for (const [index, cluster] of clusters.entries()) {
    let rank = clusterRanks[index] ?? CutRank.cluster;
    for (const part of measure(cluster) > limit ? cluster : [cluster]) {
      units.push(part);
      ranks.push(rank);
      rank = CutRank.insideCluster;
    }
  }

  const lengthBefore: number[] = [];
  let length = 0;
  for (const unit of units) {
    lengthBefore.push(length);
    length += measure(unit);
  }

  const contents = units.map(() => units.length);
  let content = units.length;
  for (let index = units.length - 1; index >= 0; index--) {
    if (units[index]?.trim() !== '') content = index;
    contents[index] = content;
  }

  return {
    units,
    fits: (start, end) =>
      end - start <= 1 || (lengthBefore[end] ?? length) - (lengthBefore[start] ?? length) <= limit,
    rankOfCut: (index) => ranks[index] ?? CutRank.paragraph,
    nextContent: (index) => contents[index] ?? units.length,
  };
}

/**
 * For each of the fewest possible pieces, the earliest place where it may end so that all after it still fits the
 * pieces that are left: what filling the pieces from the last one backwards gives.
 */
function earliestEnds({ units, fits }: Layout): number[] {
  const ends: number[] = [];
  for (let end = units.length, start = end; end > 0; end = start) {
    while (start > 0 && fits(start - 1, end)) start--;
    ends.unshift(end);
  }
  return ends;
}

/** The best end from `earliestEnd` to the last place that fits: the one of the highest rank, of several the latest. */
function bestEnd(layout: Layout, start: number, earliestEnd: number): number {
  let best = Math.max(earliestEnd, start + 1);
  for (let end = best + 1; end <= layout.units.length && layout.fits(start, end); end++) {
    if (merit(layout, start, end) >= merit(layout, start, best)) best = end;
  }
  return best;
}

/** The rank of a cut, but below any other where it leaves white space alone in the piece before or after it. */
function merit({ units, fits, rankOfCut, nextContent }: Layout, start: number, end: number): number {
  if (nextContent(start) >= end) return -1;
  const next = nextContent(end);
  const leavesBlank = next > end && (next === units.length || !fits(end, next + 1));
  return leavesBlank ? -1 : rankOfCut(end);
}

/** The last code point that takes one UTF-16 unit. */
const LAST_OF_ONE_UNIT = 0xffff;

/** Length in Unicode code points, the unit of the service's limit, without a copy of the text; half a surrogate pair counts as one. */
export function codePointLength(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; length++) {
    index += (text.codePointAt(index) ?? 0) > LAST_OF_ONE_UNIT ? 2 : 1;
  }
  return length;
}
