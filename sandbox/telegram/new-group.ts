/** Makes groups and channels; members and topics are there before the bot gets any update. */
import type { Core } from './core.ts';
import { Group, type Member } from './group.ts';
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
  const group = new Group(core, chat, { privacyMode });
  seatAll(core, group, { members, admins });
  for (const { name, isClosed = false } of topics)
    group.forum?.setClosed(group.createTopic(name, admins[0]), isClosed);
  if (botIsMember) group.seat(group.bot, 'member');
  core.events.emit('chat', chat);
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
  const channel = new Group(core, chat, { privacyMode: false, discussion, isEchoed });
  seatAll(core, channel, { members, admins });
  if (botIsAdmin) channel.seat(channel.bot, 'administrator');
  core.events.emit('chat', chat);
  return channel;
}

function seatAll(
  core: Core,
  group: Group,
  { members, admins }: { members: readonly Member[]; admins: readonly Member[] },
): void {
  for (const member of members) group.seat(member, 'member');
  for (const [index, admin] of admins.entries()) group.seat(admin, index === 0 ? 'creator' : 'administrator');
  core.rooms.set(group.id, group);
}
