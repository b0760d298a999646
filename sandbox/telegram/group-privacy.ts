/** Privacy mode: which messages of a group a bot gets (Telegram's "Privacy mode" in "Bot Features"). */
import type { BotUser, Message } from './objects.ts';

/**
 * True for commands that name the bot or none, mentions of it, replies to it, messages via it, and service messages.
 */
export function seenInPrivacyMode(message: Message, bot: BotUser): boolean {
  if (isServiceMessage(message)) return true;
  if (mentionsBot(message, bot)) return true;
  if (message.via_bot?.id === bot.id || message.reply_to_message?.from?.id === bot.id) return true;
  const text = message.text ?? message.caption ?? '';
  const entities = message.entities ?? message.caption_entities ?? [];
  return entities.some(({ type, offset, length, user }) => {
    const part = text.slice(offset, offset + length).toLowerCase();
    const name = `@${bot.username.toLowerCase()}`;
    if (type === 'text_mention') return user?.id === bot.id;
    if (type !== 'bot_command') return false;
    return part.includes('@') ? part.endsWith(name) : offset === 0;
  });
}

/** Whether a message mentions the bot by its name, in its text or caption. */
export function mentionsBot({ text, caption, entities, caption_entities }: Message, bot: BotUser): boolean {
  const words = text ?? caption ?? '';
  return (entities ?? caption_entities ?? []).some(
    ({ type, offset, length }) =>
      type === 'mention' &&
      words.slice(offset, offset + length).toLowerCase() === `@${bot.username.toLowerCase()}`,
  );
}

const SERVICE_FIELDS = [
  'new_chat_members',
  'left_chat_member',
  'group_chat_created',
  'migrate_to_chat_id',
  'migrate_from_chat_id',
  'forum_topic_created',
  'forum_topic_closed',
  'forum_topic_reopened',
] as const;

/** True for messages that Telegram itself posts into a chat. */
export function isServiceMessage(message: Message): boolean {
  return SERVICE_FIELDS.some((field) => message[field] !== undefined);
}
