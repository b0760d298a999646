/** Messages in a group that come from no person: an anonymous admin's. */
import type { Draft } from './core.ts';
import type { Chat, User } from './objects.ts';

/** The account that Telegram puts into `from` (Bot API, Message.from). */
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
