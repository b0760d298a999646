/** Makes groups and channels; members and topics are there before the bot gets any update. */
import type { Core } from './core.ts';
import { Group, type Member } from './group.ts';
import { GroupRoom } from './group-room.ts';
import type { Chat } from './objects.ts';

export interface NewGroup {
  title: string;
  members: readonly Member[];
  /** The first is the owner. */
  admins?: readonly Member[];
  type?: 'group' | 'supergroup';
  isForum?: boolean;
  /** The direct messages of a channel, whose admins these are. */
  isDirectMessages?: boolean;
  /** The topics that a forum begins with, open ones unless it says otherwise. */
  topics?: ReadonlyArray<{ name: string; isClosed?: boolean }>;
  /** Default true. */
  botIsMember?: boolean;
  /** Default true: see group-privacy.ts. */
  privacyMode?: boolean;
}

/** A group with this id: negative, -100… for a supergroup. The bot gets no update of its creation. */
export function createGroup(core: Core, id: number, options: NewGroup): Group {
  const { title, members, admins = [], topics = [] } = options;
  const { isForum = false, isDirectMessages = false, botIsMember = true, privacyMode = true } = options;
  const type = isForum || isDirectMessages ? 'supergroup' : (options.type ?? 'group');
  const kind = {
    ...(isForum && { is_forum: true as const }),
    ...(isDirectMessages && { is_direct_messages: true as const }),
  };
  const chat: Chat = type === 'group' ? { id, type, title } : { id, type, title, ...kind };
  const room = new GroupRoom(chat, core.bot, { privacyMode });
  for (const { user } of members) room.setStatus(user, 'member');
  for (const [index, { user }] of admins.entries())
    room.setStatus(user, index === 0 ? 'creator' : 'administrator');
  core.rooms.set(id, room);
  const group = new Group(core, room);
  for (const { name, isClosed = false } of topics)
    room.topics?.setClosed(group.createTopic(name, admins[0]), isClosed);
  if (botIsMember) room.setStatus(core.me, 'member');
  core.events.emit('chat', room.chat);
  return group;
}

export interface NewChannel {
  title: string;
  /** The first is the owner. */
  admins: readonly Member[];
  /** Those who only read. */
  members?: readonly Member[];
  /** Its posts come there, too. */
  discussion?: Group;
  /** Default true. */
  botIsAdmin?: boolean;
  /** The bot also gets its own posts; default false. */
  isEchoed?: boolean;
}

/** A channel with this id, -100…; the bot gets no update of its creation. */
export function createChannel(core: Core, id: number, options: NewChannel): Group {
  const { title, admins, members = [], discussion, botIsAdmin = true, isEchoed } = options;
  const chat: Chat = { id, type: 'channel', title };
  const linked = discussion && core.room(discussion.id);
  if (linked !== undefined && !(linked instanceof GroupRoom))
    throw new RangeError('a discussion is in a group');
  const room = new GroupRoom(chat, core.bot, {
    privacyMode: false,
    discussion: linked,
    ...(isEchoed && { isEchoed }),
  });
  for (const { user } of members) room.setStatus(user, 'member');
  for (const [index, { user }] of admins.entries())
    room.setStatus(user, index === 0 ? 'creator' : 'administrator');
  if (botIsAdmin) room.setStatus(core.me, 'administrator');
  core.rooms.set(id, room);
  core.events.emit('chat', chat);
  return new Group(core, room);
}
