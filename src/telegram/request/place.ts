/** Where in a chat an answer belongs, under which message, in which topic; and who asked there. */
import type { Message } from 'telegraf/types';
import { UNTOLD } from '../api/promised-results.ts';
import type { ReceivedContext } from '../context.ts';

/** Parameters of every message that is sent. */
export interface Place {
  readonly reply_parameters?: { readonly message_id: number; readonly allow_sending_without_reply: boolean };
  readonly message_thread_id?: number | undefined;
}

/** Under the message that asked, or `replyTo`, in the same forum topic. */
export function placeOf(ctx: ReceivedContext, replyTo: number | undefined): Place {
  const target = replyTo ?? ctx.msg?.message_id;
  return {
    ...(target === undefined || target === UNTOLD
      ? {}
      : { reply_parameters: { message_id: target, allow_sending_without_reply: true } }),
    ...topicOf(ctx),
  };
}

/** The forum topic of what was asked, as parameters; none outside of topics. */
export function topicOf(ctx: ReceivedContext): Pick<Place, 'message_thread_id'> {
  const message: Partial<Message> = ctx.msg ?? {};
  return 'is_topic_message' in message && message.is_topic_message === true
    ? { message_thread_id: message.message_thread_id }
    : {};
}

/** The address of the message that asked in a forum; it opens for who may see it. */
export function linkToAsking({ chat, msg }: ReceivedContext): string {
  const group =
    'username' in chat && chat.username ? chat.username : `c/${String(chat.id).replace(/^-100/, '')}`;
  const thread = msg !== undefined && 'message_thread_id' in msg ? `/${msg.message_thread_id}` : '';
  return `https://t.me/${group}${thread}/${msg?.message_id ?? ''}`;
}

/** Who asked, as a group knows them. */
export function askerName({ message, from, chat }: ReceivedContext): string {
  const sender = message?.sender_chat ?? chat;
  if (message?.sender_chat === undefined && from !== undefined) return from.first_name || '…';
  return 'title' in sender ? sender.title : '';
}
