/** What a Telegram client makes of a text that a person typed: trimmed, within the limits, with its entities found. */
import { withDetectedEntities } from './detect-entities.ts';
import { CAPTION_MAX, TEXT_MAX, trimmed } from './formatted-text.ts';
import type { Message, MessageEntity } from './objects.ts';

/** `text` and `entities` of a person's message; throws RangeError where a client would not send it (it splits long texts). */
export function typedText(text: string, entities?: MessageEntity[]): Pick<Message, 'text' | 'entities'> {
  const typed = trimmed({ text, entities: entities ?? [] });
  if (typed.text === '') throw new RangeError('a client does not send an empty text');
  if (typed.text.length > TEXT_MAX) throw new RangeError(`a client splits texts longer than ${TEXT_MAX}`);
  const found = withDetectedEntities(typed.text, typed.entities);
  return { text: typed.text, ...(found.length > 0 && { entities: found }) };
}

/** `caption` and `caption_entities` of a person's message; throws RangeError above 1024. */
export function typedCaption(text: string | undefined): Pick<Message, 'caption' | 'caption_entities'> {
  const { text: caption } = trimmed({ text: text ?? '', entities: [] });
  if (caption.length > CAPTION_MAX) throw new RangeError(`captions end at ${CAPTION_MAX}`);
  if (caption === '') return {};
  const found = withDetectedEntities(caption);
  return { caption, ...(found.length > 0 && { caption_entities: found }) };
}
