/** Ranks the places where a text may be cut, by how little the cut disturbs a reader or a translator. */
import { END_PHRASE, SUFFIXES } from './particles.ts';

/** From worst to best, in steps of two: one less means the same boundary, cut before its white space instead of after it. */
export const CutRank = {
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

type ClusterKind =
  | 'text'
  | 'lineBreak'
  | 'space'
  | 'tsheg'
  | 'sentenceEnd'
  | 'clauseEnd'
  | 'closing'
  | 'quote';

/** Tried in this order on the first character of a cluster. The non-breaking tsheg (U+0F0C) is text. */
const KINDS: readonly (readonly [ClusterKind, RegExp])[] = [
  ['text', /[\p{Letter}\p{Number}]/u],
  ['lineBreak', /[\n\v\f\r\u0085\u2028\u2029]/u],
  ['space', /\s/u],
  ['tsheg', /་/u],
  ['sentenceEnd', /[།༎༏༐༑༒༔。！？｡.!?]/u],
  ['clauseEnd', /[，、；：,;:]/u],
  ['closing', /[\p{Close_Punctuation}\p{Final_Punctuation}]/u],
  ['quote', /["']/u],
];
/** ASCII punctuation also stands inside numbers, times and addresses (3.14, 10:30, https://), where it ends nothing. */
const ENDS_NOTHING = /[.!?,;:][\w/@#%&=+~-]/y;

/** After these letters a space replaces the shad and ends the phrase (`བདག །`, `ཡོད་པ་རེད་ཤག `). */
const IMPLIES_SHAD = /[ཀག][\u0f71-\u0f7d\u0f80]*(?=\s)/y;

/**
 * For each grapheme cluster of a text, the rank of a cut right before it. `starts` holds where each begins, in UTF-16 units, and last the
 * length of the text. Further end marks, closing quotes and brackets, and white space belong to the end that they follow (`། །`, `。”`), so
 * the cut after them ranks highest.
 */
export function rankCuts(text: string, starts: readonly number[]): number[] {
  const kinds = kindsOf(text, starts);
  const ranks: number[] = [];
  let ended: number = CutRank.cluster;
  let afterSpace = false;
  for (const kind of kinds) {
    const joined = joinsEnd(kind, ended, afterSpace);
    ranks.push(joined ? CutRank.cluster : ended);
    ended = rankAfter(kind, ended, joined);
    afterSpace = isSpace(kind);
  }
  keepParticles(text, starts, kinds, ranks);
  rankBeforeSpaces(ranks, kinds, ended);
  return ranks;
}

function kindsOf(text: string, starts: readonly number[]): ClusterKind[] {
  const known = new Map<number, ClusterKind>();
  const kinds: ClusterKind[] = [];
  for (let index = 0; index < starts.length - 1; index++) {
    const start = starts[index] ?? 0;
    const character = text.codePointAt(start) ?? 0;
    let kind = known.get(character);
    if (kind === undefined) {
      const written = String.fromCodePoint(character);
      kind = KINDS.find(([, pattern]) => pattern.test(written))?.[0] ?? 'text';
      known.set(character, kind);
    }
    if (character <= LAST_OF_ASCII && (kind === 'sentenceEnd' || kind === 'clauseEnd')) {
      if (matchesAt(ENDS_NOTHING, text, start)) kind = 'text';
    } else if (kind === 'text' && kinds[index - 1] === 'text' && matchesAt(IMPLIES_SHAD, text, start)) {
      kind = 'sentenceEnd';
    }
    kinds.push(kind);
  }
  return kinds;
}

const LAST_OF_ASCII = 0x7f;

/** Whether a sticky pattern matches at this place. */
function matchesAt(pattern: RegExp, text: string, place: number): boolean {
  pattern.lastIndex = place;
  return pattern.test(text);
}

/**
 * Lowers the rank of a cut before a particle: it stays with its word if there is any other place. Raises that of a cut after the end of a
 * phrase.
 */
function keepParticles(
  text: string,
  starts: readonly number[],
  kinds: readonly ClusterKind[],
  ranks: number[],
): void {
  let endsPhrase = false;
  for (const [index, rank] of ranks.entries()) {
    if (rank < CutRank.syllableOrWord || kinds[index] !== 'text') continue;
    let end = index + 1;
    while (end - index <= MAX_PARTICLE_LENGTH && kinds[end] === 'text') end += 1;
    const syllable = end - index > MAX_PARTICLE_LENGTH ? '' : text.slice(starts[index], starts[end]);
    const isEnd = END_PHRASE.has(syllable);
    if (rank === CutRank.syllableOrWord) {
      if (isEnd || SUFFIXES.has(syllable)) ranks[index] = CutRank.particle;
      else if (endsPhrase) ranks[index] = CutRank.phrase;
    }
    endsPhrase = isEnd;
  }
}

/** In grapheme clusters. */
const MAX_PARTICLE_LENGTH = 3;

function isSpace(kind: ClusterKind | undefined): boolean {
  return kind === 'space' || kind === 'lineBreak';
}

/** Whether a cluster belongs to the end before it. A straight quote may also open, as in `说："`. */
function joinsEnd(kind: ClusterKind, ended: number, afterSpace: boolean): boolean {
  if (kind === 'sentenceEnd' || kind === 'clauseEnd') return ended < CutRank.line;
  if (kind === 'closing') return !afterSpace;
  return kind === 'quote' && !afterSpace && ended === CutRank.sentence;
}

/** The rank of a cut after a cluster of this kind, if the cut before it would have ranked `ended`. */
function rankAfter(kind: ClusterKind, ended: number, joined: boolean): number {
  switch (kind) {
    case 'lineBreak':
      return ended < CutRank.line ? CutRank.line : CutRank.paragraph;
    case 'space':
      return Math.max(ended, CutRank.syllableOrWord);
    case 'tsheg':
      return CutRank.syllableOrWord;
    case 'clauseEnd':
      return CutRank.clause;
    case 'sentenceEnd':
      return CutRank.sentence;
    case 'closing':
    case 'quote':
      return joined ? ended : CutRank.cluster;
    case 'text':
      return CutRank.cluster;
  }
}

/** A cut before or within white space is almost as good as the one after it: it leaves white space at the start of the next piece. */
function rankBeforeSpaces(ranks: number[], kinds: readonly ClusterKind[], rankAtEnd: number): void {
  let afterSpaces = rankAtEnd;
  for (let index = ranks.length - 1; index >= 0; index--) {
    if (isSpace(kinds[index])) ranks[index] = afterSpaces - 1;
    else afterSpaces = ranks[index] ?? CutRank.cluster;
  }
}
