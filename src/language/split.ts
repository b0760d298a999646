/** Cuts a long text into as few pieces as possible within a limit, at the best boundaries; shortens one; joins what an app has cut. */
import { createYield } from '../patience.ts';
import { type CutPoint, cutPointsOf, RANK } from './cut-points.ts';
import { separatorBetween } from './reading/line.ts';
import { withoutBreaksOfWidth } from './reading/line-breaks.ts';
import { GRAPHEMES } from './sections.ts';

/** The length of a message (Bot API, sendMessage), in UTF-16 units. */
export const TELEGRAM_LIMIT = 4096;

/**
 * Pieces of at most `limit` code points (2 or more), as few as possible, cut at the best boundary (paragraph, sentence, clause, tsheg or
 * space); joined, they are the text. Never cuts a surrogate pair, and a grapheme cluster only if it alone exceeds the limit. A line break
 * that the page's width has made counts as a space. Works in slices of the event loop.
 */
export function splitForService(text: string, limit: number): Promise<string[]> {
  return split(text, withoutBreaksOfWidth, limit, codePointLength);
}

/** Like `splitForService`, but at most `limit` UTF-16 units. */
export function splitForTelegram(text: string, limit: number = TELEGRAM_LIMIT): Promise<string[]> {
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
async function split(
  text: string,
  prepared: (text: string) => string | Promise<string>,
  limit: number,
  lengthOf: (text: string) => number,
): Promise<string[]> {
  // A code point is one UTF-16 unit or two.
  if (text.length <= limit) return text === '' ? [] : [text];
  const yieldToOthers = createYield();
  const cuts = new BestCuts(limit);
  for (const points of cutPointsOf(await prepared(text), limit, lengthOf)) {
    for (const point of points) cuts.add(point);
    await yieldToOthers();
  }
  const ends = cuts.ends();
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

/** Each step to a lesser boundary costs four times as much, so few cuts fall inside words. */
const costOf = (rank: number): number => 2 ** (RANK.paragraph - rank);
/** More than all cuts of any text together. */
const COST_OF_PIECE = 2 ** 32;
/** So many that no piece reaches any more are dropped at once. */
const MAX_PASSED = 10_000;

interface Cut extends Pick<CutPoint, 'offset' | 'length'> {
  /** Of the pieces up to it. */
  readonly cost: number;
  /** Where the last of these begins. */
  readonly before: Cut | undefined;
}

/** Finds the fewest pieces whose cuts cost least together; of several such, those with the latest last cut. Keeps what one piece reaches. */
class BestCuts {
  readonly #limit: number;
  /** Where the next piece may begin, each cheaper than those after it; those before `#head` are too far away. */
  readonly #cheapest: Cut[] = [];
  #head = 0;
  #last: Cut | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add({ offset, length, rank }: CutPoint): void {
    const cheapest = this.#cheapest;
    while (length - (cheapest[this.#head]?.length ?? length) > this.#limit) this.#head += 1;
    const before = cheapest[this.#head];
    const cost = before === undefined ? 0 : before.cost + COST_OF_PIECE + costOf(rank);
    const cut = { offset, length, cost, before };
    while (cheapest.length > this.#head && (cheapest.at(-1)?.cost ?? 0) >= cost) cheapest.pop();
    cheapest.push(cut);
    this.#last = cut;
    if (this.#head < MAX_PASSED) return;
    cheapest.splice(0, this.#head);
    this.#head = 0;
  }

  /** In UTF-16 units; the first piece begins at the first point added. */
  ends(): number[] {
    const ends: number[] = [];
    for (let cut = this.#last; cut?.before !== undefined; cut = cut.before) ends.push(cut.offset);
    return ends.reverse();
  }
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
