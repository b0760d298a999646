/** The content of a message, apart from its sender and chat. */
import type { Message } from './objects.ts';

const CONTENT_FIELDS = [
  'text',
  'entities',
  'caption',
  'caption_entities',
  'photo',
  'document',
  'voice',
  'audio',
  'video',
  'animation',
  'sticker',
  'contact',
  'location',
  'rich_message',
  'poll',
  'checklist',
  'dice',
] as const;

/** The content alone: what a copy or a forward carries. */
export function contentOf(message: Message): Partial<Message> {
  const fields: readonly string[] = CONTENT_FIELDS;
  return Object.fromEntries(Object.entries(message).filter(([field]) => fields.includes(field)));
}
