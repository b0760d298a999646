/** Changes messages of the bot, also the one whose button sent a callback query. */
import { type Keyboard, markup } from '../answer/buttons.ts';
import type { BotApi } from '../api/api.ts';
import { type EditOutcome, isNotModified, isRefusal, outcomeOfEdit } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import { callbackMessage } from '../request/callback.ts';
import { ephemeralId } from '../request/ephemeral.ts';

/** Replaces the message's text. Throws any other error. */
export function editText(
  { bot, outbox }: ReceivedContext,
  chat: number,
  messageId: number,
  text: string,
  extra: Parameters<BotApi['editMessageText']>[4] = {},
): Promise<EditOutcome> {
  return outbox.action.during(() =>
    outcomeOfEdit(bot.api.editMessageText(chat, messageId, undefined, text, extra)),
  );
}

/** Replaces the message's buttons, or removes them all. Throws any other error. */
export function editButtons(
  { bot, outbox }: ReceivedContext,
  chat: number,
  messageId: number,
  markup?: Parameters<BotApi['editMessageReplyMarkup']>[3],
): Promise<EditOutcome> {
  return outbox.action.during(() =>
    outcomeOfEdit(bot.api.editMessageReplyMarkup(chat, messageId, undefined, markup)),
  );
}

/** Removes the button with this data and keeps the others. Does nothing if the message is gone. */
export async function removeCallbackButton(ctx: ReceivedContext, data: string): Promise<void> {
  const message = callbackMessage(ctx);
  if (message === undefined || !('reply_markup' in message)) return;
  const rows = (message.reply_markup?.inline_keyboard ?? [])
    .map((row) => row.filter((button) => !('callback_data' in button && button.callback_data === data)))
    .filter((row) => row.length > 0);
  await editButtons(ctx, message.chat.id, message.message_id, { inline_keyboard: rows });
}

/** Replaces the text and buttons of the callback query's message. False if there is none, or it can no longer be edited. */
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
  try {
    await ctx.bot.api.callRecent('editEphemeralMessageText', { ...target, text, ...extra });
    return true;
  } catch (error) {
    // Any refusal counts: Telegram does not document why it refuses to edit an ephemeral message.
    if (!isRefusal(error)) throw error;
    return isNotModified(error);
  }
}
