/** Where a forwarded message comes from (Bot API, MessageOrigin). */
import type { Message, MessageOrigin } from './objects.ts';

/** The first sender, also of what was forwarded before; a chat where it was sent in a chat's name. */
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
  return { type: 'user', sender_user: from, date };
}
