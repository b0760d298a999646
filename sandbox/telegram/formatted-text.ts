/** A text with its entities: how long it may be, what Telegram trims, and what it refuses about entities given by hand. */
import { badRequest } from './api-error.ts';
import type { MessageEntity } from './objects.ts';

/** UTF-16 code units after parsing (Bot API, sendMessage and sendPhoto). */
export const TEXT_MAX = 4096;
export const CAPTION_MAX = 1024;

export interface FormattedText {
  text: string;
  entities: MessageEntity[];
}

/** What Telegram drops from a text: carriage returns, line and direction marks, combining vertical lines. */
const DROPPED = /\r|[\u2028-\u202e]|\u0333|\u033f|\u030a/g;
/** Control characters, tabs among them, become spaces. */
const CONTROLS = /(?!\n)\p{Cc}/gu;
/** Characters that show nothing: a text of them alone counts as empty. */
const INVISIBLE = /^[\s\u00ad\u180e\u200b-\u200f\u2060\u2800]*$/u;

/**
 * The text as Telegram keeps it: unwanted characters gone, no white space at its ends, the entities moved and cut with
 * it; empty where nothing would show.
 */
export function trimmed({ text, entities }: FormattedText): FormattedText {
  const clean = cleaned(text);
  if (INVISIBLE.test(clean)) return { text: '', entities: [] };
  const start = /^[ \n]*/.exec(clean)?.[0].length ?? 0;
  const end = clean.replace(/(?<![ \n])[ \n]+$/, '').length;
  const moved = entities.map((entity) => {
    const from = Math.max(cleaned(text.slice(0, entity.offset)).length, start);
    const to = Math.min(cleaned(text.slice(0, entity.offset + entity.length)).length, end);
    return { ...entity, offset: from - start, length: to - from };
  });
  return { text: clean.slice(start, end), entities: moved.filter(({ length }) => length > 0) };
}

function cleaned(text: string): string {
  return text.replaceAll(DROPPED, '').replaceAll(CONTROLS, ' ');
}

/** Throws ApiError for an entity that begins or ends outside the text or within a surrogate pair. */
export function checkEntityRanges({ text, entities }: FormattedText): void {
  for (const { offset, length } of entities) {
    if (offset < 0) throw badRequest(`receive an entity with incorrect offset ${offset}`);
    if (length < 0) throw badRequest(`receive an entity with incorrect length ${length}`);
  }
  for (const { offset, length } of entities.filter((entity) => entity.length > 0)) {
    const end = offset + length;
    if (offset > text.length)
      throw badRequest(`entity begins after the end of the text at UTF-16 offset ${offset}`);
    if (end > text.length)
      throw badRequest(
        `entity beginning at UTF-16 offset ${offset} ends after the end of the text at UTF-16 offset ${end}`,
      );
    if (splitsPair(text, offset))
      throw badRequest(
        `entity begins in a middle of a UTF-16 symbol at byte offset ${bytesTo(text, offset)}`,
      );
    if (splitsPair(text, end))
      throw badRequest(
        `entity beginning at UTF-16 offset ${offset} ends in a middle of a UTF-16 symbol at byte offset ${bytesTo(text, end)}`,
      );
  }
}

function splitsPair(text: string, index: number): boolean {
  return /[\udc00-\udfff]/.test(text.charAt(index)) && /[\ud800-\udbff]/.test(text.charAt(index - 1));
}

/** Bytes up to the end of the symbol that `index` splits. */
function bytesTo(text: string, index: number): number {
  return Buffer.byteLength(text.slice(0, index + 1));
}

/** Where two entities cover the same text, the outer first (as Telegram's own order). */
const PRIORITY = ['blockquote', 'expandable_blockquote', 'pre', 'code', 'text_link'];
const STYLES = ['bold', 'italic', 'underline', 'strikethrough', 'spoiler', 'custom_emoji'];

/** By offset, the longer first, then the outer first. */
export function sorted(entities: readonly MessageEntity[]): MessageEntity[] {
  return entities.toSorted(
    (a, b) => a.offset - b.offset || b.length - a.length || priority(a.type) - priority(b.type),
  );
}

function priority(type: string): number {
  const outer = PRIORITY.indexOf(type);
  return outer >= 0 ? outer : PRIORITY.length + 1 + STYLES.indexOf(type);
}
