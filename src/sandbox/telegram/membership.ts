/** Changes of who is in a group, and the updates that tell of them. */
import type { Core } from './core.ts';
import { chatMember, type GroupRoom } from './group-room.ts';
import type { MemberStatus, User } from './objects.ts';

/**
 * Changes a member's status and tells the bot: of itself always (`my_chat_member`), of others while it is an
 * administrator (`chat_member`, if it asked for these).
 */
export function changeStatus(core: Core, room: GroupRoom, user: User, status: MemberStatus, by: User): void {
  const before = room.status(user.id);
  if (before === status) return;
  room.setStatus(user, status);
  core.events.emit('chat', room.chat);
  const isBot = user.id === core.bot.id;
  if (!isBot && !room.botIsAdmin()) return;
  const change = {
    chat: room.chat,
    from: by,
    date: core.date(),
    old_chat_member: chatMember(user, before),
    new_chat_member: chatMember(user, status),
  };
  core.updates.push(isBot ? 'my_chat_member' : 'chat_member', change, room.chat.id);
}
