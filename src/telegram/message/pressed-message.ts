/** The message that a pressed button hangs on. */
import type { MaybeInaccessibleMessage, Message } from 'telegraf/types';
import type { BotContext } from '../context.ts';

/** Undefined where Telegram no longer tells it (an inaccessible message has the date 0). */
export function pressedMessage(ctx: BotContext): Message | undefined {
  const message = ctx.callbackQuery?.message;
  return message !== undefined && isAccessible(message) ? message : undefined;
}

function isAccessible(message: MaybeInaccessibleMessage): message is Message {
  return message.date !== 0;
}
