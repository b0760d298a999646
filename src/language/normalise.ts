/** The normal form under which the same text, encoded in different ways, is found again in the cache. */

/** Zero-width space, word joiner, byte order mark: they only allow or forbid a line break. Joiners stay: emoji differ by them. */
const INVISIBLE = /[\u200b\u2060\ufeff]/gu;

/** Characters with parts that Unicode does not take for equal to them, though they are read and drawn the same. */
const SAME_TIBETAN: Readonly<Record<string, string>> = {
  '\u0f00': '\u0f68\u0f7c\u0f7e', // om
  '\u0f0c': '\u0f0b', // a tsheg, and the tsheg that no line ends after
  '\u0f77': '\u0fb2\u0f71\u0f80', // subjoined vocalic rr
  '\u0f79': '\u0fb3\u0f71\u0f80', // subjoined vocalic ll
};

/**
 * For keys only, never shown or sent. Two texts get one form when they differ in nothing but encoding: canonically
 * equal sequences (all composed Tibetan vowels and consonants; vowel signs and other marks typed in another order), the
 * Tibetan characters above, kinds of line break, kinds and number of spaces, white space around, characters that are
 * not seen. Case, punctuation and line breaks stay, since they may change a translation or its layout.
 */
export function normaliseForKey(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(/[\u0f00\u0f0c\u0f77\u0f79]/gu, (character) => SAME_TIBETAN[character] ?? character)
    .normalize('NFC')
    .replace(/\r\n?/gu, '\n')
    .replace(/\p{Space_Separator}+/gu, ' ')
    .trim();
}
