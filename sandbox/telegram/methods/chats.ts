/** Asking about chats and their members, and leaving them. */
import { badRequest } from '../api-error.ts';
import { Group } from '../group.ts';
import { type Methods, method } from '../method.ts';
import type { ChatMember, MethodResults } from '../objects.ts';
import { chatIdOrName, integer } from '../parameters.ts';
import { openRoom } from './permission.ts';

const chat = { chat_id: chatIdOrName };

const NO_GIFTS = {
  unlimited_gifts: false,
  limited_gifts: false,
  unique_gifts: false,
  premium_subscription: false,
  gifts_from_channels: false,
};

/** A private chat can be asked about also where the bot is blocked. */
const getChat = method(chat, (context, { chat_id }): MethodResults['getChat'] => {
  const { chat, forbidsVoice } = context.core.room(chat_id);
  const shared = { accent_color_id: 0, max_reaction_count: 11, accepted_gift_types: NO_GIFTS };
  if (chat.type === 'private')
    return { ...chat, ...shared, ...(forbidsVoice && { has_restricted_voice_and_video_messages: true }) };
  openRoom(context, chat_id);
  if (chat.type === 'channel') return { ...chat, ...shared };
  return { ...chat, ...shared, permissions: { can_send_messages: true } };
});

const getChatMember = method(
  { chat_id: chatIdOrName, user_id: integer('invalid user_id specified') },
  (context, { chat_id, user_id }): ChatMember => {
    const isAsked = ({ user }: ChatMember) => user.id === user_id;
    const member = openRoom(context, chat_id).members.find(isAsked);
    if (member) return member;
    const stranger = context.core.rooms.get(user_id)?.members.find(isAsked);
    if (!stranger) throw badRequest('PARTICIPANT_ID_INVALID');
    return { status: 'left', user: stranger.user };
  },
);

const getChatAdministrators = method(chat, (context, { chat_id }) => {
  const room = openRoom(context, chat_id);
  if (room.chat.type === 'private') throw badRequest('there are no administrators in the private chat');
  return room.members
    .filter((member) => member.status === 'creator' || member.status === 'administrator')
    .filter(({ user }) => !user.is_bot || user.id === context.core.bot.id);
});

const leaveChat = method(chat, (context, { chat_id }) => {
  const { core } = context;
  const room = openRoom(context, chat_id);
  if (!(room instanceof Group)) throw badRequest("chat member status can't be changed in private chats");
  if (room.chat.type !== 'channel') core.post(room, { from: core.me, left_chat_member: core.me });
  room.change(core.me, 'left', core.me);
  return true;
});

export const chatMethods: Methods = {
  getChat,
  getChatMember,
  getChatAdministrators,
  leaveChat,
};
