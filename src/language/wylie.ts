/** Converts Tibetan to Extended Wylie (EWTS) and back, accepting EWTS as people type it. */
import ewts from 'jsewts';
import { createYield } from '../patience.ts';
import { asTibetan, isFaultless, isNativeSyllable, MAX_SYLLABLE_LENGTH } from './native-syllable.ts';
import { streamSafe } from './normalise.ts';
import { asEwts } from './typed-wylie.ts';

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

/** The text with its Tibetan in EWTS; everything else stays as it is. */
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

/** The same for a text of any length, without blocking the event loop: Tibetan runs end with the line. */
export function toWylieInTurns(text: string): Promise<string> {
  return byLines(text, toWylie);
}

/** The text with its EWTS in Tibetan; everything but ASCII stays as it is. Faulty EWTS is converted as well as possible. */
export function fromWylie(text: string): string {
  const tibetan = asEwts(text).replace(WYLIE_RUN, asTibetan);
  return tibetan.replace(/\p{Surrogate}/gu, ''); // half a character, which `\ud800` gives
}

/** The same for a text of any length, without blocking the event loop: EWTS ends with the line. */
export function fromWylieInTurns(text: string): Promise<string> {
  return byLines(text, fromWylie);
}

async function byLines(text: string, convert: (line: string) => string): Promise<string> {
  const yieldToOthers = createYield();
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    await yieldToOthers();
    lines.push(convert(line));
  }
  return lines.join('\n');
}

/**
 * The Tibetan of a text that is surely EWTS; undefined for any other. Every word must be a faultless Tibetan syllable, or, if one is surely
 * Sanskrit in EWTS, a faultless word; and since many English words are, too ("dog", "the", "song"), at least one must not look like English.
 */
export function tibetanIfWylie(text: string): string | undefined {
  if (CASE_OF_OTHERS.test(text)) return undefined;
  const lines: string[] = [];
  const words = new Set<string>();
  // By lines, since the first of them tells most texts that are none.
  for (const line of text.split('\n')) {
    const wylie = asEwts(line);
    for (const word of wylie.match(WORD) ?? []) {
      if (!words.has(word) && (word.length > MAX_SYLLABLE_LENGTH || !isFaultless(word))) return undefined;
      words.add(word);
    }
    lines.push(wylie);
  }
  const all = [...words];
  const isMantra = all.some((word) => SURELY_SANSKRIT.test(word) && (all.length > 1 || word.length > 2));
  if (!isMantra && !(all.every(isNativeSyllable) && all.some(isUnlikeEnglish))) return undefined;
  const wylie = lines.join('\n');
  return isFaultless(wylie) ? asTibetan(wylie) : undefined;
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
