/** One group or channel: its members, and everything that can be done with it. */
import type { Core, Draft } from './core.ts';
import { type GroupRoom, isAdminStatus, isPresent } from './group-room.ts';
import { createTopic, deleteTopic, setTopicClosed } from './group-topics.ts';
import { upgradeToSupergroup } from './group-upgrade.ts';
import { anonymousAdmin } from './group-voices.ts';
import { changeStatus } from './membership.ts';
import type { Chat, ChatMember, MemberStatus, Message, User } from './objects.ts';
import { typedText } from './person-text.ts';
import { type Place, replyFields } from './reply-fields.ts';
import type { Topic } from './topics.ts';

/** Anyone who can be in a group. */
export interface Member {
  readonly user: User;
}

interface GroupText extends Place {
  text: string;
}

export class Group {
  readonly #core: Core;
  readonly #room: GroupRoom;

  /** A view of the room that the server keeps: any number of them show the same group. */
  constructor(core: Core, room: GroupRoom) {
    this.#core = core;
    this.#room = room;
  }

  get id(): number {
    return this.#room.chat.id;
  }

  get chat(): Chat {
    return this.#room.chat;
  }

  /** Everyone who is or was here, the bot included. */
  get members(): ChatMember[] {
    return this.#room.members();
  }

  /** A forum's topics besides General; none in any other group. */
  get topics(): Topic[] {
    return this.#room.topics?.all() ?? [];
  }

  /** A forum's General, where only administrators write while it is closed. */
  get isGeneralClosed(): boolean {
    return this.#room.topics?.isGeneralClosed ?? false;
  }

  /** The supergroup that this basic group became. */
  get upgradedTo(): number | undefined {
    return this.#room.upgradedTo;
  }

  /** Whether this is its owner or another administrator. */
  isAdmin({ user }: Member): boolean {
    return isAdminStatus(this.#room.status(user.id));
  }

  isOwner({ user }: Member): boolean {
    return this.#room.status(user.id) === 'creator';
  }

  /** Whether this person, or bot, is in the group now. */
  has({ user }: { readonly user: Pick<User, 'id'> }): boolean {
    return isPresent(this.#room.status(user.id));
  }

  get hasBot(): boolean {
    return this.has({ user: this.#core.me });
  }

  /** Adds a person; without `by` they join by themselves. The bot gets a service message, and a `chat_member` update if it may. */
  add({ user }: Member, by: Member = { user }): void {
    this.#change(user, 'member', by.user);
    this.#tell({ from: by.user, new_chat_members: [user] });
  }

  /** Removes a person; without `by` they leave by themselves. */
  remove({ user }: Member, by: Member = { user }): void {
    this.#tell({ from: by.user, left_chat_member: user });
    this.#change(user, 'left', by.user);
  }

  /** Adds the bot, to a channel as an admin; `by` defaults to the first member. */
  addBot(by: Member = this.#someone()): void {
    this.#change(this.#core.me, this.#room.isChannel ? 'administrator' : 'member', by.user);
    this.#tell({ from: by.user, new_chat_members: [this.#core.me] });
  }

  /** Removes the bot: its calls fail with 403 from now on. In a basic group it still sees the service message that says so. */
  removeBot(by: Member = this.#someone()): void {
    const farewell = { from: by.user, left_chat_member: this.#core.me };
    if (this.chat.type === 'group') this.#tell(farewell);
    this.#change(this.#core.me, 'kicked', by.user);
    if (this.chat.type !== 'group') this.#tell(farewell);
  }

  /** Makes a person an administrator. */
  promote({ user }: Member, by: Member = this.#someone()): void {
    this.#change(user, 'administrator', by.user);
  }

  /** Lets an administrator write in the name of the group; throws RangeError for others, and in a basic group. */
  setAnonymous({ user }: Member, isAnonymous: boolean): void {
    if (this.chat.type !== 'supergroup') throw new RangeError('admins are anonymous in supergroups only');
    if (!this.isAdmin({ user })) throw new RangeError('only admins can be anonymous');
    this.#room.setAnonymous(user.id, isAnonymous);
    this.#core.events.emit('chat', this.chat);
  }

  /** Takes an administrator's rights away. */
  demote({ user }: Member, by: Member = this.#someone()): void {
    this.#change(user, 'member', by.user);
  }

  /** The bot becomes an administrator: it sees everything from now on. */
  promoteBot(by: Member = this.#someone()): void {
    this.#change(this.#core.me, 'administrator', by.user);
  }

  /** Takes the bot's rights of an administrator away. */
  demoteBot(by: Member = this.#someone()): void {
    this.#change(this.#core.me, 'member', by.user);
  }

  /** In a channel the bot may post from now on, or only read. */
  setBotMayPost(mayPost: boolean): void {
    this.#room.setBotMayPost(mayPost);
    this.#core.events.emit('chat', this.chat);
  }

  /** Upgrades a basic group; returns the supergroup. Calls to the old one fail with `migrate_to_chat_id`. */
  upgradeToSupergroup(by: Member = this.#someone()): Group {
    return new Group(this.#core, upgradeToSupergroup(this.#core, this.#room, by.user));
  }

  /** A message by an admin who stays anonymous: it comes from the group itself. */
  sendAsAnonymousAdmin({ text, ...place }: GroupText): Message {
    return this.#post({
      ...anonymousAdmin(this.chat),
      ...replyFields(this.#room, place),
      ...typedText(text),
    });
  }

  /** Opens a forum topic; its id goes into `threadId`. */
  createTopic(name: string, by: Member = this.#someone()): number {
    return createTopic(this.#core, this.#room, name, by.user);
  }

  /** Only administrators write in a closed topic; without an id it is General. */
  closeTopic(threadId: number | undefined, by: Member = this.#someone()): void {
    setTopicClosed(this.#core, this.#room, threadId, true, by.user);
  }

  reopenTopic(threadId: number | undefined, by: Member = this.#someone()): void {
    setTopicClosed(this.#core, this.#room, threadId, false, by.user);
  }

  /** Deletes a topic with everything in it. */
  deleteTopic(threadId: number): void {
    deleteTopic(this.#core, this.#room, threadId);
  }

  /** Channels have no service messages about members. */
  #tell(draft: Draft): void {
    if (!this.#room.isChannel) this.#post(draft);
  }

  #post(draft: Draft): Message {
    return this.#core.post(this.#room, draft);
  }

  #change(user: User, status: MemberStatus, by: User): void {
    changeStatus(this.#core, this.#room, user, status, by);
  }

  #someone(): Member {
    const member = this.members.find(
      ({ user, status }) => user.id !== this.#core.bot.id && isPresent(status),
    );
    if (!member) throw new RangeError('the group has no members');
    return member;
  }
}
