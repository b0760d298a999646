/** The upgrade of a basic group: another chat with the same people takes its place. */
import type { Core } from './core.ts';
import { GroupRoom } from './group-room.ts';
import { changeStatus } from './membership.ts';
import type { Chat, User } from './objects.ts';

/** The supergroup that the group becomes; calls to the old one fail with `migrate_to_chat_id`. Throws RangeError for any other chat. */
export function upgradeToSupergroup(core: Core, old: GroupRoom, by: User): GroupRoom {
  if (old.chat.type !== 'group') throw new RangeError('only a basic group is upgraded');
  const id = Number(`-100${Math.abs(old.chat.id) + 1_000_000_000}`);
  const { title } = old.chat;
  const chat: Chat = { id, type: 'supergroup', title };
  const room = new GroupRoom(chat, core.bot, { privacyMode: old.privacyMode });
  core.rooms.set(id, room);
  // Telegram sends an update of the bot's own membership in the supergroup, though nobody added it (telegram-bot-api#266).
  for (const { user, status } of old.members())
    if (user.id === core.bot.id) changeStatus(core, room, user, status, by);
    else room.setStatus(user, status);
  core.post(old, { from: by, migrate_to_chat_id: id });
  old.upgradedTo = id;
  core.events.emit('chat', old.chat);
  core.post(room, { from: by, migrate_from_chat_id: old.chat.id });
  return room;
}
