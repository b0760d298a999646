/** The message that a pressed button hangs on. */
import type { Message } from 'telegraf/types';
import type { BotContext } from '../context.ts';
import { isAccessible } from './presses.ts';

/** Undefined where Telegram no longer tells it. */
export function pressedMessage(ctx: BotContext): Message | undefined {
  const message = ctx.callbackQuery?.message;
  return message !== undefined && isAccessible(message) ? message : undefined;
}
