/** What a reader of a recognised Tibetan text should look at: what can be no syllable, and so was likely read wrongly. */
import ewts from 'jsewts';

/** Letters with all that hangs on them, between tshegs. */
const SYLLABLE = /[[\p{L}\p{M}]&&\p{Script=Tibetan}]+/gv;
/** Signs and stacks that Tibetan has for Sanskrit and for names from abroad, whose syllables follow other rules. */
const FOREIGN = /[+~?&%^`A-Z*]|-[iI]|\\u/u;
/** Names and mantras that are written with the letters of Tibetan alone: `བཛྲ`, `ཙཀྲ`, `སུཏྲ`, `ཀརྨ`; `ཤཻ`, `མཽད`. */
const LOAN =
  /^[^aeiou]*(?:[aeiou](?:[^aeiou']{1,2}[rw]|r(?:ts|dz|[a-z]))[aeiou](?:m|'i)?|a[iu](?:[gdnbmrls]|ng)?)$/u;
/** Consonants, a vowel, suffixes, and what may be fused to them: particles, and the vowels of names from abroad (`ཀོའུ`). */
const NATIVE = /^[bcdghjklmnprstwyz'.]*[aeiou](?:ng|[gdnbmrls'])?s?d?(?:'[aeiou](?:ng|[gdnbmrls])?s?)*$/u;

/** The longest syllables have a dozen code points; what is much longer is writing without tshegs, which is no one letter misread. */
const MOST_LETTERS = 24;

/** At most `most` different syllables of the text, in its order, that the strict check of EWTS takes for none. */
export function doubtfulSyllables(text: string, most: number): string[] {
  const doubtful = new Set<string>();
  const seen = new Set<string>();
  for (const [syllable] of text.normalize('NFC').matchAll(SYLLABLE)) {
    if (syllable.length > MOST_LETTERS || seen.has(syllable)) continue;
    seen.add(syllable);
    if (isDoubtful(syllable)) doubtful.add(syllable);
    if (doubtful.size >= most) break;
  }
  return [...doubtful];
}

function isDoubtful(syllable: string): boolean {
  if (/^\p{M}/u.test(syllable)) return true;
  const wylie = ewts.toWylie(syllable, true);
  if (FOREIGN.test(wylie) || LOAN.test(wylie)) return false;
  if (!NATIVE.test(wylie)) return true;
  const warnings: string[] = [];
  ewts.fromWylie(wylie, { check: true, check_strict: true, sloppy: false }, warnings);
  return warnings.length > 0;
}
