/** Finds which script, Tibetan or Chinese, carries a text, and whether any of it is visible. */

export const LANGUAGES = ['tibetan', 'chinese'] as const;

/** The two languages of the service, recognised by their scripts. */
export type Language = (typeof LANGUAGES)[number];

/** A Tibetan syllable: letters with vowel signs and subjoined letters, between two tshegs. */
const TIBETAN_RUN = /[[\p{Letter}\p{Mark}]&&\p{Script=Tibetan}]+/gv;
/** A letter that begins a stack; subjoined letters are marks. */
const TIBETAN_LETTER = /[\p{Letter}&&\p{Script=Tibetan}]/gv;
/** Han characters of all planes, with 〇 and 々. */
const HAN_CHARACTER = /\p{Script=Han}/gu;

/**
 * A link, with or without a scheme, up to white space or the end of a sentence; a tag, also between two `#`; a name after `@` that is not in
 * Latin letters, up to white space, since nothing else tells where it ends in Chinese (`@卓玛你来吗？`). Each must begin at the start of a word:
 * otherwise a long word would be searched from each of its letters.
 */
const LINK_NAME_OR_TAG =
  /(?<![\w.+\-])(?:[a-z][a-z\d+.\-]*:\/\/|(?:[\w\-]+\.)+[a-z]{2,}(?::\d+)?[\/?#])[^\s<>"“”「」《》（），。！？；：、\u0f0d-\u0f14]*|(?<![\p{L}\p{M}\p{N}_])(?:#[\p{L}\p{M}\p{N}_·་༌]+#?|@[\p{L}\p{M}\p{N}_་༌]+(?=\s))/giv;

/** The most stacks in a syllable: prefix, root, suffix, second suffix and a fused particle. */
const MOST_STACKS_IN_A_SYLLABLE = 5;
/** The average in running text; used for text without tshegs. */
const STACKS_PER_SYLLABLE = 2;

/**
 * Counts the Tibetan syllables and the Han characters of a text. These units compare fairly, since a Han character is one spoken syllable;
 * counted by letters, Tibetan would always win. Digits, punctuation and other scripts do not count; nor do links, `@names` and `#tags` (spec
 * §2) in any script: `https://…/wiki/西藏自治区 ལྟོས་དང་།` is Tibetan.
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
 * The language whose script carries more of the text; if both carry as much, the one that comes first. Undefined if the text has neither
 * (Latin, digits, emoji, only punctuation).
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

/** The other language of a translation. */
export function otherLanguage(language: Language): Language {
  return language === 'tibetan' ? 'chinese' : 'tibetan';
}

/** Text without tshegs is one long run; if that counted as one syllable, a single Han word would outweigh it. */
function syllables(run: string): number {
  const stacks = count(run, TIBETAN_LETTER);
  if (stacks > MOST_STACKS_IN_A_SYLLABLE) return Math.ceil(stacks / STACKS_PER_SYLLABLE);
  return stacks > 0 ? 1 : 0;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/**
 * Any character but white space, control and format characters (zero-width ones, direction marks), other invisible ones (Hangul fillers,
 * variation selectors), and the Braille blank.
 */
const SOMETHING = /[^\s\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text is visible: Telegram refuses an invisible one, or shows an empty bubble. */
export function isVisible(text: string): boolean {
  return SOMETHING.test(text);
}
