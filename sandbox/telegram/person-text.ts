/** What a Telegram client makes of a text that a person typed: trimmed, cut where it is too long, with its entities found. */
import { withDetectedEntities } from './detect-entities.ts';
import { CAPTION_MAX, TEXT_MAX, trimmed } from './formatted-text.ts';
import type { Message, MessageEntity } from './objects.ts';

/** Where a client likes best to cut, in this order: after a paragraph, a line, a sentence, a word. */
const CUTS = [/\n\s*\n/g, /\n/g, /(?:[.?!…]\s|[།༎༏༑༔]\s*|[。！？])/g, /\s/g];
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The texts that a client sends for one: more than one where it is longer than a message (4096 UTF-16 code units). As Telegram
 * Desktop does, each is cut in the second half of what a message holds; no character is cut in two.
 */
export function inMessages(text: string): string[] {
  const parts: string[] = [];
  let rest = trimmed({ text, entities: [] }).text;
  while (rest.length > TEXT_MAX) {
    const at = cutOf(rest);
    parts.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return [...parts, rest].filter((part) => trimmed({ text: part, entities: [] }).text !== '');
}

function cutOf(text: string): number {
  const fitting = text.slice(0, TEXT_MAX + 1);
  for (const cut of CUTS) {
    const ends = [...fitting.matchAll(cut)].map(({ index, 0: found }) => index + found.trimEnd().length);
    const last = ends.findLast((end) => end > TEXT_MAX / 2 && end <= TEXT_MAX);
    if (last !== undefined) return last;
  }
  // A cluster longer than a message must be cut.
  const start = graphemes.segment(fitting).containing(TEXT_MAX)?.index ?? TEXT_MAX;
  return start > TEXT_MAX / 2 ? start : TEXT_MAX;
}

/** `text` and `entities` of a person's message; throws RangeError where a client would not send it (it splits long texts). */
export function typedText(text: string, entities?: MessageEntity[]): Pick<Message, 'text' | 'entities'> {
  const typed = trimmed({ text, entities: entities ?? [] });
  if (typed.text === '') throw new RangeError('a client does not send an empty text');
  if (typed.text.length > TEXT_MAX) throw new RangeError(`a message ends at ${TEXT_MAX} characters`);
  const found = withDetectedEntities(typed.text, typed.entities);
  return { text: typed.text, ...(found.length > 0 && { entities: found }) };
}

/** `caption` and `caption_entities` of a person's message; throws RangeError above 1024. */
export function typedCaption(text: string | undefined): Pick<Message, 'caption' | 'caption_entities'> {
  const { text: caption } = trimmed({ text: text ?? '', entities: [] });
  if (caption.length > CAPTION_MAX) throw new RangeError(`a caption ends at ${CAPTION_MAX} characters`);
  if (caption === '') return {};
  const found = withDetectedEntities(caption);
  return { caption, ...(found.length > 0 && { caption_entities: found }) };
}
