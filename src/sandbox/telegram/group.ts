/** One group: who comes and goes, its topics, its upgrade, and what is posted in its own name. */
import type { Core, Draft } from './core.ts';
import { GroupRoom } from './group-room.ts';
import { anonymousAdmin, linkedChannel } from './group-voices.ts';
import { changeStatus } from './membership.ts';
import type { Chat, MemberStatus, Message, User } from './objects.ts';
import { typedText } from './person-text.ts';
import { type Place, replyFields } from './reply-fields.ts';

/** Anyone who can be in a group. */
export interface Member {
  readonly user: User;
}

export interface NewGroup {
  title: string;
  /** A public group's name, without the @. */
  username?: string;
  members: readonly Member[];
  /** The first is the owner. */
  admins?: readonly Member[];
  type?: 'group' | 'supergroup';
  isForum?: boolean;
  /** Default true. */
  botIsMember?: boolean;
  /** Default true: see group-privacy.ts. */
  privacyMode?: boolean;
}

export interface GroupText extends Place {
  text: string;
}

const TOPIC_COLOUR = 7_322_096;

export class Group {
  readonly #core: Core;
  readonly #room: GroupRoom;
  readonly #options: NewGroup;

  /** `id` is negative; -100… for a supergroup. */
  constructor(core: Core, id: number, options: NewGroup) {
    const {
      title,
      username,
      members,
      admins = [],
      isForum = false,
      botIsMember = true,
      privacyMode = true,
    } = options;
    const type = isForum ? 'supergroup' : (options.type ?? 'group');
    this.#core = core;
    this.#options = options;
    this.#room = new GroupRoom(
      { id, type, title, ...(username && { username }), ...(isForum && { is_forum: true }) },
      core.bot,
      privacyMode,
    );
    for (const { user } of members) this.#room.setStatus(user, 'member');
    for (const [index, { user }] of admins.entries())
      this.#room.setStatus(user, index === 0 ? 'creator' : 'administrator');
    if (botIsMember) this.#room.setStatus(core.me, 'member');
    core.rooms.set(id, this.#room);
  }

  get id(): number {
    return this.#room.chat.id;
  }

  get chat(): Chat {
    return this.#room.chat;
  }

  /** Adds a person: a service message, and a `chat_member` update where the bot may have it. */
  add({ user }: Member): void {
    this.#change(user, 'member', user);
    this.#post({ from: user, new_chat_members: [user] });
  }

  /** Removes a person, as `add` adds. */
  remove({ user }: Member): void {
    this.#post({ from: user, left_chat_member: user });
    this.#change(user, 'left', user);
  }

  /** Adds the bot; `by` defaults to the first member. */
  addBot(by: Member = this.#someone()): void {
    this.#change(this.#core.me, 'member', by.user);
    this.#post({ from: by.user, new_chat_members: [this.#core.me] });
  }

  /** Removes the bot: its calls fail with 403 from now on. */
  removeBot(by: Member = this.#someone()): void {
    if (this.chat.type === 'group') this.#post({ from: by.user, left_chat_member: this.#core.me });
    this.#change(this.#core.me, 'kicked', by.user);
  }

  /** Makes a person, or the bot, an administrator. */
  promote({ user }: Member, by: Member = this.#someone()): void {
    this.#change(user, 'administrator', by.user);
  }

  /** Takes an administrator's rights away. */
  demote({ user }: Member, by: Member = this.#someone()): void {
    this.#change(user, 'member', by.user);
  }

  /** The bot becomes an administrator: it sees everything from now on. */
  promoteBot(by: Member = this.#someone()): void {
    this.#change(this.#core.me, 'administrator', by.user);
  }

  /** Upgrades a basic group: gives the supergroup; calls to the old one fail with `migrate_to_chat_id`. */
  upgradeToSupergroup(by: Member = this.#someone()): Group {
    if (this.chat.type !== 'group') throw new RangeError('only a basic group is upgraded');
    const id = Number(`-100${Math.abs(this.id) + 1_000_000_000}`);
    const group = new Group(this.#core, id, {
      ...this.#options,
      members: [],
      admins: [],
      type: 'supergroup',
      botIsMember: false,
    });
    // Telegram tells the bot of itself in the supergroup, though nobody added it (telegram-bot-api#266).
    for (const { user, status } of this.#room.members())
      if (user.id === this.#core.bot.id) group.#change(user, status, by.user);
      else group.#room.setStatus(user, status);
    this.#post({ from: by.user, migrate_to_chat_id: id });
    this.#room.upgradedTo = id;
    group.#post({ from: by.user, migrate_from_chat_id: this.id });
    return group;
  }

  /** A message by an admin who stays anonymous: it comes from the group itself. */
  sendAsAnonymousAdmin({ text, ...place }: GroupText): Message {
    return this.#post({
      ...anonymousAdmin(this.chat),
      ...replyFields(this.#room, place),
      ...typedText(text),
    });
  }

  /** A post of the linked channel, forwarded into the group by Telegram itself. */
  sendFromLinkedChannel({ text }: { text: string }): Message {
    return this.#post({ ...linkedChannel(this.chat, this.#core.date()), ...typedText(text) });
  }

  /** Opens a forum topic; its id goes into `threadId`. */
  createTopic(name: string, by: Member = this.#someone()): number {
    const { topics } = this.#room;
    if (!topics) throw new RangeError('only a forum has topics');
    const root = this.#core.post(this.#room, (messageId) => {
      topics.open(messageId);
      const forum_topic_created = { name, icon_color: TOPIC_COLOUR };
      return { from: by.user, message_thread_id: messageId, is_topic_message: true, forum_topic_created };
    });
    return root.message_id;
  }

  /** Only administrators write in a closed topic. */
  closeTopic(threadId: number, by: Member = this.#someone()): void {
    this.#room.topics?.close(threadId);
    this.#post({ from: by.user, ...replyFields(this.#room, { threadId }), forum_topic_closed: {} });
  }

  reopenTopic(threadId: number, by: Member = this.#someone()): void {
    this.#room.topics?.open(threadId);
    this.#post({ from: by.user, ...replyFields(this.#room, { threadId }), forum_topic_reopened: {} });
  }

  /** Deletes a topic with everything in it. */
  deleteTopic(threadId: number): void {
    this.#room.topics?.remove(threadId);
    for (const message of this.#room.log.all())
      if (message.message_thread_id === threadId) this.#core.delete(this.#room, message);
  }

  #post(draft: Draft): Message {
    return this.#core.post(this.#room, draft);
  }

  #change(user: User, status: MemberStatus, by: User): void {
    changeStatus(this.#core, this.#room, user, status, by);
  }

  #someone(): Member {
    const member = this.#room.members().find(({ user }) => user.id !== this.#core.bot.id);
    if (!member) throw new RangeError('the group has no members');
    return member;
  }
}
