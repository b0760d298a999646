/** The scopes of commands that hold for a person in a chat (Bot API, "Determining list of commands"). */
import type { ChatRoom } from './chat-room.ts';
import { isAdminStatus } from './membership.ts';
import type { BotCommandScope } from './objects.ts';

/** Narrowest first. */
export function commandScopes(room: ChatRoom, userId: number): BotCommandScope[] {
  const chat_id = room.chat.id;
  if (room.chat.type === 'private')
    return [{ type: 'chat', chat_id }, { type: 'all_private_chats' }, { type: 'default' }];
  const status = room.members.find(({ user }) => user.id === userId)?.status;
  const isAdmin = status !== undefined && isAdminStatus(status);
  return [
    { type: 'chat_member', chat_id, user_id: userId },
    ...(isAdmin ? [{ type: 'chat_administrators' as const, chat_id }] : []),
    { type: 'chat', chat_id },
    ...(isAdmin ? [{ type: 'all_chat_administrators' as const }] : []),
    { type: 'all_group_chats' },
    { type: 'default' },
  ];
}
