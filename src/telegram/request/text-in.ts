/** The text of a message, with and without mentions of the bot. */
import type { MessageEntity, UserFromGetMe } from 'telegraf/types';

/** The fields that hold a message's text or caption. */
export interface Worded {
  readonly text?: string;
  readonly caption?: string;
  readonly entities?: MessageEntity[];
  readonly caption_entities?: MessageEntity[];
}

/**
 * Whether a person has forwarded the message. All of it is text then: whoever wrote the orders in it did not give them here. The copy of a
 * channel's post that Telegram itself puts into the discussion group is said there by the channel.
 */
export function isForwarded(message: object): boolean {
  return 'forward_origin' in message && !('is_automatic_forward' in message);
}

/** The text or caption of a message as it was written; empty if it has neither. */
export function textIn(message: object | undefined): string {
  const { text, caption }: Worded = message ?? {};
  return text ?? caption ?? '';
}

/** The text or caption without mentions of the bot (a forwarded one keeps them) and outer white space. */
export function textWithoutMention(message: object | undefined, me: UserFromGetMe): string {
  let text = textIn(message);
  for (const { offset, length } of mentionsOf(message, me).reverse()) {
    text = `${text.slice(0, offset)}${text.slice(offset + length)}`;
  }
  return text.trim();
}

/** Whether a message mentions the bot by its username or by its id, in its text or caption. */
export function mentions(message: object, me: UserFromGetMe): boolean {
  return mentionsOf(message, me).length > 0;
}

/**
 * By username, or by user id, since a client can link any words to a user; none in a forwarded message. Entity offsets count UTF-16 units,
 * as JavaScript strings do.
 */
function mentionsOf(message: object | undefined, me: UserFromGetMe): MessageEntity[] {
  if (message === undefined || isForwarded(message)) return [];
  const { entities, caption_entities }: Worded = message;
  const text = textIn(message);
  const mention = `@${me.username}`.toLowerCase();
  return (entities ?? caption_entities ?? []).filter((entity) => {
    if (entity.type === 'text_mention') return entity.user.id === me.id;
    const { offset, length } = entity;
    return entity.type === 'mention' && text.slice(offset, offset + length).toLowerCase() === mention;
  });
}
