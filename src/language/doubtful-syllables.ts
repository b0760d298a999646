/** Finds syllables in a recognised Tibetan text that were probably misread: those that Tibetan cannot have, and rare ones like a common one. */
import { readFileSync } from 'node:fs';
import ewts from 'jsewts';
import { createYield } from '../patience.ts';
import { asTibetan, isNativeSyllable } from './wylie.ts';

/** Letters with their signs, between tshegs. */
const SYLLABLE = /[[\p{L}\p{M}]&&\p{Script=Tibetan}]+/gv;
/** Signs and stacks for Sanskrit and foreign names, whose syllables follow other rules. */
const FOREIGN = /[+~?&%^`A-Z*]|-[iI]|\\u/u;
/**
 * Names and mantras in ordinary Tibetan letters: `བཛྲ`, `ཙཀྲ`, `སུཏྲ`, `ཀརྨ`, `ཀལྤ`, `སྭསྟི`, `ཀིསྟན`; `ཤཻ`, `མཽད`; names that end in a letter that ends no
 * Tibetan syllable: `བེཀ`, `ཨུཛ`, `ཨཕ`; the old `བཅྭ`.
 */
const LOAN = new RegExp(
  `^(?:${[
    "[^aeiou]*[aeiou](?:[^aeiou']{1,2}[rw]|r(?:ts|dz|[a-z])|[ls](?!te)[bgkmpt])[aeiou](?:[dmn]|'i)?",
    '[^aeiou]*a[iu](?:[gdnbmrls]|ng)?',
    "(?:[^aeiou']{0,3}[eiou]|a)(?:[kt]|ph|dz|ts|sh|zh?)a(?:'i)?",
    "bcwa(?:'i|s|r)?",
  ].join('|')})$`,
  'u',
);
/** Laughter and other sounds: `ཧཧཧ`. */
const SOUND = /^(\p{L}\p{M}*)\1+$/u;
/** Particles that fuse with an open syllable, in EWTS. */
const PARTICLE = /(?<=[aeiou])(?:'(?:is?|o|ang|am|us?)|[rs])$/u;

/** Letters and signs that recognition takes for each other. */
const CONFUSED = 'པབ པས གཀ དང དར ངར ཅཙ ཆཚ ཇཛ བཝ ཞཉ མས ཁཐ ཏད པཕ ཡཕ ནཞ འལ ལཤ བའ ལཡ དབ མར ྙྟ ླྱ ྲྱ ྐྒ ྤྦ ྔྡ ྔྒ ྡྲ ྲྭ ྱྭ ིེ ེོ ིོ'.split(
  ' ',
);

/** The longest syllables have a dozen code points; much longer runs are texts without tshegs, not misread letters. */
const MAX_LETTERS = 24;

/** At most so many, distinct, in the order of the text. Works in slices of the event loop. */
export async function doubtfulSyllables(text: string, most: number): Promise<string[]> {
  const yieldToOthers = createYield();
  const doubtful = new Set<string>();
  const seen = new Set<string>();
  for (const [found] of text.matchAll(SYLLABLE)) {
    const syllable = found.length > MAX_LETTERS ? '' : found.normalize('NFC');
    if (syllable === '' || seen.has(syllable)) continue;
    await yieldToOthers();
    seen.add(syllable);
    if (isDoubtful(syllable)) doubtful.add(syllable);
    if (doubtful.size >= most) break;
  }
  return [...doubtful];
}

function isDoubtful(syllable: string): boolean {
  if (/^\p{M}/u.test(syllable)) return true;
  const wylie = ewts.toWylie(syllable, true);
  // Loaded on first use: few people ask for doubtful syllables.
  known ??= readCommonSyllables();
  const { common, veryCommon } = known;
  if (common.has(wylie) || common.has(wylie.replace(PARTICLE, ''))) return false;
  if (isMisspelt(wylie) && !SOUND.test(syllable)) return true;
  return likeSyllables(syllable).some((like) => veryCommon.has(like));
}

function isMisspelt(wylie: string): boolean {
  return !FOREIGN.test(wylie) && !LOAN.test(wylie) && !isNativeSyllable(wylie);
}

/** The syllables that differ from this one by one confused letter or sign. */
function likeSyllables(syllable: string): string[] {
  return Array.from(syllable).flatMap((letter, index) => {
    const pairs = CONFUSED.filter((pair) => pair.includes(letter));
    return pairs.map(
      (pair) => `${syllable.slice(0, index)}${pair.replace(letter, '')}${syllable.slice(index + 1)}`,
    );
  });
}

/** common-syllables.txt says where they were counted. */
interface CommonSyllables {
  /** In Tibetan letters; some 1200. */
  readonly veryCommon: ReadonlySet<string>;
  /** In EWTS; some 4000, with the very common ones. */
  readonly common: ReadonlySet<string>;
}

let known: CommonSyllables | undefined;

function readCommonSyllables(): CommonSyllables {
  const text = readFileSync(new URL('./common-syllables.txt', import.meta.url), 'utf8');
  const [, first = '', second = ''] = text.trim().split('\n\n');
  const veryCommon = first.split(/\s/u);
  const inTibetan = asTibetan(first);
  return {
    veryCommon: new Set(inTibetan.normalize('NFC').match(/[\u0f40-\u0fbc]+/gu)),
    common: new Set([...veryCommon, ...second.split(/\s/u)]),
  };
}
