/** Finds which script, Tibetan or Chinese, carries a text, and whether any of it is visible. */
import { END_CLAUSE, END_PHRASE, SUFFIXES } from './particles.ts';

export const LANGUAGES = ['tibetan', 'chinese'] as const;

export type Language = (typeof LANGUAGES)[number];

/** A Tibetan syllable: letters with vowel signs and subjoined letters, between two tshegs. */
const TIBETAN_RUN = /[[\p{Letter}\p{Mark}]&&\p{Script=Tibetan}]+/gv;
/** A letter that begins a stack; subjoined letters are marks. */
const TIBETAN_LETTER = /[\p{Letter}&&\p{Script=Tibetan}]/gv;
/** Han characters of all planes, with 〇 and 々. */
const HAN_CHARACTER = /\p{Script=Han}/gu;

const LINK_TAIL = '[^\\s<>"“”「」《》（），。！？；：、\\u0f0d-\\u0f14]*';
/** A domain that says that it is one may be in any script (`www.拉萨.com`). */
const WWW = 'www\\.(?:[\\p{L}\\p{M}\\p{N}\\-་]{1,63}\\.){1,4}(?:[a-z]{2,63}|中国|中國)';
/**
 * A link, with or without a scheme, up to white space or the end of a sentence; a tag, also between two `#`; a name after `@` that is not in
 * Latin letters, up to white space, since nothing else tells where it ends in Chinese (`@卓玛你来吗？`). Each must begin at the start of a word:
 * otherwise a long word would be searched from each of its letters.
 */
export const LINK_NAME_OR_TAG = new RegExp(
  [
    `(?<![\\w.+\\-])(?:[a-z][a-z\\d+.\\-]*:\\/\\/|(?:${WWW}|(?:[\\w\\-]+\\.)+[a-z]{2,})(?::\\d+)?[\\/?#])${LINK_TAIL}`,
    `(?<![\\w.+\\-])${WWW}`,
    '(?<![\\p{L}\\p{M}\\p{N}_])#[\\p{L}\\p{M}\\p{N}_·་༌]+#?',
    '(?<![\\p{L}\\p{M}\\p{N}_])@[\\p{L}\\p{M}\\p{N}_་༌]+(?=\\s)',
  ].join('|'),
  'giv',
);

/** A title, or a word or speech that is quoted. */
const QUOTED = /《[^《》]*》|“[^“”]*”|「[^「」]*」|『[^『』]*』/gu;

/** Chinese right before a syllable of Tibetan grammar. */
const CHINESE_IN_TIBETAN = new RegExp(
  `(?<!\\p{Script=Han})\\p{Script=Han}[\\p{Script=Han}\\p{Number}、·]*(?=[་༌ ]?(?:${[...END_PHRASE, ...SUFFIXES, ...END_CLAUSE].join('|')})(?![\\p{Letter}\\p{Mark}]))`,
  'gu',
);
/** These characters make a sentence, and rarely stand in a name. */
const CHINESE_GRAMMAR = /[的了是吗呢吧我你您他她们這这那]/u;

/** Maximum of stacks in a syllable: prefix, root, suffix, second suffix and a fused particle. */
const MAX_STACKS_IN_A_SYLLABLE = 5;
/** The average in running text; used for text without tshegs. */
const STACKS_PER_SYLLABLE = 2;

/**
 * Counts Tibetan syllables and Han characters: a Han character is one spoken syllable, and by letters Tibetan would always win. Links,
 * `@names` and `#tags` in any script do not count. Quotations, and Chinese names in a Tibetan sentence, count only if nothing else
 * is left: `ང་西南民族大学གི་སློབ་མ་ཡིན།` is Tibetan.
 */
export function scriptCounts(text: string): Record<Language, number> {
  return countsOf(ownWords(text));
}

/** A longer text is judged by samples, in UTF-16 units: all of a book would take 0.1 s. */
const MAX_JUDGED = 20_000;
const SAMPLES = 10;
const SAMPLE_LENGTH = 1000;

/** The text, or of a long one samples from its beginning to its end; if they have neither script, its first part that has one. */
function judged(text: string): string {
  if (text.length <= MAX_JUDGED) return text;
  const step = (text.length - SAMPLE_LENGTH) / (SAMPLES - 1);
  const starts = Array.from({ length: SAMPLES }, (_, index) => Math.floor(index * step));
  const samples = starts.map((start) => text.slice(start, start + SAMPLE_LENGTH)).join('\n');
  return SCRIPTS.test(samples) ? samples : partWith(SCRIPTS, text);
}

/** A link that a text begins within is no longer, in UTF-16 units. */
const MAX_LINK = 2000;

/** The part of a long text that begins shortly before its first letter of this kind; empty if it has none. */
function partWith(letter: RegExp, text: string): string {
  const first = text.search(letter);
  const start = Math.max(0, first - MAX_LINK);
  return first < 0 ? '' : text.slice(start, start + MAX_JUDGED);
}

function ownWords(text: string): string {
  const prose = judged(text).replace(LINK_NAME_OR_TAG, ' ');
  const own = prose
    .replace(QUOTED, ' ')
    .replace(CHINESE_IN_TIBETAN, (name) => (CHINESE_GRAMMAR.test(name) ? name : ' '));
  return SCRIPTS.test(own) ? own : prose;
}

/** A letter of either script. */
const SCRIPTS = /[[\p{Letter}&&\p{Script=Tibetan}]\p{Script=Han}]/v;

function countsOf(text: string): Record<Language, number> {
  let tibetan = 0;
  for (const [run] of text.matchAll(TIBETAN_RUN)) {
    const stacks = run.match(TIBETAN_LETTER)?.length ?? 0;
    // Text without tshegs is one long run; if that counted as one syllable, a single Han word would outweigh it.
    if (stacks > MAX_STACKS_IN_A_SYLLABLE) tibetan += Math.ceil(stacks / STACKS_PER_SYLLABLE);
    else if (stacks > 0) tibetan += 1;
  }
  return { tibetan, chinese: text.match(HAN_CHARACTER)?.length ?? 0 };
}

/** If both scripts carry as much, the first one counts. Undefined if the text has neither (Latin, digits, emoji). */
export function dominantLanguage(text: string): Language | undefined {
  const own = ownWords(text);
  const { tibetan, chinese } = countsOf(own);
  if (tibetan === 0 && chinese === 0) return undefined;
  if (tibetan !== chinese) return tibetan > chinese ? 'tibetan' : 'chinese';
  return own.search(TIBETAN_LETTER) < own.search(HAN_CHARACTER) ? 'tibetan' : 'chinese';
}

/** Quotations count; links, names and tags do not. */
export function hasScript(text: string, language: Language): boolean {
  const letter = language === 'tibetan' ? TIBETAN_LETTER : HAN_CHARACTER;
  const part = text.length <= MAX_JUDGED ? text : partWith(letter, text);
  return countsOf(part.replace(LINK_NAME_OR_TAG, ' '))[language] > 0;
}

export function otherLanguage(language: Language): Language {
  return language === 'tibetan' ? 'chinese' : 'tibetan';
}

/** Anything but white space, control, format and other invisible characters (Hangul fillers, variation selectors), and the Braille blank. */
const SOMETHING = /[^\s\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text is visible: Telegram refuses an invisible one, or shows an empty bubble. */
export function isVisible(text: string): boolean {
  return SOMETHING.test(text);
}
