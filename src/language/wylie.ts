/** Tibetan in Latin letters and back: Extended Wylie (EWTS), as people type it. */
import ewts from 'jsewts';
import { createYield } from '../patience.ts';

/** Tibetan with the spaces inside it. */
const TIBETAN_RUN = /[\u0f00-\u0fff]+(?: +[\u0f00-\u0fff]+)*/gu;
/** Whatever a keyboard puts in place of EWTS's apostrophe. */
const APOSTROPHE = /[ʼʹ‘’ʾ]/gu;
/** All of ASCII with the spaces inside it, and those at the end of a line: there they are a tsheg. */
const WYLIE_RUN = /[!-~](?:[ -~]*[!-~])?(?: +$)?/gmu;

/** The text with its Tibetan in EWTS; everything else stays as it is. */
export function toWylie(text: string): string {
  // EWTS has no sign for the one-character om, which is read and drawn as its parts are.
  return text.replace(TIBETAN_RUN, (run) =>
    ewts.toWylie(run.normalize('NFC').replaceAll('\u0f00', '\u0f68\u0f7c\u0f7e'), true),
  );
}

/** The same of a text of any length, without blocking the event loop: no Tibetan goes over the end of a line. */
export async function toWylieInTurns(text: string): Promise<string> {
  const yieldToOthers = createYield();
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    await yieldToOthers();
    lines.push(toWylie(line));
  }
  return lines.join('\n');
}

/** The text with its EWTS in Tibetan; everything but ASCII stays as it is. What is no EWTS comes out as near as it can. */
export function fromWylie(text: string): string {
  const reading = { check: false, check_strict: false, sloppy: false };
  const tibetan = asEwts(text).replace(WYLIE_RUN, (run) => ewts.fromWylie(run, reading));
  return tibetan.replace(/\p{Surrogate}/gu, ''); // half a character, which `\ud800` gives
}

/**
 * The Tibetan of a text that is surely meant as EWTS; undefined for any other. Every word must be a Tibetan syllable without a
 * fault, and since many English words are, too ("dog", "the", "song"), one at least must be like none in English.
 */
export function tibetanIfWylie(text: string): string | undefined {
  const wylie = asEwts(text);
  const words = wylie.match(WORD) ?? [];
  if (!words.every((word) => SYLLABLE.test(word)) || !words.some(isUnlikeEnglish)) return undefined;
  const warnings: string[] = [];
  const tibetan = ewts.fromWylie(wylie, { check: true, check_strict: true, sloppy: false }, warnings);
  return warnings.length === 0 ? tibetan : undefined;
}

/** What stands between spaces and the punctuation of EWTS, digits aside. */
const WORD = /[^\s_/|;:!@#()0-9]+/gu;
/** Consonants, one vowel, suffixes, and the particles that are fused to a syllable. Which may stand together jsewts knows. */
const SYLLABLE = /^([bcdghjklmnprstwyz'.]*)[aeiou](?:ng|[gdnbmrls'])?s?(?:'(?:[iuo]|am|ang))*$/u;
/** How English words and Chinese ones in pinyin can begin, as far as Tibetan syllables can, too. */
const COMMON_ONSETS: ReadonlySet<string> = new Set(
  ' b c d g h j k l m n p r s t w y z ch kh ph sh th ts zh bl br dr gl gr gn kl kr pr sk sl sm sn sp st tr thr'.split(
    ' ',
  ),
);

function isUnlikeEnglish(word: string): boolean {
  const onset = SYLLABLE.exec(word)?.[1] ?? '';
  return !COMMON_ONSETS.has(onset) || /'[iuo]?$/u.test(word);
}

/** Mends what keyboards and habit make of EWTS. */
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

/** The root letter of `gYung drung`: without its capital it would be the y that is stacked under g, as in `gyur`. */
const ROOT_Y = /(?<![\w'+.~^?&-])gY(?=[aeiou])/gu;

/**
 * Capitals that EWTS has no letter for; those of a root letter after the letters that are written before it (`rNying`, `bsTan`,
 * `g.Yung`), where a letter that is meant needs a plus or a vowel between; and those that begin a word and could only
 * follow or be stacked (`Mi`, `Rin`), or be followed by a vowel (`Nga`, `Dge`).
 */
const MEANINGLESS_CAPITAL =
  /[BCEFGJKLOPQVZ]|S(?!h)|[TDNSMHRWY](?<=(?<![\w'+.~^?&-])[bdgmrls'.]+.)|(?<![\w'+.~^?&-])(?:[MHXWY]|R(?!\+)|[TDN](?![aeiouAIU+-]|h[aeiouAIU+-]))(?=[\w'])/gu;

/** Not `-i`, which is a vowel, nor the `-t`, `-d`, `-n`, `-sh` of a letter that begins or is stacked: there no vowel stands before it. */
const HYPHEN_BETWEEN_SYLLABLES = /-(?<=[aeiouAIU][\w'?]*-)(?=['.]?(?![iI])[A-Za-z'.+]*[aeiouAIU])/gu;

/** A word that begins with a capital which can mean something. */
const CAPITALISED_WORD = /(?<![\w'+.~^?&-])([TDN]|Sh)[a-z']+(?![\w'+.~^?&-])/gu;
/** Suffixes of Tibetan; `s` may also be a particle after a loan word. */
const CLOSED = /(?:ng|[gdb])s?$/u;
const CLOSED_OR_WITH_S = /(?:ng|[gdbs])s?$/u;
/** How syllables of Sanskrit can begin, as Tibetan writes them; many of Tibetan begin so, too. */
const SANSKRIT_ONSETS: ReadonlySet<string> = new Set(
  ' k kh g t th d n p ph b m ts tsh dz y r l w sh s h kr khr gr tr dr pr phr br mr shr sr hr kl gl bl sl ky gy py by my'.split(
    ' ',
  ),
);

/** Whether it is Tibetan and cannot be of a Sanskrit word; with a suffix by one of those given. */
function isNative(syllable: string, suffixed: RegExp): boolean {
  const onset = SYLLABLE.exec(syllable)?.[1];
  return onset !== undefined && (!SANSKRIT_ONSETS.has(onset) || suffixed.test(syllable));
}

/** Signs and letters for Sanskrit alone. */
const SANSKRIT = /[+~?&A-Z]|-[iI]/u;
/** Loan words that begin with a letter for Sanskrit and have none beside it: ṭīkā, ḍombi, ḍamaru, ḍākinī, ṭakki. */
const LOAN_WORD = /^(?:T[iI] ?k|Dom ?b|Da ?ma ?ru|Da ?k|Tak ?k)/u;
/** They follow many a Tibetan word of one syllable: A ma, A khu, Da ni, Dam pa. */
const SECOND_SYLLABLE = /^(?:pha|khu|ne|[pmb][ao]|ni|la|yi|ra)$/u;

/**
 * The line without the capital that a phone puts at its beginning: `Da lta` as `da lta`. What can mean something (`Ar+ya`, `Dom b+hi`) is
 * told by the first of the syllables that cannot be both Tibetan and Sanskrit; where none tells, by which of the two is usual.
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
