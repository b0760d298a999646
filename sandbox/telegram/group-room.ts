/** A group or channel on the server: its members, whether the bot is one, and which messages the bot gets. */
import { type ApiError, badRequest, forbidden } from './api-error.ts';
import type { ChatRoom } from './chat-room.ts';
import { seenInPrivacyMode } from './group-privacy.ts';
import { MessageLog } from './message-log.ts';
import type { BotUser, Chat, ChatMember, MemberStatus, Message, User } from './objects.ts';
import { Topics } from './topics.ts';

interface GroupRules {
  readonly privacyMode: boolean;
  readonly discussion?: GroupRoom | undefined;
  readonly isEchoed?: boolean;
}

export class GroupRoom implements ChatRoom {
  readonly chat: Chat;
  readonly log = new MessageLog();
  readonly topics: Topics | undefined;
  readonly forbidsVoice = false;
  /** The supergroup that this basic group became. */
  upgradedTo: number | undefined;
  readonly #members = new Map<number, ChatMember>();
  readonly #bot: BotUser;
  readonly privacyMode: boolean;
  readonly discussion: GroupRoom | undefined;
  readonly isEchoed: boolean;

  constructor(chat: Chat, bot: BotUser, rules: GroupRules) {
    this.chat = chat;
    this.topics = chat.is_forum ? new Topics() : undefined;
    this.#bot = bot;
    this.privacyMode = rules.privacyMode;
    this.discussion = rules.discussion;
    this.isEchoed = rules.isEchoed ?? false;
  }

  refusal(): ApiError | undefined {
    const kind = `${this.chat.type} chat`;
    if (this.upgradedTo !== undefined)
      return badRequest('group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: this.upgradedTo,
      });
    const status = this.status(this.#bot.id);
    if (status === 'kicked') return forbidden(`bot was kicked from the ${kind}`);
    return status === 'left' ? forbidden(`bot is not a member of the ${kind}`) : undefined;
  }

  botSees(message: Message): boolean {
    if (this.refusal()) return false;
    if (this.isChannel) return this.botIsAdmin();
    return !this.privacyMode || this.botIsAdmin() || seenInPrivacyMode(message, this.#bot);
  }

  get isWithoutBot(): boolean {
    return !this.isChannel && !isPresent(this.status(this.#bot.id));
  }

  get isChannel(): boolean {
    return this.chat.type === 'channel';
  }

  /** Whether the bot may write here: in a channel only with the right to post. */
  botMayPost(): boolean {
    const member = this.#members.get(this.#bot.id);
    return !this.isChannel || (member?.status === 'administrator' && member.can_post_messages === true);
  }

  /** Gives the bot, an admin of a channel, the right to post, or takes it away. */
  setBotMayPost(mayPost: boolean): void {
    const member = this.#members.get(this.#bot.id);
    if (!this.isChannel || member?.status !== 'administrator')
      throw new RangeError('the bot is no admin of a channel');
    this.#members.set(this.#bot.id, { ...member, can_post_messages: mayPost });
  }

  botIsAdmin(): boolean {
    return this.status(this.#bot.id) === 'administrator';
  }

  /** `left` for people who were never here. */
  status(userId: number): MemberStatus {
    return this.#members.get(userId)?.status ?? 'left';
  }

  setStatus(user: User, status: MemberStatus): void {
    this.#members.set(user.id, chatMember(user, status, this.chat));
  }

  /** An anonymous administrator's messages come from the group itself. */
  setAnonymous(userId: number, isAnonymous: boolean): void {
    const member = this.#members.get(userId);
    if (member?.status === 'creator' || member?.status === 'administrator')
      this.#members.set(userId, { ...member, is_anonymous: isAnonymous });
  }

  members(): ChatMember[] {
    return [...this.#members.values()];
  }
}

/** Whether somebody of this status has an administrator's rights. */
export function isAdminStatus(status: MemberStatus): boolean {
  return status === 'creator' || status === 'administrator';
}

/** Whether this is an administrator who writes in the name of the group. */
export function isAnonymous(member: ChatMember): boolean {
  return 'is_anonymous' in member && member.is_anonymous;
}

/** Whether somebody of this status is in the group now. */
export function isPresent(status: MemberStatus): boolean {
  return status !== 'left' && status !== 'kicked';
}

/** The Bot API's `ChatMember` of this status in a chat, with an administrator's rights where there are any. */
export function chatMember(user: User, status: MemberStatus, { type }: Pick<Chat, 'type'>): ChatMember {
  if (status === 'creator') return { status, user, is_anonymous: false };
  if (status === 'kicked') return { status, user, until_date: 0 };
  if (status === 'member') return { status, user };
  if (status === 'left') return { status, user };
  return {
    status,
    user,
    can_be_edited: false,
    is_anonymous: false,
    can_manage_chat: true,
    can_delete_messages: true,
    can_manage_video_chats: true,
    can_restrict_members: true,
    can_promote_members: false,
    can_change_info: true,
    can_invite_users: true,
    can_pin_messages: true,
    can_manage_topics: true,
    can_post_stories: false,
    can_edit_stories: false,
    can_delete_stories: false,
    can_send_welcome_messages: false,
    ...(type === 'channel' && { can_post_messages: true, can_edit_messages: true }),
  };
}
