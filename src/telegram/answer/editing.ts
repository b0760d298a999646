/** Changes what a message of the bot says, also of the one whose button sent a callback query. */
import { isDeleted, isNotModified, isRefusal, refusesEdit } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import { callbackMessage } from '../request/callback.ts';
import { ephemeralId } from '../request/ephemeral.ts';
import type { EditOutcome } from './answering.ts';
import { type Keyboard, markup } from './buttons.ts';

/** Puts this text in the message's place. Throws what no outcome stands for. */
export function editText(
  ctx: ReceivedContext,
  chat: number,
  messageId: number,
  text: string,
  extra: Parameters<ReceivedContext['telegram']['editMessageText']>[4] = {},
): Promise<EditOutcome> {
  return outcomeOf(ctx.telegram.editMessageText(chat, messageId, undefined, text, extra));
}

/** Hangs these buttons under the message, or takes those away that it has. Throws what no outcome stands for. */
export function editButtons(
  ctx: ReceivedContext,
  chat: number,
  messageId: number,
  markup?: Parameters<ReceivedContext['telegram']['editMessageReplyMarkup']>[3],
): Promise<EditOutcome> {
  return outcomeOf(ctx.telegram.editMessageReplyMarkup(chat, messageId, undefined, markup));
}

async function outcomeOf(edit: Promise<unknown>): Promise<EditOutcome> {
  try {
    await edit;
    return 'edited';
  } catch (error) {
    if (isNotModified(error)) return 'edited';
    if (isDeleted(error)) return 'deleted';
    if (refusesEdit(error)) return 'refused';
    throw error;
  }
}

/** Takes the button with this data away and leaves the others; no matter when the message is gone. */
export async function removeCallbackButton(ctx: ReceivedContext, data: string): Promise<void> {
  const message = callbackMessage(ctx);
  if (message === undefined || !('reply_markup' in message)) return;
  const rows = (message.reply_markup?.inline_keyboard ?? [])
    .map((row) => row.filter((button) => !('callback_data' in button && button.callback_data === data)))
    .filter((row) => row.length > 0);
  await editButtons(ctx, message.chat.id, message.message_id, { inline_keyboard: rows });
}

/** Puts this text with these buttons in the message's place; false where there is no callback query, or it can no longer be edited. */
export async function replaceCallbackMessage(
  ctx: ReceivedContext,
  text: string,
  keyboard: Keyboard = [],
): Promise<boolean> {
  const { callbackQuery } = ctx;
  const message = callbackQuery?.message;
  if (message === undefined) return false;
  const extra = { reply_markup: markup(keyboard) };
  const id = ephemeralId(message);
  if (id === undefined)
    return (await editText(ctx, message.chat.id, message.message_id, text, extra)) === 'edited';
  const target = {
    chat_id: message.chat.id,
    receiver_user_id: callbackQuery?.from.id ?? 0,
    ephemeral_message_id: id,
  };
  return isShown(ctx.bot.api.callRecent('editEphemeralMessageText', { ...target, text, ...extra }));
}

/** Of a message that one person sees: why Telegram lets it be edited no more is not published. */
async function isShown(edit: Promise<unknown>): Promise<boolean> {
  try {
    await edit;
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return isNotModified(error);
  }
}
