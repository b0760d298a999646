/** Ranks the places where a text may be cut, by how little the cut disturbs a reader or a translator. */

/** From worst to best, in steps of two: one less means the same boundary, cut before its white space instead of after it. */
export const CutRank = {
  insideCluster: 0,
  cluster: 2,
  syllableOrWord: 4,
  clause: 6,
  sentence: 8,
  line: 10,
  paragraph: 12,
} as const;

type Kind = 'text' | 'lineBreak' | 'space' | 'tsheg' | 'sentenceEnd' | 'clauseEnd' | 'closing' | 'quote';

/**
 * Tried in this order on a cluster and the one after it: ASCII punctuation also stands inside numbers, times and addresses (3.14, 10:30,
 * https://), where it ends nothing. The non-breaking tsheg (U+0F0C) is text.
 */
const KINDS: readonly (readonly [Kind, RegExp])[] = [
  ['text', /^[\p{Letter}\p{Number}]/u],
  ['lineBreak', /^[\n\v\f\r\u0085\u2028\u2029]/u],
  ['space', /^\s/u],
  ['tsheg', /^་/u],
  ['sentenceEnd', /^(?:[།༎༏༐༑༒༔。！？｡]|[.!?](?![\w/@#%&=+~-]))/u],
  ['clauseEnd', /^(?:[，、；：]|[,;:](?![\w/@#%&=+~-]))/u],
  ['closing', /^[\p{Close_Punctuation}\p{Final_Punctuation}]/u],
  ['quote', /^["']/u],
];

/** After these letters a space replaces the shad and ends the phrase (`བདག །`, `ཡོད་པ་རེད་ཤག `). */
const IMPLIES_SHAD = /^[ཀག][\u0f71-\u0f7d\u0f80]*$/u;

/** Syllables that belong to the word before them: case particles, conjunctions, nominalisers. */
const PARTICLES: ReadonlySet<string> = new Set(
  `གི ཀྱི གྱི འི ཡི གིས ཀྱིས གྱིས འིས ཡིས ལ ན ར དུ ཏུ རུ སུ ནས ལས དང ནི ཀྱང ཡང འང ཏེ སྟེ པ བ པོ བོ པའི བའི པོའི བོའི པས བས པར བར
  རྣམས ཚོ འོ`.split(/\s+/u),
);

/**
 * For each grapheme cluster of a text, the rank of a cut right before it. Further end marks, closing quotes and brackets, and white space
 * belong to the end that they follow (`། །`, `。”`), so the cut after them ranks highest.
 */
export function rankCuts(clusters: readonly string[]): number[] {
  const kinds = clusters.map((cluster, index) => kindOf(cluster + (clusters[index + 1] ?? '')));
  for (const [index, cluster] of clusters.entries()) {
    const isAtEnd = kinds[index - 1] === 'text' && isSpace(kinds[index + 1]);
    if (isAtEnd && IMPLIES_SHAD.test(cluster)) kinds[index] = 'sentenceEnd';
  }
  const ranks: number[] = [];
  let ended: number = CutRank.cluster;
  let afterSpace = false;
  for (const kind of kinds) {
    const joined = joinsEnd(kind, ended, afterSpace);
    ranks.push(joined ? CutRank.cluster : ended);
    ended = rankAfter(kind, ended, joined);
    afterSpace = isSpace(kind);
  }
  keepParticles(ranks, kinds, clusters);
  return rankBeforeSpaces(ranks, kinds, ended);
}

/** Lowers the rank of a cut before a particle: it stays with its word if there is any other place. */
function keepParticles(ranks: number[], kinds: readonly Kind[], clusters: readonly string[]): void {
  for (const [index, rank] of ranks.entries()) {
    if (rank !== CutRank.syllableOrWord || kinds[index] !== 'text') continue;
    let [end, syllable] = [index, ''];
    while (end - index <= LONGEST_PARTICLE && kinds[end] === 'text') {
      syllable += clusters[end];
      end += 1;
    }
    if (PARTICLES.has(syllable)) ranks[index] = CutRank.cluster;
  }
}

/** In grapheme clusters. */
const LONGEST_PARTICLE = 3;

function kindOf(clusters: string): Kind {
  return KINDS.find(([, pattern]) => pattern.test(clusters))?.[0] ?? 'text';
}

function isSpace(kind: Kind | undefined): boolean {
  return kind === 'space' || kind === 'lineBreak';
}

/** Whether a cluster belongs to the end before it. A straight quote may also open, as in `说："`. */
function joinsEnd(kind: Kind, ended: number, afterSpace: boolean): boolean {
  if (kind === 'sentenceEnd' || kind === 'clauseEnd') return ended < CutRank.line;
  if (kind === 'closing') return !afterSpace;
  return kind === 'quote' && !afterSpace && ended === CutRank.sentence;
}

/** The rank of a cut after a cluster of this kind, if the cut before it would have ranked `ended`. */
function rankAfter(kind: Kind, ended: number, joined: boolean): number {
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
function rankBeforeSpaces(ranks: readonly number[], kinds: readonly Kind[], rankAtEnd: number): number[] {
  const result = [...ranks];
  let afterSpaces = rankAtEnd;
  for (let index = result.length - 1; index >= 0; index--) {
    if (isSpace(kinds[index])) result[index] = afterSpaces - 1;
    else afterSpaces = ranks[index] ?? CutRank.cluster;
  }
  return result;
}
