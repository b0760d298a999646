/** The languages in which the bot itself speaks to a person (spec §2). */

export const INTERFACE_LANGUAGES = ['en', 'zh', 'bo'] as const;

export type InterfaceLanguage = (typeof INTERFACE_LANGUAGES)[number];

/** The interface language for Telegram's `language_code` (an IETF tag such as `zh-hans`); English where there is none. */
export function interfaceLanguage(languageCode: string | undefined): InterfaceLanguage {
  const primary = languageCode?.toLowerCase().split(/[-_]/)[0];
  return INTERFACE_LANGUAGES.find((language) => language === primary) ?? 'en';
}

const NAMES: Record<InterfaceLanguage, readonly string[]> = {
  en: ['en', 'english', '英文', '英语', 'དབྱིན་ཡིག', 'དབྱིན་སྐད'],
  zh: ['zh', 'chinese', '中文', '汉语', '汉', 'རྒྱ་ཡིག', 'རྒྱ་སྐད'],
  bo: ['bo', 'tibetan', '藏文', '藏语', 'བོད', 'བོད་ཡིག', 'བོད་སྐད'],
};

/** The interface language that a word names, in any case; a tsheg or shad at its end does not matter. */
export function parseInterfaceLanguage(word: string): InterfaceLanguage | undefined {
  const name = word
    .trim()
    .toLowerCase()
    .replace(/[་།]+$/u, '');
  return INTERFACE_LANGUAGES.find((language) => NAMES[language].includes(name));
}
