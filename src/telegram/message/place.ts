/** Where in a chat an answer belongs: under which message, in which topic. */
import type { Message } from 'telegraf/types';
import type { BotContext } from '../context.ts';

/** Under the message that asked, or `replyTo`, in the same forum topic: parameters of whatever is sent. */
export function placeOf(ctx: BotContext, replyTo: number | undefined) {
  const target = replyTo ?? ctx.msg?.message_id;
  return {
    ...(target === undefined
      ? {}
      : { reply_parameters: { message_id: target, allow_sending_without_reply: true } }),
    ...topicOf(ctx),
  };
}

/** The forum topic of what was asked, as parameters; none outside of topics. */
export function topicOf(ctx: BotContext) {
  const message: Partial<Message> = ctx.msg ?? {};
  return 'is_topic_message' in message && message.is_topic_message === true
    ? { message_thread_id: message.message_thread_id }
    : {};
}
