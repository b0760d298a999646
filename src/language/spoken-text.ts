/** What of a text is spoken: its words, and no links, `@names`, `#tags` and emoji. */
import { createYield } from '../patience.ts';
import { LINK_NAME_OR_TAG } from './script.ts';
import { isBehindSpace, sectionsOf } from './sections.ts';

/** An address, and a name as Telegram has them: in Latin letters. */
const ADDRESS_OR_NAME = /(?<![\w.+-])[\w.+-]*@[a-z][\w.-]*/giu;
/** Of a key (`1️⃣`) the number is spoken: it stands in lists. */
const KEY = /([\d#*])\ufe0f?\u20e3/gu;
/** A whole emoji; or a pictograph in any style, and what a torn emoji leaves. */
const EMOJI =
  /\p{RGI_Emoji}|[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\ufe0e\ufe0f\u{e0020}-\u{e007f}]/gv;

/** What every emoji has: without it the slower search is spared. */
const OF_EMOJI =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\ufe0e\ufe0f\u{e0020}-\u{e007f}]/v;

/** A text without any of these signs stays as it is. Works in slices of the event loop. */
export async function spokenText(text: string): Promise<string> {
  const yieldToOthers = createYield();
  const sections: string[] = [];
  let isChanged = false;
  for (const { start, end } of sectionsOf(text, isBehindSpace)) {
    const section = text.slice(start, end);
    const named = section.replace(LINK_NAME_OR_TAG, ' ').replace(ADDRESS_OR_NAME, ' ').replace(KEY, '$1');
    const words = OF_EMOJI.test(named) ? named.replace(EMOJI, ' ') : named;
    isChanged ||= words !== section;
    sections.push(words);
    await yieldToOthers();
  }
  if (!isChanged) return text;
  let spoken = '';
  let space = '';
  for (const section of sections) {
    const tidy = `${space}${section}`
      .replace(/[^\S\n]+/gu, ' ')
      .replace(/ ?\n ?/gu, '\n')
      .replace(/\n{3,}/gu, '\n\n');
    const words = tidy.trimEnd();
    spoken += words;
    space = tidy.slice(words.length);
    await yieldToOthers();
  }
  return spoken.trimStart();
}

/** Whether a text has letters or numbers, and all of them are in links, names and tags. */
export async function isOnlyLinks(text: string): Promise<boolean> {
  return /[\p{L}\p{N}]/u.test(text) && !/[\p{L}\p{N}]/u.test(await spokenText(text));
}
