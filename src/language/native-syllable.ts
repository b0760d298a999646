/** Reports which syllables Tibetan's own spelling permits. */
import ewts from 'jsewts';

/** Longer than any Tibetan syllable in EWTS; jsewts would take the square of its length, or more. */
export const MAX_SYLLABLE_LENGTH = 24;
/** Consonants, a vowel, suffixes, and fused particles or vowels of foreign names (`ko'u`). jsewts knows which may stand together. */
const SHAPE = /^[bcdghjklmnprstwyz'.]*[aeiou](?:ng|[gdnbmrls'])?s?d?(?:'[aeiou](?:ng|[gdnbmrls])?s?)*$/u;

/** Whether letters in EWTS are a syllable that Tibetan can have: no Sanskrit, and nothing misread. */
export function isNativeSyllable(wylie: string): boolean {
  return wylie.length <= MAX_SYLLABLE_LENGTH && SHAPE.test(wylie) && isFaultless(wylie);
}

/** Whether EWTS's strict check finds nothing wrong: the order of letters in a syllable, and their stacks. */
export function isFaultless(wylie: string): boolean {
  const warnings: string[] = [];
  ewts.fromWylie(wylie, { check: true, check_strict: true, sloppy: false }, warnings);
  return warnings.length === 0;
}

/** The Tibetan of EWTS; what is faulty is converted as well as possible. */
export function asTibetan(wylie: string): string {
  return ewts.fromWylie(wylie, { check: false, check_strict: false, sloppy: false });
}
