/** Converts Tibetan to Extended Wylie (EWTS) and back, accepting EWTS as people type it. */
import ewts from 'jsewts';
import { createYield } from '../patience.ts';
import { streamSafe } from './normalise.ts';
import { sectionsOf } from './sections.ts';

/** Longer than any Tibetan syllable in EWTS; jsewts would take the square of its length, or more. */
const MAX_SYLLABLE_LENGTH = 24;
/** Consonants, a vowel, suffixes, and fused particles or vowels of foreign names (`ko'u`). jsewts knows which may stand together. */
const SHAPE = /^[bcdghjklmnprstwyz'.]*[aeiou](?:ng|[gdnbmrls'])?s?d?(?:'[aeiou](?:ng|[gdnbmrls])?s?)*$/u;

/** Whether letters in EWTS are a syllable that Tibetan can have: no Sanskrit, and nothing misread. */
export function isNativeSyllable(wylie: string): boolean {
  return wylie.length <= MAX_SYLLABLE_LENGTH && SHAPE.test(wylie) && isFaultless(wylie);
}

/** Whether EWTS's strict check finds nothing wrong: the order of letters in a syllable, and their stacks. */
function isFaultless(wylie: string): boolean {
  const warnings: string[] = [];
  ewts.fromWylie(wylie, { check: true, check_strict: true, sloppy: false }, warnings);
  return warnings.length === 0;
}

/** Faulty EWTS is converted as well as possible. */
export function asTibetan(wylie: string): string {
  return ewts.fromWylie(wylie, { check: false, check_strict: false, sloppy: false });
}

/** White space that a text of another script, or the end of a line, may follow: not an emoji, which stands apart. */
const BEFORE_OTHERS = String.raw`(?=$|[^\0-~\p{Extended_Pictographic}\p{RI}])`;
/** White space that a closing mark of another script stands before. */
const AFTER_OTHERS = String.raw`(?<=[[\p{Pe}\p{Pf}]--[\u0000-~]])`;

/**
 * A run of Tibetan with its inner spaces: so many in a row at most, since jsewts takes the square of their number. Also with those around it
 * that would mean a tsheg in EWTS, as they do not after a shad.
 */
const TIBETAN_RUN = new RegExp(
  String.raw`(?:${AFTER_OTHERS} {1,64})?[\u0f00-\u0fff]+(?: {1,64}[\u0f00-\u0fff]+)*(?:(?<![\u0f08\u0f0d-\u0f0f\u0f11\u0f14\u0f3d]) {1,64}${BEFORE_OTHERS})?`,
  'gmv',
);
/** A run of ASCII with its inner spaces, and those around it that mean a tsheg. */
const WYLIE_RUN = new RegExp(`(?:${AFTER_OTHERS} +)?[!-~](?:[ -~]*[!-~])?(?: +${BEFORE_OTHERS})?`, 'gmv');

/** Everything but Tibetan stays as it is. */
export function toWylie(text: string): string {
  return text.replace(/[^\n]+/gu, (line) => {
    // EWTS has no sign for the one-character om, which reads and looks the same as its parts.
    const wylie = line.replace(TIBETAN_RUN, (run) =>
      ewts.toWylie(streamSafe(run).normalize('NFC').replaceAll('\u0f00', '\u0f68\u0f7c\u0f7e'), true),
    );
    return /^[^a-z\u0f40-\u0fff]*[\u0f40-\u0fff]/iu.test(line) ? withClearCapital(wylie) : wylie;
  });
}

const lettersOf = (wylie: string): string => wylie.replace(/[^a-z]/giu, '');

/** A line of EWTS whose first capital would be read as a phone's: in the other form that EWTS has for it (`-ti rum pha`). */
function withClearCapital(wylie: string): string {
  if (!/^[^a-z]*[A-Z]/u.test(wylie) || lettersOf(asEwts(wylie)) === lettersOf(wylie)) return wylie;
  return wylie.replace(/[AIU]|Sh|[TDN]/u, (head) =>
    /[AIU]/u.test(head) ? `a+${head}` : `-${head.toLowerCase()}`,
  );
}

/** Everything but ASCII stays as it is. Faulty EWTS is converted as well as possible. */
export function fromWylie(text: string): string {
  const tibetan = asEwts(text).replace(WYLIE_RUN, asTibetan);
  return tibetan.replace(/\p{Surrogate}/gu, ''); // half a character, which `\ud800` gives
}

/** Behind a syllable and before another, where both are converted alike by themselves. */
const BETWEEN_SYLLABLES = /(?:[\u0f40-\u0fbca-z'] |་)$/iu;
const SYLLABLE_BEGINS = /[\u0f40-\u0f6ca-z]/iu;

function isBetweenSyllables(text: string, at: number): boolean {
  return SYLLABLE_BEGINS.test(text.charAt(at)) && BETWEEN_SYLLABLES.test(text.slice(at - 2, at));
}

/** The lines of a text, a long one in sections; each is followed by its end: a line break, or nothing. */
function* linesOf(text: string): Generator<readonly [line: string, end: string], void> {
  const lines = text.split('\n');
  for (const [index, line] of lines.entries())
    for (const { start, end } of sectionsOf(line, isBetweenSyllables))
      yield [line.slice(start, end), end < line.length || index === lines.length - 1 ? '' : '\n'];
}

/** Like `convert` on the whole text, in slices of the event loop: Tibetan runs and EWTS end with the line. */
export async function byLines(text: string, convert: (line: string) => string): Promise<string> {
  const yieldToOthers = createYield();
  let converted = '';
  for (const [line, end] of linesOf(text)) {
    await yieldToOthers();
    converted += `${convert(line)}${end}`;
  }
  return converted;
}

/**
 * The Tibetan of a text that is surely EWTS; undefined for any other. Every word must be a faultless Tibetan syllable, or, if one is surely
 * Sanskrit in EWTS, a faultless word; and since many English words are, too ("dog", "the", "song"), at least one must not look like English.
 * Works in slices of the event loop.
 */
export async function tibetanIfWylie(text: string): Promise<string | undefined> {
  const yieldToOthers = createYield();
  const lines: (readonly [line: string, end: string])[] = [];
  const words = new Set<string>();
  let [hasSanskrit, areNative, areLikeEnglish] = [false, true, true];
  // By lines, since the first of them tells most texts that are none.
  for (const [line, end] of linesOf(text)) {
    await yieldToOthers();
    if (CASE_OF_OTHERS.test(line)) return undefined;
    const wylie = asEwts(line);
    lines.push([wylie, end]);
    for (const word of wylie.match(WORD) ?? []) {
      if (words.has(word)) continue;
      await yieldToOthers();
      if (word.length > MAX_SYLLABLE_LENGTH || !isFaultless(word)) return undefined;
      words.add(word);
      hasSanskrit ||= SURELY_SANSKRIT.test(word);
      areNative &&= SHAPE.test(word);
      areLikeEnglish &&= !isUnlikeEnglish(word);
    }
  }
  const [only = ''] = words;
  const isMantra = hasSanskrit && (words.size > 1 || only.length > 2);
  if (!isMantra && (!areNative || areLikeEnglish)) return undefined;
  let tibetan = '';
  for (const [line, end] of lines) {
    await yieldToOthers();
    if (!isFaultless(line)) return undefined;
    tibetan += `${asTibetan(line)}${end}`;
  }
  return tibetan;
}

/** A word: between spaces and EWTS's punctuation, without digits. */
const WORD = /[^\s_/|;:!@#()0-9]+/gu;
/** A word with capitals that is not one of EWTS: an abbreviation (`API`), or one with a letter that EWTS lacks (`LaTeX`, `DoS`). */
const CASE_OF_OTHERS =
  /\b[A-Z]{3}|[A-Z]\w{0,24}(?:[BCEFGJKLOPQVZ]|S(?!h))|(?:[BCEFGJKLOPQVZ]|S(?!h))\w{0,24}[A-Z]/u;
/** Signs of Sanskrit: a stack with a plus; a long vowel or a nasal in a word of at most two syllables (not `storeName`) that begins small. */
const SURELY_SANSKRIT =
  /[^aeiou\s]\+[^aeiou]|^(?=[a-z])(?!(?:[^aeiouAIU]*[aeiouAIU]){3}).*(?:[b-df-hj-np-tv-z][AIU]|[aeiouAIU]~?[MH]|[aeiou]N$)/u;
/** Beginnings that English words, or Chinese ones in pinyin, share with Tibetan syllables. */
const COMMON_ONSETS: ReadonlySet<string> = new Set(
  ' b c d g h j k l m n p r s t w y z ch kh ph sh th ts zh bl br dr gl gr gn kl kr pr sk sl sm sn sp st tr thr'.split(
    ' ',
  ),
);

function isUnlikeEnglish(word: string): boolean {
  const onset = /^[^aeiou]*/u.exec(word)?.[0] ?? '';
  return !COMMON_ONSETS.has(onset) || /'[iuo]?$/u.test(word);
}

/** The text in EWTS. What is EWTS already stays as it is. */
function asEwts(text: string): string {
  return text
    .replace(/[^\n]+/gu, withApostrophes)
    .replace(ROOT_Y, 'g.y')
    .replace(HYPHEN_BETWEEN_SYLLABLES, (hyphen, before: string) =>
      /[aeiou]/iu.test(before) ? `${before} ` : hyphen,
    )
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

/** Whether an apostrophe makes the first or last syllable, valid without it, impossible in Tibetan. */
function isQuoted(words: string): boolean {
  const syllables = `'${words}'`.split(/[\s_/|;:!]+/u);
  return [syllables[0] ?? '', syllables.at(-1) ?? ''].some(
    (syllable) => !isNativeSyllable(syllable) && isNativeSyllable(syllable.replace(/^'|'$/gu, '')),
  );
}

/** The root letter of `gYung drung` and `g-yag`: alone it would be the y stacked under g, as in `gyur`. */
const ROOT_Y = /(?<![\w'+.~^?&-])g(?:Y|-y)(?=[aeiou])/gu;

/** A hyphen between syllables. Not `-i`, which is a vowel, nor the `-t`, `-d`, `-n`, `-sh` of a letter without a vowel before it. */
const HYPHEN_BETWEEN_SYLLABLES = /(?<![\w'?])([\w'?]+)-(?=['.]?(?!i)[a-z'.+]*[aeiou])/giu;

/**
 * Capitals without a meaning in EWTS: those that it has no letter for; those of a root letter after its prefixes (`rNying`, `bsTan`,
 * `g.Yung`), where a real capital letter would need a plus or a vowel between; and those at the beginning of a word that could only follow
 * or be stacked (`Mi`, `Rin`), or only be followed by a vowel (`Nga`, `Dge`).
 */
const MEANINGLESS_CAPITAL =
  /[BCEFGJKLOPQVZ]|S(?!h)|Sh(?=Akya)|[TDNSMHRWY](?<=(?<![\w'+.~^?&-])[bdgmrls'.]{1,8}.)|(?<![\w'+.~^?&-])(?:[MHXWY]|R(?!\+)|[TDN](?!h?[aeiouAIU+\-wr]))(?=[\w'])/gu;

/** A capital at the beginning of a line. `R+` is a form of r; a long vowel may stand alone. */
const BEGINS_WITH_CAPITAL = /^[^A-Za-z]*(?!R\+|[AIU][^A-Za-z]*$)[A-Z]/u;

/** A letter at the beginning of a word whose capital EWTS has a meaning for, too. */
const HEAD = /(?<![\w'+.~^?&\\-])'?(?:Sh|[TDNAIU])/gu;
const WORD_WITH_HEAD = new RegExp(String.raw`${HEAD.source}[\w'+.~^?&-]*`, 'gu');

/** Loan words that begin with a long vowel or a retroflex letter: ārya, ācārya, ānanda, ālikāli, ṭīkā, ḍombi, ḍamaru, ḍākinī, ṭakki. */
const MAX_LOAN_LENGTH = 'Da ma ru'.length;
const LOAN_WORD = /^(?:Ar\+?y|A tsA|A ?nan|A li kA|T[iI] ?k[aA]|Dom ?b\+?h|D[aA] ?ma ?ru|DA ?k|Tak ?k[iI])/u;

/** Signs and letters that only Sanskrit uses. */
const SANSKRIT = /[+~A-Z]|-[iI]/u;

/**
 * The line without capitals that only decorate it: those of a phone at its beginning, of names, titles and root letters (`Stag tshang Shes
 * rab`). A line that begins small, and whose capitals all have a meaning, has none. Of the capitals that could have one, a line with Sanskrit
 * (`Sa skya paN Di ta`) keeps those within it, unless others in the line surely decorate it.
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
    return hasSanskrit && (at >= begins || isAlone) ? word : withSmallHeads(word);
  });
}

function withSmallHeads(words: string): string {
  return words.replace(HEAD, (head) => head.toLowerCase());
}
