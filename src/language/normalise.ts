/** The normal form of a text, used as a cache key: the same text is found again in whatever encoding. */
import { hash } from 'node:crypto';
import { inIdeographs } from './ideographs.ts';

const PICTOGRAPH = '\\p{Extended_Pictographic}[\\p{Emoji_Modifier}\\ufe0e\\ufe0f\\u{e0020}-\\u{e007f}]*';
/** An emoji, whose joiners, styles and tags count (`👨‍👩‍👧`, `❤️`, `1️⃣`), or a character that is not seen. */
const EMOJI_OR_INVISIBLE = new RegExp(
  `(${PICTOGRAPH}(?:\\u200d${PICTOGRAPH})*|[\\d#*]\\ufe0f?\\u20e3)|[\\p{Default_Ignorable_Code_Point}--\\p{Letter}]`,
  'gv',
);

/** Characters and their parts, which look and read the same although Unicode does not treat them as equal. */
const SAME_TIBETAN: Readonly<Record<string, string>> = {
  '\u0f00': '\u0f68\u0f7c\u0f7e', // om
  '\u0f0c': '\u0f0b', // a tsheg, and the tsheg that no line ends after
  '\u0f77': '\u0fb2\u0f71\u0f80', // subjoined vocalic rr
  '\u0f79': '\u0fb3\u0f71\u0f80', // subjoined vocalic ll
  '\u0f0e': '\u0f0d\u0f0d', // a double shad, and two
  '\u0f7b': '\u0f7a\u0f7a', // ee and oo, typed as two
  '\u0f7d': '\u0f7c\u0f7c',
  '\u0fba': '\u0fad', // subjoined wa, ya, ra: the form that they keep in every stack
  '\u0fbb': '\u0fb1',
  '\u0fbc': '\u0fb2',
};
const HAS_SAME = new RegExp(`[${Object.keys(SAME_TIBETAN).join('')}]`, 'gu');

/** The marks on a decomposed Tibetan letter: subjoined letters, vowel signs, signs of sound and emphasis. */
const MARKS_OF_A_STACK = /[\u0f35\u0f37\u0f39\u0f71-\u0f84\u0f86\u0f87\u0f90-\u0fbc\u0fc6]{2,}/gu;
/**
 * The order of marks after the subjoined letters, whose own order is the spelling: Unicode's canonical order, then two signs that stand
 * last. Unicode gives those class 0, as it gives letters, and so never reorders them.
 */
const ORDER_OF_MARKS =
  '\u0f84\u0f71\u0f72\u0f7a\u0f7c\u0f80\u0f74\u0f39\u0f35\u0f37\u0fc6\u0f82\u0f83\u0f86\u0f87\u0f7e\u0f7f';

function inOrder(marks: string): string {
  const place = (mark: string): number => ORDER_OF_MARKS.indexOf(mark);
  return [...marks].sort((one, other) => place(one) - place(other)).join('');
}

/**
 * For keys only, never shown or sent. Unites what a reader cannot tell apart: canonically equal sequences, the order of the marks in a
 * stack, the Tibetan characters above, signs that look like ideographs, repeated tshegs, kinds of line break, white space, invisible characters. Case, punctuation and line
 * breaks stay, since they may change a translation: `我不要⏎你去` is not `我不要你去`.
 */
export function normaliseForKey(text: string): string {
  return streamSafe(inIdeographs(text).replace(EMOJI_OR_INVISIBLE, '$1'))
    .replace(HAS_SAME, (character) => SAME_TIBETAN[character] ?? character)
    .normalize('NFC')
    .replace(MARKS_OF_A_STACK, inOrder)
    .replace(/\u0f0b+/gu, '\u0f0b')
    .replace(/\r\n|[\v\f\r\u0085\u2028\u2029]/gu, '\n')
    .replace(/[^\S\n]+/gu, ' ')
    .replaceAll(' \n', '\n')
    .trim();
}

/** A short hash by which a text is known again, however it was typed; in hexadecimal. */
export function markOf(text: string): string {
  return hash('sha256', normaliseForKey(text)).slice(0, 16);
}

/** More marks in a row than any letter has, unless a combining grapheme joiner already ends them. */
const MANY_MARKS = /[\p{M}--\u034f]{30}(?!\u034f)/gv;

/** The text in Unicode's Stream-Safe Text Format (UAX #15). Without it, `normalize` takes the square of the length of a run of marks. */
export function streamSafe(text: string): string {
  return text.replace(MANY_MARKS, '$&\u034f');
}
