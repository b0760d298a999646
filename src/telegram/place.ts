/** Where an answer belongs: which chat, under which message, in which topic. */
import type { Message } from 'telegraf/types';
import type { BotContext } from './context.ts';

/** The chat to answer in. */
export function chatOf(ctx: BotContext): number {
  if (ctx.chat === undefined) throw new Error(`an update of kind ${ctx.updateType} has no chat to answer in`);
  return ctx.chat.id;
}

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
