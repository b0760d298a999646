/** One group or channel: its members, which messages the bot gets, and everything that can be done with it. */
import { type ApiError, badRequest, forbidden } from './api-error.ts';
import type { ChatRoom } from './chat-room.ts';
import type { Core, Draft } from './core.ts';
import { seenInPrivacyMode } from './group-privacy.ts';
import { chatMember, isAdminStatus, isPresent, tellOfStatus } from './membership.ts';
import { MessageLog } from './message-log.ts';
import type { Chat, ChatMember, MemberStatus, Message, User } from './objects.ts';
import { typedText } from './person-text.ts';
import { anonymousAdmin, replyFields } from './reply-fields.ts';
import { type Topic, Topics } from './topics.ts';

/** Anyone who can be in a group. */
export interface Member {
  readonly user: User;
}

interface GroupRules {
  /** The bot gets only what concerns it: see group-privacy.ts. */
  readonly privacyMode: boolean;
  readonly discussion?: Group | undefined;
  readonly isEchoed?: boolean | undefined;
}

/** One of Telegram's six colours for topics. */
const ICON_COLOUR = 7_322_096;

export class Group implements ChatRoom {
  readonly chat: Chat;
  readonly log = new MessageLog();
  readonly forum: Topics | undefined;
  readonly forbidsVoice = false;
  readonly discussion: Group | undefined;
  readonly isEchoed: boolean;
  /** The bot, as a member. */
  readonly bot: Member;
  /** The supergroup that this basic group became. */
  upgradedTo: number | undefined;
  readonly #privacyMode: boolean;
  readonly #members = new Map<number, ChatMember>();
  readonly #core: Core;

  /** A group that is not in the world yet, of nobody. */
  constructor(core: Core, chat: Chat, { privacyMode, discussion, isEchoed = false }: GroupRules) {
    this.#core = core;
    this.chat = chat;
    this.forum = chat.is_forum ? new Topics() : undefined;
    this.bot = { user: core.me };
    this.#privacyMode = privacyMode;
    this.discussion = discussion;
    this.isEchoed = isEchoed;
  }

  get id(): number {
    return this.chat.id;
  }

