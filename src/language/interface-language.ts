/** The languages in which the bot itself speaks to a person (spec §2). */
import { createNameParser } from './names.ts';
import { LANGUAGE_NAMES } from './reading-language.ts';

export const INTERFACE_LANGUAGES = ['en', 'zh', 'bo'] as const;

export type InterfaceLanguage = (typeof INTERFACE_LANGUAGES)[number];

/** The interface language for Telegram's `language_code` (an IETF tag such as `zh-hans`); English where there is none. */
export function interfaceLanguage(languageCode: string | undefined): InterfaceLanguage {
  const primary = languageCode?.toLowerCase().split(/[-_]/)[0];
  return INTERFACE_LANGUAGES.find((language) => language === primary) ?? 'en';
}

const NAMES: Record<InterfaceLanguage, readonly string[]> = {
  en: [
    ...['en', 'english', '英文', '英语', '英語'],
    ...['དབྱིན་ཡིག', 'དབྱིན་སྐད', 'དབྱིན་ཇི', 'དབྱིན་ཇིའི་སྐད', 'དབྱིན་ཇིའི་ཡི་གེ', 'ཨིན་ཡིག', 'ཨིན་སྐད', 'ཨིན་ཇི'],
  ],
  zh: LANGUAGE_NAMES.chinese,
  bo: LANGUAGE_NAMES.tibetan,
};

/** The interface language that a word names, in Latin, Chinese or Tibetan script, in any case. */
export const parseInterfaceLanguage = createNameParser(INTERFACE_LANGUAGES, (language) => NAMES[language]);
