/** Word-by-word glosses: what the word list knows is translated, the rest is kept, marked as unknown. */
import ewts from 'jsewts';
import { WORDS } from './phrasebook.ts';

const MAX_TIBETAN_WORD_LENGTH = 3;
const MAX_CHINESE_WORD_LENGTH = 4;

/** Few enough to an unknown word that the gloss stays mostly Tibetan. */
const UNKNOWN_HAN_TOGETHER = 4;
const UNKNOWN_WORD = 'མི་ཤེས་པའི་ཚིག་';

const chineseFor = new Map(WORDS.toReversed());
const tibetanFor = new Map(WORDS.toReversed().map(([bo, zh]) => [zh, bo] as const));

/** A Tibetan clause in Chinese words; unknown ones in Wylie between 《》. What is not Tibetan stays as it is. */
export function glossTibetan(clause: string): string {
  return clause.replace(/[\u0F00-\u0FFF]+/gu, (run) => {
    const syllables = run.split(/[^\u0F20-\u0FBC]+/u).filter((syllable) => syllable !== '');
    const pieces = longestMatches(syllables, MAX_TIBETAN_WORD_LENGTH, (part) => chineseWord(part.join('་')));
    return pieces.map(({ found, part }) => found ?? `《${ewts.toWylie(part.join('་'), true)}》`).join('');
  });
}

/** A Chinese clause in Tibetan words; unknown ones kept between 《》. What is not Chinese stays as it is. */
export function glossChinese(clause: string): string {
  const glossed = clause.replace(/\p{Script=Han}+/gu, (run) => {
    const pieces = longestMatches([...run.replaceAll('您', '你')], MAX_CHINESE_WORD_LENGTH, (part) =>
      tibetanFor.get(part.join('')),
    );
    const words = pieces.flatMap(({ found, part }) => found ?? unknownHan(part));
    return `${words.join('་')}་`;
  });
  return glossed.replace(/་$/u, '');
}

interface Piece {
  readonly part: readonly string[];
  /** Absent for a run of units of which no word is known. */
  readonly found?: string;
}

/** Cuts from left to right, each time the longest known word; units in no known word are put together. */
function longestMatches(
  units: readonly string[],
  longest: number,
  lookUp: (part: readonly string[]) => string | undefined,
): readonly Piece[] {
  const pieces: Piece[] = [];
  let unknown: string[] = [];
  for (let at = 0; at < units.length; ) {
    const word = longestWordAt(units.slice(at, at + longest), lookUp);
    if (word === undefined) {
      unknown.push(...units.slice(at, at + 1));
      at += 1;
      continue;
    }
    if (unknown.length > 0) pieces.push({ part: unknown });
    unknown = [];
    pieces.push(word);
    at += word.part.length;
  }
  if (unknown.length > 0) pieces.push({ part: unknown });
  return pieces;
}

function longestWordAt(
  units: readonly string[],
  lookUp: (part: readonly string[]) => string | undefined,
): Piece | undefined {
  for (let length = units.length; length > 0; length -= 1) {
    const part = units.slice(0, length);
    const found = lookUp(part);
    if (found !== undefined) return { part, found };
  }
  return undefined;
}

/** Also with a case ending grown onto the last syllable: འི "of", ར "to", ས "by". */
function chineseWord(tibetan: string): string | undefined {
  const whole = chineseFor.get(tibetan);
  if (whole !== undefined) return whole;
  const genitive = chineseFor.get(tibetan.replace(/འི$/u, ''));
  if (genitive !== undefined) return `${genitive}的`;
  return chineseFor.get(tibetan.replace(/[རས]$/u, ''));
}

function unknownHan(characters: readonly string[]): readonly string[] {
  const runs: string[] = [];
  for (let at = 0; at < characters.length; at += UNKNOWN_HAN_TOGETHER) {
    runs.push(`${UNKNOWN_WORD}《${characters.slice(at, at + UNKNOWN_HAN_TOGETHER).join('')}》`);
  }
  return runs;
}
