/** Where a message goes within its chat: what it replies to, the part quoted, the topic or thread it lands in. */
import type { ChatRoom } from './chat-room.ts';
import { type Draft, topicOf } from './core.ts';
import type { Message, TextQuote } from './objects.ts';

export interface Place {
  replyTo?: Message | undefined;
  threadId?: number | undefined;
  quote?: TextQuote | undefined;
}

/**
 * The fields that put a message in its place. A message in a forum topic that replies to nothing replies to the
 * topic's root. Any other reply in a supergroup carries its thread's id without being a topic message, also in a
 * forum's General topic.
 */
export function replyFields({ chat, log }: ChatRoom, { replyTo, threadId, quote }: Place): Partial<Draft> {
  const topic = threadId ?? (replyTo && topicOf(replyTo));
  const replied = replyTo ?? (topic === undefined ? undefined : log.get(topic));
  const reply = replied && { reply_to_message: replied, ...(quote && { quote }) };
  if (topic !== undefined) return { ...reply, message_thread_id: topic, is_topic_message: true };
  if (chat.type !== 'supergroup' || !replyTo) return reply ?? {};
  return { ...reply, message_thread_id: replyTo.message_thread_id ?? replyTo.message_id };
}
