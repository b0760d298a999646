/** Converts Tibetan to Extended Wylie (EWTS) and back, accepting EWTS as people type it. */
import ewts from 'jsewts';
import { createYield } from '../patience.ts';
import { streamSafe } from './normalise.ts';

/** A run of Tibetan with its inner spaces: so many in a row at most, since jsewts takes the square of their number. */
const TIBETAN_RUN = /[\u0f00-\u0fff]+(?: {1,64}[\u0f00-\u0fff]+)*/gu;
/** Characters that keyboards put in place of EWTS's apostrophe. */
const APOSTROPHE = /[ʼʹ‘’ʾ]/gu;
/** A run of ASCII with its inner spaces, and those at the end of a line, which mean a tsheg. */
const WYLIE_RUN = /[!-~](?:[ -~]*[!-~])?(?: +$)?/gmu;

/** The text with its Tibetan in EWTS; everything else stays as it is. */
export function toWylie(text: string): string {
  // EWTS has no sign for the one-character om, which reads and looks the same as its parts.
  return text.replace(TIBETAN_RUN, (run) =>
    ewts.toWylie(streamSafe(run).normalize('NFC').replaceAll('\u0f00', '\u0f68\u0f7c\u0f7e'), true),
  );
}

/** The same for a text of any length, without blocking the event loop: Tibetan runs end with the line. */
export async function toWylieInTurns(text: string): Promise<string> {
  const yieldToOthers = createYield();
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    await yieldToOthers();
    lines.push(toWylie(line));
  }
  return lines.join('\n');
}

/** The text with its EWTS in Tibetan; everything but ASCII stays as it is. Faulty EWTS is converted as well as possible. */
export function fromWylie(text: string): string {
  const options = { check: false, check_strict: false, sloppy: false };
  const tibetan = asEwts(text).replace(WYLIE_RUN, (run) => ewts.fromWylie(run, options));
  return tibetan.replace(/\p{Surrogate}/gu, ''); // half a character, which `\ud800` gives
}

/**
 * The Tibetan of a text that is surely EWTS; undefined for any other. Every word must be a faultless Tibetan syllable; and since many English
 * words are, too ("dog", "the", "song"), at least one must not look like English.
 */
export function tibetanIfWylie(text: string): string | undefined {
  const wylie = asEwts(text);
  const words = wylie.match(WORD) ?? [];
  if (
    !words.every((word) => word.length <= LONGEST_SYLLABLE && SYLLABLE.test(word)) ||
    !words.some(isUnlikeEnglish)
  )
    return undefined;
  const warnings: string[] = [];
  const tibetan = ewts.fromWylie(wylie, { check: true, check_strict: true, sloppy: false }, warnings);
  return warnings.length === 0 ? tibetan : undefined;
}

