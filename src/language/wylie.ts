/** Tibetan in Latin letters and back: Extended Wylie (EWTS), as people type it. */
import ewts from 'jsewts';
import { createFairTurns } from '../fair-turns.ts';

/** Tibetan with the spaces inside it. */
const TIBETAN_RUN = /[\u0f00-\u0fff]+(?: +[\u0f00-\u0fff]+)*/gu;
/** Whatever a keyboard puts in place of EWTS's apostrophe. */
const APOSTROPHE = /[ʼʹ‘’ʾ]/gu;
/** Phones begin a line with a capital. */
const HAS_PHONES_CAPITAL = /^[^A-Za-z]*[A-Z][^A-Z]*$/u;
/** All of ASCII with the spaces inside it, and those at the end of a line: there they are a tsheg. */
const WYLIE_RUN = /[!-~](?:[ -~]*[!-~])?(?: +$)?/gmu;

/** The text with its Tibetan in EWTS; everything else stays as it is. */
export function toWylie(text: string): string {
  // EWTS has no sign for the one-character om, which is read and drawn as its parts are.
  return text.replace(TIBETAN_RUN, (run) =>
    ewts.toWylie(run.normalize('NFC').replaceAll('\u0f00', '\u0f68\u0f7c\u0f7e'), true),
  );
}

/** The same of a text of any length, which holds nobody up: no Tibetan goes over the end of a line. */
export async function toWylieInTurns(text: string): Promise<string> {
  const othersHaveTheirTurn = createFairTurns();
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    await othersHaveTheirTurn();
    lines.push(toWylie(line));
  }
  return lines.join('\n');
}

/** The text with its EWTS in Tibetan; everything but ASCII stays as it is. What is no EWTS comes out as near as it can. */
export function fromWylie(text: string): string {
  const reading = { check: false, check_strict: false, sloppy: false };
  return asEwts(text).replace(WYLIE_RUN, (run) => ewts.fromWylie(run, reading));
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
    .replace(/[BCEFGJKLOPQVZ]|S(?!h)/gu, (capital) => capital.toLowerCase()) // these mean nothing in EWTS
    .replace(/[^\n]+/gu, (line) => (HAS_PHONES_CAPITAL.test(line) ? line.toLowerCase() : line))
    .replace(/ {2,}/gu, ' ')
    .replace(/([/|;:!)]) (?=\S)/gu, '$1_'); // after a shad a space is a space, else a tsheg
}
