/** Names of files that are made of people's files: after theirs, and the language that they are in. */
import type { Language } from '../language/script.ts';

/** As who reads the language writes it. */
const NAMES: Record<Language, string> = { tibetan: 'བོད་ཡིག', chinese: '中文' };
/** Separators of folders, and what systems do not allow in a name. */
const NOT_IN_NAMES = /[\p{C}\p{Z}/\\:*?"<>|]+/gu;
const EXTENSION = /\.\p{L}[\p{L}\p{N}]{0,4}$/u;
/** In code points: what phones show of a name. */
const LONGEST = 60;

/** `pecha.pdf` gives `pecha · 中文.txt`; undefined if the file has no name to speak of. */
export function namedAfter(
  fileName: string | undefined,
  language: Language | undefined,
  extension = 'txt',
): string | undefined {
  const stem = (fileName ?? '').replace(NOT_IN_NAMES, ' ').trim().replace(EXTENSION, '');
  if (/^[\s.]*$/u.test(stem)) return undefined;
  const shown = [...stem].slice(0, LONGEST).join('').trim();
  return `${[shown, ...(language === undefined ? [] : [NAMES[language]])].join(' · ')}.${extension}`;
}
