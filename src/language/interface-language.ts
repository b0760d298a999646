/** The languages in which the bot itself speaks to a person. */
import { createNameParser, simplified, words } from './names.ts';
import { LANGUAGE_NAMES, TRADITIONAL_CHINESE_NAMES } from './reading-language.ts';

export const INTERFACE_LANGUAGES = ['en', 'zh', 'zh-Hant', 'bo'] as const;

export type InterfaceLanguage = (typeof INTERFACE_LANGUAGES)[number];

/** Subtags for traditional characters, unless the tag also says otherwise (`zh-hans-HK`). */
const TRADITIONAL = ['hant', 'tw', 'hk', 'mo'];

/** The interface language for Telegram's `language_code` (an IETF tag such as `zh-hans`); English by default. */
export function interfaceLanguage(languageCode: string | undefined): InterfaceLanguage {
  const [primary, ...subtags] = languageCode?.toLowerCase().split(/[-_]/) ?? [];
  const isTraditional = !subtags.includes('hans') && subtags.some((subtag) => TRADITIONAL.includes(subtag));
  if (primary === 'zh' && isTraditional) return 'zh-Hant';
  return INTERFACE_LANGUAGES.find((language) => language === primary) ?? 'en';
}

/** If two languages share a name, the later one has it. */
const NAMES: Record<InterfaceLanguage, readonly string[]> = {
  en: [
    ...['en', 'english', ...words('英文 英语')],
    ...words('དབྱིན་ཡིག དབྱིན་སྐད དབྱིན་ཇི དབྱིན་ཇིའི་སྐད དབྱིན་ཇིའི་ཡི་གེ ཨིན་ཡིག ཨིན་སྐད ཨིན་ཇི'),
  ],
  zh: [
    ...LANGUAGE_NAMES.chinese,
    ...['zh-Hans', 'zh-CN', 'zh-SG', 'simplified', 'simplified Chinese', 'Chinese simplified'],
  ],
  'zh-Hant': [
    ...['zh-Hant', 'zh-TW', 'zh-HK', 'zh-MO', 'traditional', 'traditional Chinese', 'Chinese traditional'],
    ...TRADITIONAL_CHINESE_NAMES,
  ],
  bo: LANGUAGE_NAMES.tibetan,
};
const parse = createNameParser(INTERFACE_LANGUAGES, (language) => NAMES[language]);

/** Takes Latin, Chinese or Tibetan script. Chinese named in traditional characters means those, unless the name says simplified. */
export function parseInterfaceLanguage(word: string): InterfaceLanguage | undefined {
  const language = parse(word);
  return language === 'zh' && simplified(word) !== word && !word.includes('簡') ? 'zh-Hant' : language;
}
