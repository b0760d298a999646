/** Corrects EWTS as keyboards, phones and scholars' habits change it. */
import { isNativeSyllable } from './native-syllable.ts';

/** The text in EWTS. What is EWTS already stays as it is. */
export function asEwts(text: string): string {
  return text
    .replace(/[^\n]+/gu, withApostrophes)
    .replace(ROOT_Y, 'g.y')
    .replace(HYPHEN_BETWEEN_SYLLABLES, ' ')
    .replace(/[^\n]+/gu, withoutDecoration)
    .replace(/ {2,}/gu, ' ')
    .replace(/([/|;:!)]) /gu, '$1_'); // after a shad a space is a space, else a tsheg
}

/** Characters that keyboards put in place of EWTS's apostrophe, and pairs of them. */
const CURVED = /‘{1,2}([^‘’]*[^‘’\s])’{1,2}|[ʼʹ‘’ʾ]/gu;
/** Words between two apostrophes. */
const BETWEEN_STRAIGHT = /(?<![\w'+.~^?&-])'([^'‘’]+)'(?![\w'])/gu;

/** The line with EWTS's apostrophe. Quotation marks are curved pairs beside straight marks, and pairs where no apostrophe can stand. */
function withApostrophes(line: string): string {
  const hasStraight = line.includes("'");
  return line
    .replace(CURVED, (curved, words: string | undefined) =>
      words !== undefined && (hasStraight || isQuoted(words)) ? curved : curved.replace(/[ʼʹ‘’ʾ]/gu, "'"),
    )
    .replace(BETWEEN_STRAIGHT, (marked, words: string) => (isQuoted(words) ? `‘${words}’` : marked));
}

function isQuoted(words: string): boolean {
  const syllables = words.split(/[\s_/|;:!]+/u).filter((syllable) => syllable !== '');
  const [first = '', last = ''] = [syllables[0], syllables.at(-1)];
  return (takesNo(first, `'${first}`) || takesNo(last, `${last}'`)) && !isNativeSyllable(`'${words}'`);
}

function takesNo(syllable: string, withApostrophe: string): boolean {
  return isNativeSyllable(syllable) && !isNativeSyllable(withApostrophe);
}

/** The root letter of `gYung drung` and `g-yag`: alone it would be the y stacked under g, as in `gyur`. */
const ROOT_Y = /(?<![\w'+.~^?&-])g(?:Y|-y)(?=[aeiou])/gu;

/** A hyphen between syllables. Not `-i`, which is a vowel, nor the `-t`, `-d`, `-n`, `-sh` of a letter without a vowel before it. */
const HYPHEN_BETWEEN_SYLLABLES = /-(?<=[aeiou][\w'?]*-)(?=['.]?(?!i)[a-z'.+]*[aeiou])/giu;

/**
 * Capitals without a meaning in EWTS: those that it has no letter for; those of a root letter after its prefixes (`rNying`, `bsTan`,
 * `g.Yung`), where a real capital letter would need a plus or a vowel between; and those at the beginning of a word that could only follow
 * or be stacked (`Mi`, `Rin`), or only be followed by a vowel (`Nga`, `Dge`).
 */
const MEANINGLESS_CAPITAL =
  /[BCEFGJKLOPQVZ]|S(?!h)|Sh(?=Akya)|[TDNSMHRWY](?<=(?<![\w'+.~^?&-])[bdgmrls'.]+.)|(?<![\w'+.~^?&-])(?:[MHXWY]|R(?!\+)|[TDN](?!h?[aeiouAIU+\-wr]))(?=[\w'])/gu;

/** A capital at the beginning of a line. `R+` is a form of r; a long vowel may stand alone. */
const BEGINS_WITH_CAPITAL = /^[^A-Za-z]*(?!R\+|[AIU][^A-Za-z]*$)[A-Z]/u;

/** A letter at the beginning of a word whose capital EWTS has a meaning for, too. */
const HEAD = /(?<![\w'+.~^?&\\-])'?(?:Sh|[TDNAIU])/gu;
const WORD_WITH_HEAD = new RegExp(String.raw`${HEAD.source}[\w'+.~^?&-]*`, 'gu');

/** Loan words that begin with a long vowel or a retroflex letter: ārya, ācārya, ānanda, ālikāli, ṭīkā, ḍombi, ḍamaru, ḍākinī, ṭakki. */
const MAX_LOAN_LENGTH = 'Da ma ru'.length;
const LOAN_WORD = /^(?:Ar\+?y|A tsA|A ?nan|A li kA|T[iI] ?k[aA]|Dom ?b\+?h|D[aA] ?ma ?ru|DA ?k|Tak ?k[iI])/u;

/** Beginnings of Sanskrit syllables in Tibetan spelling; many Tibetan syllables begin so, too. */
const SANSKRIT_ONSETS: ReadonlySet<string> = new Set(
  ' k kh g t th d n p ph b m ts tsh dz y r l w sh s h kr khr gr tr dr pr phr br mr shr sr hr kl gl bl sl ky gy py by my'.split(
    ' ',
  ),
);
const ONSET = /^[^aeiou]*/u;
/** Suffixes that close no syllable of Sanskrit. */
const CLOSED = /(?:ng|[gdbs])s?$/u;

/** Signs and letters that only Sanskrit uses. */
const SANSKRIT = /[+~A-Z]|-[iI]/u;

/** Whether it is a syllable of Tibetan and cannot be one of Sanskrit. */
function isTibetanOnly(syllable: string): boolean {
  if (SANSKRIT_ONSETS.has(ONSET.exec(syllable)?.[0] ?? '') && !CLOSED.test(syllable)) return false;
  return isNativeSyllable(syllable);
}

/**
 * The line without capitals that only decorate it: those of a phone at its beginning, of names, titles and root letters (`Stag tshang Shes
 * rab`). A line that begins small, and whose capitals all have a meaning, has none. Of the capitals that could have one, a line with Sanskrit
 * (`Sa skya paN Di ta`) keeps those within it, unless they begin syllables of Tibetan, or others in the line surely decorate it.
 */
function withoutDecoration(line: string): string {
  const lowered = line.replace(MEANINGLESS_CAPITAL, (capital) => capital.toLowerCase());
  const begins = BEGINS_WITH_CAPITAL.exec(line)?.[0].length ?? 0;
  if (lowered === line && begins === 0) return line;
  const isAlone = !/\S\s+\S/u.test(line);
  const isDecorated = lowered.slice(begins) !== line.slice(begins);
  const hasSanskrit = !isDecorated && SANSKRIT.test(withSmallHeads(lowered));
  return lowered.replace(WORD_WITH_HEAD, (word, at: number) => {
    if (LOAN_WORD.test(lowered.slice(at, at + MAX_LOAN_LENGTH))) return word;
    const small = withSmallHeads(word);
    const isSpared = hasSanskrit && (at >= begins || isAlone);
    return isSpared && !isTibetanOnly(small) ? word : small;
  });
}

function withSmallHeads(words: string): string {
  return words.replace(HEAD, (head) => head.toLowerCase());
}
