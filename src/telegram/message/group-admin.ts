/** Whether somebody in a group is one of its admins, anonymous ones included (spec §2, Groups). */
import { isRefusal } from '../api/api-errors.ts';
import type { BotContext } from '../context.ts';

/** Of the sender of a message. */
export async function isFromGroupAdmin(ctx: BotContext): Promise<boolean> {
  const { message, from } = ctx;
  if (message === undefined) return false;
  // An anonymous admin writes in the name of the group itself.
  if (message.sender_chat !== undefined) return message.sender_chat.id === message.chat.id;
  return from !== undefined && isGroupAdmin(ctx, from.id);
}

/** Of any user; a press never is anonymous. */
export async function isGroupAdmin(ctx: BotContext, userId: number): Promise<boolean> {
  if (ctx.isPrivate) return false;
  try {
    const { status } = await ctx.telegram.getChatMember(ctx.chat.id, userId);
    return status === 'creator' || status === 'administrator';
  } catch (error) {
    // Telegram knows no such member.
    if (isRefusal(error)) return false;
    throw error;
  }
}
