/** The fields that place a message in its chat: its reply, its quote, its topic or thread. */
import type { ChatRoom } from './chat-room.ts';
import { type Draft, topicOf } from './core.ts';
import type { Chat, Message, MessageEntity, TextQuote, User } from './objects.ts';

/** What a message answers, and in which topic. */
interface ReplyTarget {
  replyTo?: Message | undefined;
  threadId?: number | undefined;
  quote?: TextQuote | undefined;
  /** Of a channel's direct messages: whose. */
  direct?: Message['direct_messages_topic'];
}

/**
 * The fields that place a message. In a forum topic, a message that replies to nothing replies to the topic's root. Any other reply in a
 * supergroup has its thread's id without being a topic message, also in a forum's General topic.
 */
export function replyFields(
  { chat, log }: ChatRoom,
  { replyTo, threadId, quote, direct }: ReplyTarget,
): Partial<Draft> {
  const topic = threadId ?? (replyTo && topicOf(replyTo));
  const replied = replyTo ?? (topic === undefined ? undefined : log.get(topic));
  const reply = replied && { reply_to_message: replied, ...(quote && { quote }) };
  if (direct !== undefined) return { ...reply, direct_messages_topic: direct };
  if (topic !== undefined) return { ...reply, ...topicFields(topic) };
  if (chat.type !== 'supergroup' || !replyTo) return reply ?? {};
  return { ...reply, message_thread_id: replyTo.message_thread_id ?? replyTo.message_id };
}

/** The fields of a message in a forum topic; none in General. */
export function topicFields(
  topic: number | undefined,
): Pick<Draft, 'message_thread_id' | 'is_topic_message'> {
  return topic === undefined ? {} : { message_thread_id: topic, is_topic_message: true };
}

/** The account that Telegram puts into `from` of an anonymous admin's message (Bot API, Message.from). */
const ANONYMOUS: User = {
  id: 1_087_968_824,
  is_bot: true,
  first_name: 'Group',
  username: 'GroupAnonymousBot',
};

/** The sender of an anonymous admin's message: the group itself. */
export function anonymousAdmin(group: Chat): Draft {
  return { from: ANONYMOUS, sender_chat: group };
}

/** The formatting that a quote keeps (Bot API, TextQuote). */
const QUOTED = new Set([
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'custom_emoji',
  'date_time',
]);

/**
 * The quote of these words of a message: at `position` (UTF-16 code units) where they stand there, else where they stand first.
 * Nothing where the message does not have them.
 */
export function textQuote(message: Message, text: string, position = 0): TextQuote | undefined {
  const whole = message.text ?? message.caption ?? '';
  const from = whole.startsWith(text, position) ? position : whole.indexOf(text);
  if (from < 0) return undefined;
  const entities = (message.entities ?? message.caption_entities ?? []).flatMap((entity): MessageEntity[] => {
    const start = Math.max(entity.offset, from);
    const end = Math.min(entity.offset + entity.length, from + text.length);
    if (end <= start || !QUOTED.has(entity.type)) return [];
    return [{ ...entity, offset: start - from, length: end - start }];
  });
  return { text, position: from, ...(entities.length > 0 && { entities }) };
}
