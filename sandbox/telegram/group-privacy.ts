/** Privacy mode: which messages of a group a bot gets (Telegram's "Privacy mode" in "Bot Features"). */
import type { BotUser, Message } from './objects.ts';
import { type FoundEntity, richMarks } from './worded-content.ts';

/**
 * True for commands that name the bot or none, mentions of it, replies to it, messages via it, and service messages.
 */
export function seenInPrivacyMode(message: Message, bot: BotUser): boolean {
  if (isServiceMessage(message)) return true;
  if (mentionsBot(message, bot)) return true;
  if (message.via_bot?.id === bot.id || message.reply_to_message?.from?.id === bot.id) return true;
  const name = `@${bot.username.toLowerCase()}`;
  return marksIn(message).some(({ type, text, isFirst, user }) => {
    if (type === 'text_mention') return user?.id === bot.id;
    if (type !== 'bot_command') return false;
    return text.includes('@') ? text.toLowerCase().endsWith(name) : isFirst;
  });
}

/** Whether a message mentions the bot by its name. */
export function mentionsBot(message: Message, bot: BotUser): boolean {
  const name = `@${bot.username.toLowerCase()}`;
  return marksIn(message).some(({ type, text }) => type === 'mention' && text.toLowerCase() === name);
}

/** What Telegram has marked in a message: in its text or caption, or in a rich message. */
function marksIn({ text, caption, entities, caption_entities, rich_message: rich }: Message): FoundEntity[] {
  if (rich !== undefined) return richMarks(rich.blocks);
  const words = text ?? caption ?? '';
  return (entities ?? caption_entities ?? []).map(({ type, offset, length, user }) => {
    return { type, text: words.slice(offset, offset + length), isFirst: offset === 0, user };
  });
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
