/** Names for files made from people's files: the original name and the language. */
import type { Language } from '../language/script.ts';

/** In the language itself. */
const NAMES: Record<Language, string> = { tibetan: 'བོད་ཡིག', chinese: '中文' };
/** Separators of folders, and characters that systems do not allow in a name. */
const NOT_IN_NAMES = /[\p{C}\p{Z}/\\:*?"<>|]+/gu;
const EXTENSION = /\.\p{L}[\p{L}\p{N}]{0,4}$/u;
/** The maximum, in code points: phones show that much of a name. */
const MAX_LENGTH = 60;

/** `pecha.pdf` gives `pecha · 中文.txt`; undefined if the file has no name to speak of. */
export function namedAfter(
  fileName: string | undefined,
  language: Language | undefined,
  extension = 'txt',
): string | undefined {
  const stem = (fileName ?? '').replace(NOT_IN_NAMES, ' ').trim().replace(EXTENSION, '');
  if (/^[\s.]*$/u.test(stem)) return undefined;
  const shown = [...stem].slice(0, MAX_LENGTH).join('').trim();
  return `${[shown, ...(language === undefined ? [] : [NAMES[language]])].join(' · ')}.${extension}`;
}
