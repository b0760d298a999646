/** Finds the reading language that people name: after /ocr, or somewhere in a photo's caption. */
import { createNameParser, words } from './names.ts';
import { LANGUAGES, type Language } from './script.ts';

/** What a name in Tibetan begins with. */
const OWNERS: Record<Language, readonly string[]> = {
  tibetan: words('བོད བོད་ཀྱི'),
  chinese: words('རྒྱ རྒྱའི རྒྱ་ནག རྒྱ་ནག་གི རྒྱ་མི རྒྱ་མིའི ཧན ཧན་གྱི'),
};
const OWNED = ['ཡིག', 'ཡི་གེ', 'སྐད', 'སྐད་ཆ'];
const ownedBy = (language: Language): string[] =>
  OWNERS[language].flatMap((owner) => OWNED.map((owned) => `${owner}་${owned}`));
const TIBETAN_STYLES = ['དབུ་ཅན', 'དབུ་མེད'];

export const TRADITIONAL_CHINESE_NAMES = words('fanti 繁 繁体 繁体中文 繁体字 繁中 正体 正体中文 正体字');

/** Names of Chinese that also say how to speak. */
export const CHINESE_NAMES = [
  ...words(`zh chinese chinese-language mandarin mandarin-chinese rgya-skad rgya-yig
    zhongwen hanyu hanhua putonghua guoyu huayu zhongguohua
    中文 汉 汉语 汉话 普通话 国语 华语 中国话 现代汉语 标准普通话 汉语普通话`),
  ...ownedBy('chinese'),
];

/** With the names of their scripts. */
export const LANGUAGE_NAMES: Record<Language, readonly string[]> = {
  tibetan: [
    ...words(`bo bod tib tibetan zangwen zangyu bod-yig bod-skad dbu-can dbu-med uchen ume
      藏 藏文 藏语 藏字 藏话 བོད`),
    ...ownedBy('tibetan'),
    ...TIBETAN_STYLES,
  ],
  chinese: [
    ...words('cn hanwen hanzi jianti 汉文 汉字 简 简体 简体中文 简体字 简中 简化字 རྒྱ'),
    ...CHINESE_NAMES,
    ...TRADITIONAL_CHINESE_NAMES,
  ],
};

export const parseReadingLanguage = createNameParser(LANGUAGES, (language) => LANGUAGE_NAMES[language]);

export const parseBothLanguages = createNameParser(['both'] as const, () =>
  words(`both both-languages bo-zh zh-bo gnyis-ka 双语 两种 两种文字 两种语言 藏汉 汉藏 藏中 中藏
    གཉིས་ཀ གཉིས་ག གཉིས་ཆར སྐད་གཉིས སྐད་ཡིག་གཉིས ཡི་གེ་གཉིས་ཀ བོད་རྒྱ རྒྱ་བོད`),
);

/**
 * Mentions, links and the ends of addresses (tibet.cn) may contain `bo` or `zh` by chance. The search for a link begins only at the start
 * of a word: begun at every letter, it would take the square of a long word's length.
 */
const MENTION_OR_LINK = /@\w+|\b\w+:\/\/\S+|(?<=[a-z])\.[a-z]{2,3}\b/giu;
/** Letters of one script, up to white space or punctuation; in Chinese and Tibetan a phrase or a whole sentence. */
const PHRASE =
  /\p{Script=Han}+|[[[\p{L}\p{M}]&&\p{Script=Tibetan}]་༌]+|[[\p{L}\p{M}\p{N}_]--\p{Script=Han}--\p{Script=Tibetan}]+/gv;
/** Word boundaries from a dictionary: 西藏文化 holds 西藏 and 文化, not 藏文. */
const CHINESE_WORDS = new Intl.Segmenter('zh', { granularity: 'word' });
/** A single character or syllable may belong to another word (武汉, བོད་ལྗོངས): inside a sentence only longer names count. */
const CHINESE_NAME = /^\p{Script=Han}{2,}$/u;
const TIBETAN_NAME = new RegExp(
  `(?<![\\p{L}\\p{M}])(?:${[...LANGUAGES.flatMap(ownedBy), ...TIBETAN_STYLES].join('|').replaceAll('་', '[་༌]')})(?![\\p{L}\\p{M}])`,
  'u',
);

/** Of several languages named, the first. */
export function readingLanguageIn(caption: string): Language | undefined {
  return languageNamedIn(caption)?.language;
}

/** The longest caption (Bot API), in UTF-16 units; a paste beside a picture may be a book. */
const MAX_CAPTION = 2048;

export function languageNamedIn(words: string): { language: Language; name: string } | undefined {
  const caption = words.slice(0, MAX_CAPTION);
  for (const [phrase] of caption.replace(MENTION_OR_LINK, ' ').matchAll(PHRASE)) {
    for (const name of namesPossibleIn(phrase)) {
      const language = parseReadingLanguage(name);
      if (language !== undefined) return { language, name };
    }
  }
  return undefined;
}

function* namesPossibleIn(phrase: string): Generator<string> {
  yield phrase;
  for (const { segment } of CHINESE_WORDS.segment(phrase)) if (CHINESE_NAME.test(segment)) yield segment;
  const [tibetanName] = TIBETAN_NAME.exec(phrase) ?? [];
  if (tibetanName !== undefined) yield tibetanName;
}
