/** Whether a message in a group comes from one of its admins, anonymous ones included (spec §2, Groups). */
import type { BotContext } from './context.ts';

export async function isFromGroupAdmin(ctx: BotContext): Promise<boolean> {
  const { chat, from, senderChat } = ctx;
  if (chat === undefined || ctx.isPrivate) return false;
  // An anonymous admin writes in the name of the group itself.
  if (senderChat !== undefined) return senderChat.id === chat.id;
  if (from === undefined) return false;
  const { status } = await ctx.telegram.getChatMember(chat.id, from.id);
  return status === 'creator' || status === 'administrator';
}
