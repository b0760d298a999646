/** What of a text is spoken: its words, and no links, `@names`, `#tags` and emoji (spec §2, Speech). */
import { LINK_NAME_OR_TAG } from './script.ts';

/** An address, and a name as Telegram has them: in Latin letters. */
const ADDRESS_OR_NAME = /(?<![\w.+-])[\w.+-]*@[a-z][\w.-]*/giu;
/** Of a key (`1️⃣`) the number is spoken: it stands in lists. */
const KEY = /([\d#*])\ufe0f?\u20e3/gu;
/** A whole emoji; or a pictograph in any style, and what a torn emoji leaves. */
const EMOJI =
  /\p{RGI_Emoji}|[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\ufe0e\ufe0f\u{e0020}-\u{e007f}]/gv;

/** A text without any of these signs stays as it is. */
export function spokenText(text: string): string {
  const words = text
    .replace(LINK_NAME_OR_TAG, ' ')
    .replace(ADDRESS_OR_NAME, ' ')
    .replace(KEY, '$1')
    .replace(EMOJI, ' ');
  if (words === text) return text;
  return words
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n ?/gu, '\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();
}

/** Whether a text has letters or numbers, and all of them are in links, names and tags. */
export function isOnlyLinks(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text) && !/[\p{L}\p{N}]/u.test(spokenText(text));
}
