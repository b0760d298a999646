/** Changes of membership, and their updates for the bot. */
import type { Core } from './core.ts';
import { chatMember, type GroupRoom } from './group-room.ts';
import type { Chat, MemberStatus, User } from './objects.ts';

/** The old and new status of a member, and who changed it. */
interface StatusChange {
  readonly user: User;
  readonly before: MemberStatus;
  readonly after: MemberStatus;
  readonly by: User;
}

/** Changes a member's status in a group. The bot gets an update: always of itself, of others while it is an administrator. */
export function changeStatus(core: Core, room: GroupRoom, user: User, after: MemberStatus, by: User): void {
  const before = room.status(user.id);
  if (before === after) return;
  room.setStatus(user, after);
  core.events.emit('chat', room.chat);
  if (user.id === core.bot.id || room.botIsAdmin())
    tellOfStatus(core, room.chat, { user, before, after, by });
}

/** Queues the update: `my_chat_member` for the bot itself, `chat_member` (which it has to ask for) for anyone else. */
export function tellOfStatus(core: Core, chat: Chat, { user, before, after, by }: StatusChange): void {
  const change = {
    chat,
    from: by,
    date: core.date(),
    old_chat_member: chatMember(user, before, chat),
    new_chat_member: chatMember(user, after, chat),
  };
  core.updates.push(user.id === core.bot.id ? 'my_chat_member' : 'chat_member', change, chat.id);
}
