/** Whether a message in a group comes from one of its admins, anonymous ones included (spec §2, Groups). */
import type { BotContext } from './context.ts';

export async function isFromGroupAdmin(ctx: BotContext): Promise<boolean> {
  const { message } = ctx;
  if (message === undefined || ctx.isPrivate) return false;
  // An anonymous admin writes in the name of the group itself.
  if (message.sender_chat !== undefined) return message.sender_chat.id === message.chat.id;
  const { status } = await ctx.telegram.getChatMember(message.chat.id, message.from.id);
  return status === 'creator' || status === 'administrator';
}
