/** Finds syllables in a recognised Tibetan text that Tibetan cannot have, and that were probably misread. */
import ewts from 'jsewts';
import { isNativeSyllable } from './native-syllable.ts';

/** Letters with their signs, between tshegs. */
const SYLLABLE = /[[\p{L}\p{M}]&&\p{Script=Tibetan}]+/gv;
/** Signs and stacks for Sanskrit and foreign names, whose syllables follow other rules. */
const FOREIGN = /[+~?&%^`A-Z*]|-[iI]|\\u/u;
/** Names and mantras in ordinary Tibetan letters: `བཛྲ`, `ཙཀྲ`, `སུཏྲ`, `ཀརྨ`; `ཤཻ`, `མཽད`. */
const LOAN =
  /^[^aeiou]*(?:[aeiou](?:[^aeiou']{1,2}[rw]|r(?:ts|dz|[a-z]))[aeiou](?:m|'i)?|a[iu](?:[gdnbmrls]|ng)?)$/u;
/** The longest syllables have a dozen code points; much longer runs are texts without tshegs, not misread letters. */
const MOST_LETTERS = 24;

/** At most `most` different syllables, in order, that EWTS's strict check refuses. */
export function doubtfulSyllables(text: string, most: number): string[] {
  const doubtful = new Set<string>();
  const seen = new Set<string>();
  for (const [found] of text.matchAll(SYLLABLE)) {
    const syllable = found.length > MOST_LETTERS ? '' : found.normalize('NFC');
    if (syllable === '' || seen.has(syllable)) continue;
    seen.add(syllable);
    if (isDoubtful(syllable)) doubtful.add(syllable);
    if (doubtful.size >= most) break;
  }
  return [...doubtful];
}

function isDoubtful(syllable: string): boolean {
  if (/^\p{M}/u.test(syllable)) return true;
  const wylie = ewts.toWylie(syllable, true);
  return !FOREIGN.test(wylie) && !LOAN.test(wylie) && !isNativeSyllable(wylie);
}
