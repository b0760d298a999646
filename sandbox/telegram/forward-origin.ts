/** The origin of a forwarded message (Bot API, MessageOrigin). */
import { contentOf } from './message-content.ts';
import type { Message, MessageOrigin, User } from './objects.ts';

/** The account that forwards a channel's posts into the discussion group (Bot API, Message.from). */
export const CHANNEL_POSTER: User = { id: 777_000, is_bot: false, first_name: 'Telegram' };

/** The origin of a message: its first sender, also if it was forwarded before; the chat, if it was sent in a chat's name. */
export function forwardOrigin({
  from,
  sender_chat,
  date,
  message_id,
  forward_origin,
}: Message): MessageOrigin {
  if (forward_origin) return forward_origin;
  if (sender_chat?.type === 'channel') return { type: 'channel', chat: sender_chat, message_id, date };
  if (sender_chat) return { type: 'chat', sender_chat, date };
  if (!from) throw new RangeError('a message outside of channels has a sender');
  return { type: 'user', sender_user: from, date };
}

/** A channel's post as Telegram itself forwards it into the discussion group, at once. */
export function channelForward(post: Message): Omit<Message, 'message_id' | 'date' | 'chat'> {
  const { chat, message_id, date } = post;
  if (chat.type !== 'channel') throw new RangeError('only a channel has a discussion group');
  const forward_origin: MessageOrigin = { type: 'channel', chat, message_id, date };
  return {
    from: CHANNEL_POSTER,
    sender_chat: chat,
    is_automatic_forward: true,
    forward_origin,
    ...contentOf(post),
  };
}