  get members(): ChatMember[] {
    return [...this.#members.values()];
  }

  /** A forum's topics besides General; none in any other group. */
  get topics(): Topic[] {
    return this.forum?.all() ?? [];
  }

  /** A forum's General, where only administrators write while it is closed. */
  get isGeneralClosed(): boolean {
    return this.forum?.isGeneralClosed ?? false;
  }

  get isChannel(): boolean {
    return this.chat.type === 'channel';
  }

  get hasBot(): boolean {
    return this.has(this.bot);
  }

  get isWithoutBot(): boolean {
    return !this.isChannel && !this.hasBot;
  }

  get botIsAdmin(): boolean {
    return this.isAdmin(this.bot);
  }

  get botMayPost(): boolean {
    const member = this.#members.get(this.bot.user.id);
    return !this.isChannel || (member?.status === 'administrator' && member.can_post_messages === true);
  }

  /** Whether this is its owner or another administrator. */
  isAdmin({ user }: Member): boolean {
    return isAdminStatus(this.#status(user.id));
  }

  isOwner({ user }: Member): boolean {
    return this.#status(user.id) === 'creator';
  }

  /** Whether this person, or bot, is in the group now. */
  has({ user }: { readonly user: Pick<User, 'id'> }): boolean {
    return isPresent(this.#status(user.id));
  }

  refusal(): ApiError | undefined {
    const kind = `${this.chat.type} chat`;
    if (this.upgradedTo !== undefined)
      return badRequest('group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: this.upgradedTo,
      });
    const status = this.#status(this.bot.user.id);
    if (status === 'kicked') return forbidden(`bot was kicked from the ${kind}`);
    return status === 'left' ? forbidden(`bot is not a member of the ${kind}`) : undefined;
  }

  botSees(message: Message): boolean {
    if (this.refusal()) return false;
    if (this.isChannel) return this.botIsAdmin;
    return !this.#privacyMode || this.botIsAdmin || seenInPrivacyMode(message, this.#core.bot);
  }

  /** Adds a person; without `by` they join by themselves. The bot gets a service message, and a `chat_member` update if it may. */
  add({ user }: Member, by: Member = { user }): void {
    this.change(user, 'member', by.user);
    this.#tell({ from: by.user, new_chat_members: [user] });
  }

  /** Removes a person; without `by` they leave by themselves. */
  remove({ user }: Member, by: Member = { user }): void {
    this.#tell({ from: by.user, left_chat_member: user });
    this.change(user, 'left', by.user);
  }

  /** Adds the bot, to a channel as an admin; to a supergroup, too, if `isAdmin`. `by` defaults to the first member. */
  addBot(by: Member = this.#someone(), isAdmin = false): void {
    const isAdminAtOnce = this.isChannel || (isAdmin && this.chat.type === 'supergroup');
    this.change(this.bot.user, isAdminAtOnce ? 'administrator' : 'member', by.user);
    this.#tell({ from: by.user, new_chat_members: [this.bot.user] });
  }

  /** Removes the bot: its calls fail with 403 from now on. In a basic group it still sees the service message that says so. */
  removeBot(by: Member = this.#someone()): void {
    const farewell = { from: by.user, left_chat_member: this.bot.user };
    if (this.chat.type === 'group') this.#tell(farewell);
    this.change(this.bot.user, 'kicked', by.user);
    if (this.chat.type !== 'group') this.#tell(farewell);
  }

  /** Makes a person, or the bot, an administrator: the bot sees everything from now on. */
  promote({ user }: Member, by: Member = this.#someone()): void {
    this.change(user, 'administrator', by.user);
  }

  /** Takes an administrator's rights away. */
  demote({ user }: Member, by: Member = this.#someone()): void {
    this.change(user, 'member', by.user);
  }

  /** Lets an administrator write in the name of the group; throws RangeError for others, and in a basic group. */
  setAnonymous({ user }: Member, isAnonymous: boolean): void {
    if (this.chat.type !== 'supergroup') throw new RangeError('admins are anonymous in supergroups only');
    const member = this.#members.get(user.id);
    if (member?.status !== 'creator' && member?.status !== 'administrator')
      throw new RangeError('only admins can be anonymous');
    this.#put({ ...member, is_anonymous: isAnonymous });
  }

  /** Gives the bot, an admin of a channel, the right to post, or takes it away. */
  setBotMayPost(mayPost: boolean): void {
    const member = this.#members.get(this.bot.user.id);
    if (!this.isChannel || member?.status !== 'administrator')
      throw new RangeError('the bot is no admin of a channel');
    this.#put({ ...member, can_post_messages: mayPost });
  }

  /** Puts somebody into the group as they are from the beginning: the bot gets no update. */
  seat({ user }: Member, status: MemberStatus): void {
    this.#members.set(user.id, chatMember(user, status, this.chat));
  }

  /** Changes a member's status. The bot gets an update: always of itself, of others while it is an administrator. */
  change(user: User, after: MemberStatus, by: User): void {
    const before = this.#status(user.id);
    if (before === after) return;
    this.#put(chatMember(user, after, this.chat));
    if (user.id === this.bot.user.id || this.botIsAdmin)
      tellOfStatus(this.#core, this.chat, { user, before, after, by });
  }

  /** Upgrades a basic group; returns the supergroup. Calls to the old one fail with `migrate_to_chat_id`. Throws RangeError for any other. */
  upgradeToSupergroup({ user: by }: Member = this.#someone()): Group {
    if (this.chat.type !== 'group') throw new RangeError('only a basic group is upgraded');
    const id = Number(`-100${Math.abs(this.id) + 1_000_000_000}`);
    const chat: Chat = { id, type: 'supergroup', title: this.chat.title };
    const group = new Group(this.#core, chat, { privacyMode: this.#privacyMode });
    this.#core.rooms.set(id, group);
    // Telegram sends an update of the bot's own membership in the supergroup, though nobody added it (telegram-bot-api#266).
    for (const { user, status } of this.members)
      if (user.id === this.bot.user.id) group.change(user, status, by);
      else group.seat({ user }, status);
    this.#post({ from: by, migrate_to_chat_id: id });
    this.upgradedTo = id;
    this.#core.events.emit('chat', this.chat);
    this.#core.post(group, { from: by, migrate_from_chat_id: this.id });
    return group;
  }

  /** A message by an admin who stays anonymous: it comes from the group itself. */
  sendAsAnonymousAdmin({ text, threadId }: { text: string; threadId?: number }): Message {
    const placed = replyFields(this, { threadId });
    return this.#post({ ...anonymousAdmin(this.chat), ...placed, ...typedText(text) });
  }

  /** Opens a forum topic; returns its id, which is that of its first message. Throws RangeError outside of a forum. */
  createTopic(name: string, by: Member = this.#someone()): number {
    const forum = this.#forum();
    const root = this.#core.post(this, (messageId) => {
      forum.create(messageId, name);
      const forum_topic_created = { name, icon_color: ICON_COLOUR };
      return { from: by.user, message_thread_id: messageId, is_topic_message: true, forum_topic_created };
    });
    this.#core.events.emit('chat', this.chat);
    return root.message_id;
  }

  /** Only administrators write in a closed topic; without an id it is General. Throws RangeError outside of a forum. */
  closeTopic(threadId: number | undefined, by: Member = this.#someone()): void {
    this.#forum().setClosed(threadId, true);
    this.#post({ from: by.user, ...replyFields(this, { threadId }), forum_topic_closed: {} });
    this.#core.events.emit('chat', this.chat);
  }

  /** Opens a closed topic again. */
  reopenTopic(threadId: number | undefined, by: Member = this.#someone()): void {
    this.#forum().setClosed(threadId, false);
    this.#post({ from: by.user, ...replyFields(this, { threadId }), forum_topic_reopened: {} });
    this.#core.events.emit('chat', this.chat);
  }

  /** Deletes a topic with everything in it. */
  deleteTopic(threadId: number): void {
    this.#forum().remove(threadId);
    for (const message of this.log.all())
      if (message.message_thread_id === threadId) this.#core.delete(this, message);
    this.#core.events.emit('chat', this.chat);
  }

  #forum(): Topics {
    if (!this.forum) throw new RangeError('only a forum has topics');
    return this.forum;
  }

  /** `left` for people who were never here. */
  #status(userId: number): MemberStatus {
    return this.#members.get(userId)?.status ?? 'left';
  }

  #put(member: ChatMember): void {
    this.#members.set(member.user.id, member);
    this.#core.events.emit('chat', this.chat);
  }

  /** Channels have no service messages about members. */
  #tell(draft: Draft): void {
    if (!this.isChannel) this.#post(draft);
  }

  #post(draft: Draft): Message {
    return this.#core.post(this, draft);
  }

  #someone(): Member {
    const { id } = this.bot.user;
    const member = this.members.find(({ user, status }) => user.id !== id && isPresent(status));
    if (!member) throw new RangeError('the group has no members');
    return member;
  }
}