/** Longer than any Tibetan syllable; jsewts would take the square of its length, or more. */
const LONGEST_SYLLABLE = 24;
/** A word: between spaces and EWTS's punctuation, without digits. */
const WORD = /[^\s_/|;:!@#()0-9]+/gu;
/** Consonants, one vowel, suffixes, and fused particles. jsewts knows which may stand together. */
const SYLLABLE = /^([bcdghjklmnprstwyz'.]*)[aeiou](?:ng|[gdnbmrls'])?s?(?:'(?:[iuo]|am|ang))*$/u;
/** Beginnings that English words, or Chinese ones in pinyin, share with Tibetan syllables. */
const COMMON_ONSETS: ReadonlySet<string> = new Set(
  ' b c d g h j k l m n p r s t w y z ch kh ph sh th ts zh bl br dr gl gr gn kl kr pr sk sl sm sn sp st tr thr'.split(
    ' ',
  ),
);

function isUnlikeEnglish(word: string): boolean {
  const onset = SYLLABLE.exec(word)?.[1] ?? '';
  return !COMMON_ONSETS.has(onset) || /'[iuo]?$/u.test(word);
}

/** Corrects EWTS as keyboards and habits change it. */
function asEwts(text: string): string {
  return text
    .replace(APOSTROPHE, "'")
    .replace(ROOT_Y, 'g.y')
    .replace(MEANINGLESS_CAPITAL, (capital) => capital.toLowerCase())
    .replace(HYPHEN_BETWEEN_SYLLABLES, ' ')
    .replace(CAPITALISED_WORD, (word, capital: string) =>
      isNative(word.toLowerCase(), CLOSED) ? capital.toLowerCase() + word.slice(capital.length) : word,
    )
    .replace(/[^\n]+/gu, withoutPhonesCapital)
    .replace(/ {2,}/gu, ' ')
    .replace(/([/|;:!)]) (?=\S)/gu, '$1_'); // after a shad a space is a space, else a tsheg
}

/** The root letter of `gYung drung`: in lower case it would be the y stacked under g, as in `gyur`. */
const ROOT_Y = /(?<![\w'+.~^?&-])gY(?=[aeiou])/gu;

/**
 * Capitals without a meaning in EWTS: those that it has no letter for; those of a root letter after its prefixes (`rNying`, `bsTan`,
 * `g.Yung`), where a real capital letter would need a plus or a vowel between; and those at the beginning of a word that could only follow
 * or be stacked (`Mi`, `Rin`), or only be followed by a vowel (`Nga`, `Dge`).
 */
const MEANINGLESS_CAPITAL =
  /[BCEFGJKLOPQVZ]|S(?!h)|[TDNSMHRWY](?<=(?<![\w'+.~^?&-])[bdgmrls'.]+.)|(?<![\w'+.~^?&-])(?:[MHXWY]|R(?!\+)|[TDN](?![aeiouAIU+-]|h[aeiouAIU+-]))(?=[\w'])/gu;

/** A hyphen between syllables. Not `-i`, which is a vowel, nor the `-t`, `-d`, `-n`, `-sh` of a letter without a vowel before it. */
const HYPHEN_BETWEEN_SYLLABLES = /-(?<=[aeiouAIU][\w'?]*-)(?=['.]?(?![iI])[A-Za-z'.+]*[aeiouAIU])/gu;

/** A word that begins with a capital that EWTS has a meaning for. */
const CAPITALISED_WORD = /(?<![\w'+.~^?&-])([TDN]|Sh)[a-z']+(?![\w'+.~^?&-])/gu;
/** Suffixes of Tibetan; `s` may also be a particle after a loan word. */
const CLOSED = /(?:ng|[gdb])s?$/u;
const CLOSED_OR_WITH_S = /(?:ng|[gdbs])s?$/u;
/** Beginnings of Sanskrit syllables in Tibetan spelling; many Tibetan syllables begin so, too. */
const SANSKRIT_ONSETS: ReadonlySet<string> = new Set(
  ' k kh g t th d n p ph b m ts tsh dz y r l w sh s h kr khr gr tr dr pr phr br mr shr sr hr kl gl bl sl ky gy py by my'.split(
    ' ',
  ),
);

/** Whether it is a Tibetan syllable and cannot be Sanskrit; a suffix must be one of those given. */
function isNative(syllable: string, suffixed: RegExp): boolean {
  const onset = SYLLABLE.exec(syllable)?.[1];
  return onset !== undefined && (!SANSKRIT_ONSETS.has(onset) || suffixed.test(syllable));
}

/** Signs and letters that only Sanskrit uses. */
const SANSKRIT = /[+~?&A-Z]|-[iI]/u;
/** Loan words whose only Sanskrit letter is the first: ṭīkā, ḍombi, ḍamaru, ḍākinī, ṭakki. */
const LOAN_WORD = /^(?:T[iI] ?k|Dom ?b|Da ?ma ?ru|Da ?k|Tak ?k)/u;
/** Syllables that often follow a Tibetan word of one syllable: A ma, A khu, Da ni, Dam pa. */
const SECOND_SYLLABLE = /^(?:pha|khu|ne|[pmb][ao]|ni|la|yi|ra)$/u;

/**
 * The line without the capital that a phone puts at its beginning: `Da lta` becomes `da lta`. If the capital could have a meaning (`Ar+ya`,
 * `Dom b+hi`), the first syllable that cannot be both Tibetan and Sanskrit decides; if there is none, the more usual of the two.
 */
function withoutPhonesCapital(line: string): string {
  const at = line.search(/[A-Za-z]/u);
  const words = at < 0 ? '' : line.slice(at);
  const syllables = words.split(/[^\w'+.~^?&-]+/u, 4);
  if (!/^[TDNSAIU]/u.test(words) || LOAN_WORD.test(words)) return line;
  const capital = line.charAt(at);
  const lowered = line.slice(0, at) + capital.toLowerCase() + line.slice(at + 1);
  for (const [place, syllable] of syllables.entries()) {
    const small = place === 0 ? capital.toLowerCase() + syllable.slice(1) : syllable;
    if (SANSKRIT.test(small) || !SYLLABLE.test(small)) return line;
    if (isNative(small, CLOSED_OR_WITH_S) || (place === 1 && SECOND_SYLLABLE.test(small))) return lowered;
  }
  return /^(?:N|Th|Sh)/u.test(words) ? lowered : line;
}
