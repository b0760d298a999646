/** Messages in a group that come from no person: an anonymous admin's, and a linked channel's. */
import type { Draft } from './core.ts';
import { CHANNEL_POSTER } from './forward-origin.ts';
import type { Chat, User } from './objects.ts';

/** The account that Telegram puts into `from` for the first (Bot API, Message.from). */
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

/** The sender of a linked channel's post, which Telegram forwarded at `date` (Unix seconds). */
export function linkedChannel(group: Chat, title: string | undefined, date: number): Draft {
  const id = Number(`-100${Math.abs(group.id) % 1e9}7`);
  const channel: Chat = { id, type: 'channel', title: title ?? `${group.title} news` };
  return {
    from: CHANNEL_POSTER,
    sender_chat: channel,
    is_automatic_forward: true,
    forward_origin: { type: 'channel', chat: channel, message_id: 1, date },
  };
}
