/** Changes what a message of the bot says. */
import { isBeyondEditing, isNotModified } from '../api/api-errors.ts';
import type { BotContext } from '../context.ts';

/** Puts this text in the message's place; false where it can no longer be edited: it was deleted, or is too old. */
export async function editText(
  ctx: BotContext,
  chat: number,
  messageId: number,
  text: string,
  extra: Parameters<BotContext['telegram']['editMessageText']>[4] = {},
): Promise<boolean> {
  try {
    await ctx.telegram.editMessageText(chat, messageId, undefined, text, extra);
    return true;
  } catch (error) {
    if (isNotModified(error)) return true;
    if (!isBeyondEditing(error)) throw error;
    return false;
  }
}
