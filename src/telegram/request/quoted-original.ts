/** Quotes in the bot's own messages: an original above its translation, a long result that is folded; and what is meant out of such a message. */
import type { MessageEntity } from 'telegraf/types';

/** What of a text is set off. Telegraf's types end at Bot API 7.1, and know no quote that folds (7.4). */
export type TextEntity =
  | MessageEntity
  | { readonly type: 'expandable_blockquote'; readonly offset: number; readonly length: number };

interface Formatted {
  readonly text: string;
  readonly entities: readonly TextEntity[];
}

/** An original that is longer is folded, in UTF-16 units: about what a phone shows in six lines. */
const FOLDED_FROM = 240;

/** A quote; a long one shows its beginning until it is tapped. */
function quote(offset: number, { length }: string): TextEntity {
  const type = length > FOLDED_FROM ? 'expandable_blockquote' : 'blockquote';
  return { type, offset, length };
}

/** The whole text as a quote. */
export function quoted(text: string): Formatted {
  return { text, entities: [quote(0, text)] };
}

/** A result that is longer fills half a phone, in UTF-16 units. */
const RESULT_FOLDED_FROM = 500;

/** A long result among others' messages shows its beginning until it is tapped; `length` is that of the result, which `text` begins with. */
export function folded(length: number): TextEntity[] {
  return length > RESULT_FOLDED_FROM ? [fold(0, length)] : [];
}

function fold(offset: number, length: number): TextEntity {
  return { type: 'expandable_blockquote', offset, length };
}

/** A translation under its original, as `withOriginal`; a long one is folded, in one quote under that of all of the original. */
export function withOriginalFolded(original: string, translation: string): Formatted {
  if (folded(translation.length).length === 0) return withOriginal(original, translation);
  const above = original.trim();
  const start = above.length + 1;
  return {
    text: `${above}\n${translation}`,
    entities: [quote(0, above), fold(start, translation.length)],
  };
}

/** Each paragraph under its original where both have as many, else all of it under all; the quotes are told by entities, never by markup. */
export function withOriginal(original: string, translation: string): Formatted {
  const [parts, above] = inPairs(original.trim(), translation);
  let text = '';
  const entities: TextEntity[] = [];
  for (const [index, part] of parts.entries()) {
    const source = index % 2 === 0 ? above[index / 2] : undefined;
    if (source !== undefined) {
      entities.push(quote(text.length, source));
      text += `${source}\n`;
    }
    text += part;
  }
  return { text, entities };
}

/** A blank line ends a paragraph; where there is none, or the two differ in them, a line break does. */
const SEPARATORS = [/(\n[^\S\n]*\n\s*)/u, /(\n)/u];

/** The paragraphs of the translation, with what parts them in between, and the originals of the paragraphs. */
function inPairs(original: string, translation: string): [readonly string[], readonly string[]] {
  for (const separator of SEPARATORS) {
    const parts = translation.split(separator);
    const above = original.split(separator).filter((_, index) => index % 2 === 0);
    const isPaired = above.length > 1 && parts.length === above.length * 2 - 1;
    if (
      isPaired &&
      [...above, ...parts.filter((_, index) => index % 2 === 0)].every((one) => one.trim() !== '')
    )
      return [parts, above.map((one) => one.trim())];
  }
  return [[translation], [original]];
}

const QUOTES: ReadonlySet<string> = new Set(['blockquote', 'expandable_blockquote']);

/**
 * What a message of the bot's means: its text without the originals quoted in it. Where all of it is quoted, the last quote is the result
 * itself, which is folded, or an original that stands alone. `entities` as Telegram tells them: offsets count UTF-16 units.
 */
export function withoutOriginals(
  text: string,
  entities: readonly Pick<TextEntity, 'type' | 'offset' | 'length'>[],
): string {
  const quotes = entities.filter(({ type }) => QUOTES.has(type));
  let rest = '';
  let end = 0;
  for (const { offset, length } of quotes) {
    rest += text.slice(end, offset);
    end = offset + length;
    if (text.charAt(end) === '\n') end += 1;
  }
  rest += text.slice(end);
  const last = quotes.at(-1);
  return last === undefined || rest.trim() !== '' ? rest : text.slice(last.offset, last.offset + last.length);
}
