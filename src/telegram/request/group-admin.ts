/** Whether somebody in a group is one of its admins, anonymous ones included (spec §2, Groups). */
import type { BotApi } from '../api/api.ts';
import { isRefusal } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';

/** Of the sender of a message. */
export async function isFromGroupAdmin(ctx: ReceivedContext): Promise<boolean> {
  const { message, from } = ctx;
  if (message === undefined) return false;
  // An anonymous admin writes in the name of the group itself.
  if (message.sender_chat !== undefined) return message.sender_chat.id === message.chat.id;
  return from !== undefined && isGroupAdmin(ctx.bot.api, ctx.chat.id, from.id);
}

/** Of any user; a press never is anonymous. */
export async function isGroupAdmin(
  api: Pick<BotApi, 'getChatMember'>,
  chat: number,
  user: number,
): Promise<boolean> {
  // A private chat has the id of its person; groups have negative ones (Bot API).
  if (chat > 0) return false;
  try {
    const { status } = await api.getChatMember(chat, user);
    return status === 'creator' || status === 'administrator';
  } catch (error) {
    // Telegram knows no such member.
    if (isRefusal(error)) return false;
    throw error;
  }
}
