/** Cuts a long text into as few pieces as possible within a limit, each at the best boundary that allows this; or shortens it to one. */
import { CutRank, rankCuts } from './boundaries.ts';
import { withoutBreaksOfWidth } from './reading/line-breaks.ts';

/** The length of a message (Bot API, sendMessage), in UTF-16 units. */
export const TELEGRAM_LIMIT = 4096;

/**
 * Up to this length, in UTF-16 units, every place for a cut is compared, which takes some ten ms. A longer text (a document) is cut into
 * full pieces from its beginning until this much is left; that may take a few pieces more than necessary.
 */
const MOST_WEIGHED = 20_000;
/** How much of the end of a full piece is searched for the best cut, in the unit of the limit. */
const LOOKED_AT = 256;
/** How many UTF-16 units after it are needed to rank its last place. */
const LOOKED_AHEAD = 64;

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Pieces of at most `limit` code points (2 or more) for the service, cut at the boundaries of spec §2 (boundaries.ts). Joined, they are the
 * text again; an empty text has none. A cut falls inside a grapheme cluster only if the cluster alone exceeds the limit, and never inside a
 * surrogate pair. A line break that only the page's width has made counts as a space. Cuts avoid pieces of only white space, as far as one
 * can see one piece ahead; white space as long as a piece still gives one, which is not worth a paid call.
 */
export function splitForService(text: string, limit: number): string[] {
  const pieces = split(withoutBreaksOfWidth(text), limit, codePointLength);
  let start = 0;
  return pieces.map(({ length }) => {
    start += length;
    return text.slice(start - length, start);
  });
}

/** The same in pieces of at most `limit` UTF-16 units. Telegram refuses messages of only white space. */
export function splitForTelegram(text: string, limit: number = TELEGRAM_LIMIT): string[] {
  return split(text, limit, utf16Length);
}

/** The same for a long text, lazily: there may be one more piece, but nobody waits until all are cut. */
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

/** Yields full pieces from the beginning, until at most `mostLeft` UTF-16 units, or two pieces, are left; returns the rest. */
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

/** A text as units that may be cut apart. All indexes count units; cut n is the one before unit n. */
interface Layout {
  readonly units: readonly string[];
  /** A single unit always fits, even if it exceeds the limit: there is no smaller piece. */
  fits(start: number, end: number): boolean;
  rankOfCut(index: number): number;
  /** The first unit from here on that is not white space; the number of units if there is none. */
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
 * For each of the fewest possible pieces, the earliest place where it may end so that the rest still fits the remaining pieces. Found by
 * filling the pieces backwards from the last one.
 */
function earliestEnds({ units, fits }: Layout): number[] {
  const ends: number[] = [];
  for (let end = units.length, start = end; end > 0; end = start) {
    while (start > 0 && fits(start - 1, end)) start--;
    ends.unshift(end);
  }
  return ends;
}

/** The best end between `earliestEnd` and the last place that fits: the highest rank, and among equals the latest. */
function bestEnd(layout: Layout, start: number, earliestEnd: number): number {
  let best = Math.max(earliestEnd, start + 1);
  for (let end = best + 1; end <= layout.units.length && layout.fits(start, end); end++) {
    if (merit(layout, start, end) >= merit(layout, start, best)) best = end;
  }
  return best;
}

/** The rank of a cut; below any other if it leaves a piece of only white space before or after it. */
function merit({ units, fits, rankOfCut, nextContent }: Layout, start: number, end: number): number {
  if (nextContent(start) >= end) return -1;
  const next = nextContent(end);
  const leavesBlank = next > end && (next === units.length || !fits(end, next + 1));
  return leavesBlank ? -1 : rankOfCut(end);
}

/** The last code point that takes one UTF-16 unit. */
const LAST_OF_ONE_UNIT = 0xffff;

/** Length in Unicode code points, the unit of the service's limit, without copying the text; half a surrogate pair counts as one. */
export function codePointLength(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; length++) {
    index += (text.codePointAt(index) ?? 0) > LAST_OF_ONE_UNIT ? 2 : 1;
  }
  return length;
}

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
