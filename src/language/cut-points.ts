/** Where a text may be cut, and how little each cut disturbs a reader or a translator. */
import { END_PHRASE, SUFFIXES } from './particles.ts';
import { GRAPHEMES, sectionsOf } from './sections.ts';

export interface CutPoint {
  /** In UTF-16 units. */
  readonly offset: number;
  /** The length of the text before it, in the unit of the limit. */
  readonly length: number;
  readonly rank: number;
}

/**
 * The edges of grapheme clusters; and of the characters in those that no piece of at most `limit` can hold. Section by section. `lengthOf`
 * measures in the unit of the limit.
 */
export function* cutPointsOf(
  text: string,
  limit: number,
  lengthOf: (text: string) => number,
): Generator<readonly CutPoint[], void> {
  let length = 0;
  let rankAtStart: number = RANK.cluster;
  for (const { start, end, isTorn } of sectionsOf(text, endsSection)) {
    const from = Math.max(0, start - BEFORE_SECTION);
    const ranks = rankCuts(text.slice(from, end + BEHIND_SECTION));
    const points: CutPoint[] = [];
    for (const { index, segment } of GRAPHEMES.segment(text.slice(start, end))) {
      let offset = start + index;
      let rank = index === 0 ? rankAtStart : (ranks[offset - from] ?? RANK.cluster);
      const isDivided = (isTorn && index === 0) || lengthOf(segment) > limit;
      for (const part of isDivided ? segment : [segment]) {
        points.push({ offset, length, rank });
        offset += part.length;
        length += lengthOf(part);
        rank = RANK.insideCluster;
      }
    }
    yield points;
    rankAtStart = ranks[end - from] ?? RANK.cluster;
  }
  yield [{ offset: text.length, length, rank: RANK.paragraph }];
}

/** What of the text around a section decides how good its cuts are, in UTF-16 units: a mark before a letter; a particle. */
const BEFORE_SECTION = 1;
const BEHIND_SECTION = 16;
/** Behind such a character and before a letter, all that decides about the cuts behind comes behind. */
const ENDS_SECTION = /[\s་\p{Script=Han}]/u;
const LETTER = /^\p{L}/u;

function endsSection(text: string, at: number): boolean {
  return ENDS_SECTION.test(text.charAt(at - 1)) && LETTER.test(text.slice(at, at + 2));
}

/** How little a cut disturbs a reader or a translator, from worst to best. One less means the same boundary, cut before its white space. */
export const RANK = {
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
/** Marks on the line that they end, and closing brackets and quotes behind it; or the beginning of a line, with its mark if it has one. */
const STAYS = /\n\s*[།༎༏༐༑༒༔。！？｡.!?，、；：,;:]?|[།༎༏༐༑༒༔。！？｡.!?，、；：,;:]|(?<=\S)[\p{Pe}\p{Pf}]/gu;

/** For each offset of a text, in UTF-16 units, the rank of a cut there between clusters. */
function rankCuts(text: string): Uint8Array {
  const ranks = new Uint8Array(text.length + 1).fill(RANK.cluster);
  for (const [rank, pattern] of ENDS)
    for (const { 0: end, index } of text.matchAll(pattern)) ranks[index + end.length] = rank;
  for (const { index } of text.matchAll(PARTICLE))
    if ((ranks[index] ?? 0) <= RANK.phrase) ranks[index] = RANK.particle;
  for (const { 0: found, index } of text.matchAll(STAYS))
    if (!found.startsWith('\n')) ranks[index] = RANK.cluster;
  for (const { 0: space, index } of text.matchAll(/\s+/gu))
    ranks.fill((ranks[index + space.length] ?? 0) - 1, index, index + space.length);
  return ranks;
}
