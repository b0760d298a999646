/** /start: who the bot is and what to send first. */
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/sending.ts';

export function start(ctx: BotContext): Promise<void> {
  return notice(ctx, 'start');
}
