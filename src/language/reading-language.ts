/** Finds the reading language that people name: after /ocr, or somewhere in a photo's caption. */
import { createNameParser } from './names.ts';
import { LANGUAGES, type Language } from './script.ts';

/** The names of the two languages and of their scripts. */
export const LANGUAGE_NAMES: Record<Language, readonly string[]> = {
  tibetan: [
    ...['bo', 'tibetan'],
    ...['藏', '藏文', '藏语', '藏語', '藏字'],
    ...['བོད', 'བོད་ཡིག', 'བོད་སྐད', 'བོད་ཀྱི་ཡི་གེ', 'བོད་ཀྱི་སྐད'],
  ],
  chinese: [
    ...['zh', 'chinese', 'mandarin'],
    ...['中文', '汉', '汉语', '汉文', '汉字', '漢', '漢語', '漢文', '漢字'],
    ...['普通话', '普通話', '国语', '國語', '华语', '華語', '中国话', '中國話', '汉话', '漢話'],
    ...[
      'རྒྱ',
      'རྒྱ་ཡིག',
      'རྒྱ་སྐད',
      'རྒྱའི་ཡི་གེ',
      'རྒྱའི་སྐད',
      'རྒྱ་ནག་ཡིག',
      'རྒྱ་ནག་སྐད',
      'རྒྱ་ནག་གི་ཡི་གེ',
      'རྒྱ་ནག་གི་སྐད',
      'ཧན་ཡིག',
      'ཧན་སྐད',
    ],
  ],
};

/** The reading language that a word names, in Latin, Chinese or Tibetan script, in any case. */
export const parseReadingLanguage = createNameParser(LANGUAGES, (language) => LANGUAGE_NAMES[language]);

/** Recognises words that ask for both languages after /ocr. */
export const parseBothLanguages = createNameParser(['both'] as const, () => [
  ...['both', 'both languages', 'bo zh', 'zh bo', 'gnyis ka'],
  ...[
    '双语',
    '雙語',
    '两种',
    '兩種',
    '两种文字',
    '兩種文字',
    '两种语言',
    '兩種語言',
    '藏汉',
    '藏漢',
    '汉藏',
    '漢藏',
    '藏中',
    '中藏',
  ],
  ...['གཉིས་ཀ', 'གཉིས་ག', 'གཉིས་ཆར', 'སྐད་གཉིས', 'སྐད་ཡིག་གཉིས', 'ཡི་གེ་གཉིས་ཀ', 'བོད་རྒྱ', 'རྒྱ་བོད'],
]);

/**
 * Mentions and links may contain `bo` or `zh` by chance. The search for a link begins only at the start of a word: begun at every letter,
 * it would take the square of a long word's length.
 */
const MENTION_OR_LINK = /@\w+|\b\w+:\/\/\S+/gu;
/** Letters of one script, up to white space or punctuation; in Chinese and Tibetan a phrase or a whole sentence. */
const PHRASE =
  /\p{Script=Han}+|[[[\p{L}\p{M}]&&\p{Script=Tibetan}]་༌]+|[[\p{L}\p{M}\p{N}_]--\p{Script=Han}--\p{Script=Tibetan}]+/gv;
/** Word boundaries from a dictionary: 西藏文化 holds 西藏 and 文化, not 藏文. */
const CHINESE_WORDS = new Intl.Segmenter('zh', { granularity: 'word' });
/** A single character or syllable may belong to another word (武汉, བོད་ལྗོངས): inside a sentence only longer names count. */
const CHINESE_NAME = /^\p{Script=Han}{2,}$/u;
const TIBETAN_NAME =
  /(?<![\p{L}\p{M}])(?:བོད(?:[་༌]ཀྱི)?|རྒྱ(?:འི)?|རྒྱ[་༌]ནག(?:[་༌]གི)?|ཧན)[་༌](?:ཡིག|ཡི[་༌]གེ|སྐད)(?![\p{L}\p{M}])/u;

/** The language that a caption names among other words, the first if it names both; undefined if none. */
export function readingLanguageIn(caption: string): Language | undefined {
  for (const [phrase] of caption.replace(MENTION_OR_LINK, ' ').matchAll(PHRASE)) {
    const language = parseReadingLanguage(phrase) ?? languageNamedInside(phrase);
    if (language !== undefined) return language;
  }
  return undefined;
}

function languageNamedInside(phrase: string): Language | undefined {
  for (const { segment } of CHINESE_WORDS.segment(phrase)) {
    const language = CHINESE_NAME.test(segment) ? parseReadingLanguage(segment) : undefined;
    if (language !== undefined) return language;
  }
  const tibetanName = TIBETAN_NAME.exec(phrase)?.[0];
  return tibetanName === undefined ? undefined : parseReadingLanguage(tibetanName);
}
