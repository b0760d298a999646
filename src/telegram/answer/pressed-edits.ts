/** Changes to the message that a pressed button hangs on. */
import type { ReceivedContext } from '../context.ts';
import { pressedMessage } from '../request/callback.ts';
import { type Keyboard, markup } from './buttons.ts';
import { editButtons, editText } from './editing.ts';

/** Takes the button with this data away and leaves the others; no matter when the message is gone. */
export async function removePressedButton(ctx: ReceivedContext, data: string): Promise<void> {
  const message = pressedMessage(ctx);
  if (message === undefined || !('reply_markup' in message)) return;
  const rows = (message.reply_markup?.inline_keyboard ?? [])
    .map((row) => row.filter((button) => !('callback_data' in button && button.callback_data === data)))
    .filter((row) => row.length > 0);
  await editButtons(ctx, message.chat.id, message.message_id, { inline_keyboard: rows });
}

/** Puts this text with these buttons in the message's place; false where none was pressed, or it can no longer be edited. */
export async function replacePressed(
  ctx: ReceivedContext,
  text: string,
  keyboard: Keyboard = [],
): Promise<boolean> {
  const pressed = ctx.callbackQuery?.message;
  if (pressed === undefined) return false;
  const extra = { reply_markup: markup(keyboard) };
  return (await editText(ctx, pressed.chat.id, pressed.message_id, text, extra)) === 'edited';
}
