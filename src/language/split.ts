/** Cuts a long text into as few pieces as possible within a limit, at the best boundaries; shortens one; joins what an app has cut. */
import { END_PHRASE, SUFFIXES } from './particles.ts';
import { separatorBetween } from './reading/line.ts';
import { withoutBreaksOfWidth } from './reading/line-breaks.ts';

/** The length of a message (Bot API, sendMessage), in UTF-16 units. */
export const TELEGRAM_LIMIT = 4096;

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Pieces of at most `limit` code points (2 or more), as few as possible, cut at the boundaries of spec §2; joined, they are the text. Never
 * cuts a surrogate pair, and a grapheme cluster only if it alone exceeds the limit. A line break that the page's width has made counts as a
 * space.
 */
export function splitForService(text: string, limit: number): string[] {
  return split(text, withoutBreaksOfWidth, limit, codePointLength);
}

/** Like `splitForService`, but at most `limit` UTF-16 units. */
export function splitForTelegram(text: string, limit: number = TELEGRAM_LIMIT): string[] {
  return split(
    text,
    (same) => same,
    limit,
    ({ length }) => length,
  );
}

/** Length in Unicode code points, the unit of the service's limit, without copying the text; half a surrogate pair counts as one. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** `prepared` returns a text of the same length, by which the cuts are chosen; `lengthOf` measures in the unit of the limit. */
function split(
  text: string,
  prepared: (text: string) => string,
  limit: number,
  lengthOf: (text: string) => number,
): string[] {
  // A code point is one UTF-16 unit or two.
  if (text.length <= limit) return text === '' ? [] : [text];
  const ends = bestEnds(cutPointsOf(prepared(text), limit, lengthOf), limit);
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

interface CutPoint {
  /** In UTF-16 units. */
  readonly offset: number;
  /** The length of the text before it, in the unit of the limit. */
  readonly length: number;
  readonly rank: number;
}

/** The edges of grapheme clusters; and of the characters in those that no piece can hold. */
function cutPointsOf(text: string, limit: number, lengthOf: (text: string) => number): CutPoint[] {
  const ranks = rankCuts(text);
  const points: CutPoint[] = [];
  let length = 0;
  for (const { index, segment } of GRAPHEMES.segment(text)) {
    let rank = ranks[index] ?? RANK.cluster;
    let offset = index;
    for (const part of lengthOf(segment) > limit ? segment : [segment]) {
      points.push({ offset, length, rank });
      offset += part.length;
      length += lengthOf(part);
      rank = RANK.insideCluster;
    }
  }
  points.push({ offset: text.length, length, rank: RANK.paragraph });
  return points;
}

/** Each step to a lesser boundary costs four times as much, so few cuts fall inside words. */
const costOf = (rank: number): number => 2 ** (RANK.paragraph - rank);
/** More than all cuts of any text together. */
const COST_OF_PIECE = 2 ** 32;

/** The ends, in UTF-16 units, of the fewest pieces whose cuts cost least together; of several such, those with the latest last cut. */
function bestEnds(points: readonly CutPoint[], limit: number): number[] {
  /** For each point the least cost of the pieces up to it, and the point where the last of these begins. */
  const costs = [0];
  const begins = [0];
  /** The points where the next piece may begin, each cheaper than those after it. */
  const cheapest = [0];
  let head = 0;
  for (const [at, { length, rank }] of points.entries()) {
    if (at === 0) continue;
    while (length - (points[cheapest[head] ?? 0]?.length ?? 0) > limit) head += 1;
    const begin = cheapest[head] ?? 0;
    const cost = (costs[begin] ?? 0) + COST_OF_PIECE + costOf(rank);
    costs.push(cost);
    begins.push(begin);
    while (cheapest.length > head && (costs[cheapest.at(-1) ?? 0] ?? 0) >= cost) cheapest.pop();
    cheapest.push(at);
  }
  const ends: number[] = [];
  for (let at = points.length - 1; at > 0; at = begins[at] ?? 0) ends.push(points[at]?.offset ?? 0);
  return ends.reverse();
}

/** How little a cut disturbs a reader or a translator, from worst to best. One less means the same boundary, cut before its white space. */
const RANK = {
  insideCluster: 0,
  cluster: 2,
  particle: 4,
  syllableOrWord: 6,
  phrase: 8,
  clause: 10,
  sentence: 12,
  line: 14,
  paragraph: 16,
} as const;

/** ASCII punctuation also stands inside numbers, times and addresses (3.14, 10:30, https://), where it ends nothing. */
const ENDS_SOMETHING = String.raw`(?![\w/@#%&=+~\-])`;
/** After these letters a space replaces the shad (`བདག །`, `ཡོད་པ་རེད་ཤག `). */
const IMPLIES_SHAD = String.raw`(?<=[\p{L}\p{M}])[ཀག][\u0f71-\u0f7d\u0f80]*(?=\s)`;
const anyOf = (syllables: Iterable<string>): string => `(?:${[...syllables].join('|')})`;

/** What ends something, with the white space after it: a cut there has this rank. Of several, the last one counts. */
const ENDS: readonly (readonly [rank: number, end: RegExp])[] = [
  [RANK.syllableOrWord, /[\s་]+/gu],
  [RANK.phrase, new RegExp(String.raw`(?<=[\s་])${anyOf(END_PHRASE)}[\s་]+`, 'gu')],
  [RANK.clause, new RegExp(String.raw`(?:[，、；：]|[,;:]${ENDS_SOMETHING})[\p{Pe}\p{Pf}]*\s*`, 'gu')],
  [
    RANK.sentence,
    new RegExp(
      String.raw`(?:[།༎༏༐༑༒༔。！？｡]|[.!?]${ENDS_SOMETHING}|${IMPLIES_SHAD})[\p{Pe}\p{Pf}"']*\s*`,
      'gu',
    ),
  ],
  [RANK.line, /\n\s*/gu],
  [RANK.paragraph, /\n\s*\n\s*/gu],
];
/** A particle stays with its word if there is any other place. */
const PARTICLE = new RegExp(
  String.raw`(?<=[\s་])${anyOf([...END_PHRASE, ...SUFFIXES])}(?![\p{L}\p{M}\p{N}])`,
  'gu',
);
/** Marks on the line that they end, and closing brackets and quotes behind it. */
const STAYS = /(?<!\n\s*)[།༎༏༐༑༒༔。！？｡.!?，、；：,;:]|(?<=\S)[\p{Pe}\p{Pf}]/gu;

/** For each offset of a text, in UTF-16 units, the rank of a cut there between clusters. */
function rankCuts(text: string): Uint8Array {
  const ranks = new Uint8Array(text.length + 1).fill(RANK.cluster);
  for (const [rank, pattern] of ENDS)
    for (const { 0: end, index } of text.matchAll(pattern)) ranks[index + end.length] = rank;
  for (const { index } of text.matchAll(PARTICLE))
    if ((ranks[index] ?? 0) <= RANK.phrase) ranks[index] = RANK.particle;
  for (const { index } of text.matchAll(STAYS)) ranks[index] = RANK.cluster;
  for (const { 0: space, index } of text.matchAll(/\s+/gu))
    ranks.fill((ranks[index + space.length] ?? 0) - 1, index, index + space.length);
  return ranks;
}

export const ELLIPSIS = '…';

/** Between two letters of a script with syllables or words; Chinese may be cut between any two characters. */
const ENDS_IN_LETTER = /(?!\p{Script=Han})\p{L}\p{M}*$/u;
const BEGINS_WITH_LETTER = /^(?!\p{Script=Han})\p{L}/u;
/** The beginning of a syllable or word, in so many UTF-16 units at most, after white space, a tsheg, or a mark that ends a clause. */
const BEGUN = /(?<=[\s་-༔])[^\s་-༔]{1,24}$/u;

/** At most `limit` UTF-16 units, with `…` if cut: after the last whole syllable or word nearby, else after a grapheme cluster. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = limit - ELLIPSIS.length;
  const end = GRAPHEMES.segment(text.slice(0, limit + 1)).containing(room)?.index ?? 0;
  const begun = text.slice(0, end);
  const isInsideWord = ENDS_IN_LETTER.test(begun) && BEGINS_WITH_LETTER.test(text.slice(end));
  return `${(isInsideWord ? begun.replace(BEGUN, '') : begun).trimEnd()}${ELLIPSIS}`;
}

/** Joins a text that an app has cut into several messages. Telegram takes white space from the ends of messages. */
export function pasted(parts: readonly string[]): string {
  const [first = '', ...more] = parts;
  let text = first;
  for (const [index, part] of more.entries()) text += `${between(parts[index] ?? '', part)}${part}`;
  return text;
}

/** A full message was cut wherever it was full; else apps prefer a paragraph, then a line, in the message's second half. */
function between(part: string, next: string): string {
  if (part.length >= TELEGRAM_LIMIT) return '';
  const half = part.slice(part.length / 2);
  if (/\n\s*\n/u.test(half)) return '\n\n';
  if (half.includes('\n')) return '\n';
  return separatorBetween(part, next, false);
}
