/** The members of a chat: what each may do, and the update of a change. */
import type { Core } from './core.ts';
import type { Chat, ChatMember, MemberStatus, User } from './objects.ts';

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

/** The old and new status of a member, and who changed it. */
interface StatusChange {
  readonly user: User;
  readonly before: MemberStatus;
  readonly after: MemberStatus;
  readonly by: User;
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
