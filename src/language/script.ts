/** Which script carries a text, Tibetan or Chinese, and whether there is anything to see in it. */

export const LANGUAGES = ['tibetan', 'chinese'] as const;

/** The two languages of the service; each is told by its script. */
export type Language = (typeof LANGUAGES)[number];

/** Tibetan letters with their vowel signs and subjoined letters: what stands between two tshegs. */
const TIBETAN_RUN = /[[\p{Letter}\p{Mark}]&&\p{Script=Tibetan}]+/gv;
/** A letter that begins a stack; what is subjoined to it is a mark. */
const TIBETAN_LETTER = /[\p{Letter}&&\p{Script=Tibetan}]/gv;
/** All planes, and 〇 and 々 too. */
const HAN_CHARACTER = /\p{Script=Han}/gu;

/**
 * A link, with its scheme or without, up to white space or a sign that ends a sentence; a tag, also between two `#`; a name after `@`
 * that is not in Latin letters. Each begins where no word is under way: else a long word would be searched from each of its letters.
 */
const LINK_NAME_OR_TAG =
  /(?<![\w.+\-])(?:[a-z][a-z\d+.\-]*:\/\/|(?:[\w\-]+\.)+[a-z]{2,}(?::\d+)?[\/?#])[^\s<>"“”「」《》（），。！？；：、\u0f0d-\u0f14]*|(?<![\p{L}\p{M}\p{N}_])(?:#[\p{L}\p{M}\p{N}_·་༌]+#?|@[\p{L}\p{M}\p{N}_་༌]+(?=\s))/giv;

/** Prefix, root, suffix, second suffix and a particle fused to them: no syllable is written with more stacks. */
const MOST_STACKS_IN_A_SYLLABLE = 5;
/** What running text has on average; for text written without tshegs. */
const STACKS_PER_SYLLABLE = 2;

/**
 * How much of a text each script carries: Tibetan syllables and Han characters. These are the fair units to weigh
 * against each other, since a Han character is one spoken syllable, as is what stands between two tshegs; by letters,
 * Tibetan would always win. Digits, punctuation and other scripts count for neither; nor do links, `@names` and `#tags`
 * (spec §2), whatever they are written in: `https://…/wiki/西藏自治区 ལྟོས་དང་།` is Tibetan.
 */
export function scriptCounts(text: string): Record<Language, number> {
  return countsOf(proseOf(text));
}

const proseOf = (text: string): string => text.replace(LINK_NAME_OR_TAG, ' ');

function countsOf(text: string): Record<Language, number> {
  let tibetan = 0;
  for (const [run] of text.matchAll(TIBETAN_RUN)) tibetan += syllables(run);
  return { tibetan, chinese: count(text, HAN_CHARACTER) };
}

/**
 * The language whose script carries more of the text; as much of both: the one that comes first.
 * Undefined where there is neither (Latin, digits, emoji, nothing but punctuation).
 */
export function dominantLanguage(text: string): Language | undefined {
  const prose = proseOf(text);
  const { tibetan, chinese } = countsOf(prose);
  if (tibetan === 0 && chinese === 0) return undefined;
  if (tibetan !== chinese) return tibetan > chinese ? 'tibetan' : 'chinese';
  return prose.search(TIBETAN_LETTER) < prose.search(HAN_CHARACTER) ? 'tibetan' : 'chinese';
}

/** Whether any of the text is in that language's script. */
export function hasScript(text: string, language: Language): boolean {
  return scriptCounts(text)[language] > 0;
}

/** The language on the other side of a translation. */
export function otherLanguage(language: Language): Language {
  return language === 'tibetan' ? 'chinese' : 'tibetan';
}

/** Text typed or recognised without tshegs is one long run; counted as one syllable, a single Han word would outweigh it. */
function syllables(run: string): number {
  const stacks = count(run, TIBETAN_LETTER);
  if (stacks > MOST_STACKS_IN_A_SYLLABLE) return Math.ceil(stacks / STACKS_PER_SYLLABLE);
  return stacks > 0 ? 1 : 0;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/**
 * Anything but white space, control and format characters (zero-width ones, marks of direction), what else is drawn as nothing
 * (fillers of Hangul, selectors of variants), and the blank of Braille.
 */
const SOMETHING = /[^\s\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** False for a text that would be an empty bubble, or that Telegram refuses as a message. */
export function isVisible(text: string): boolean {
  return SOMETHING.test(text);
}
