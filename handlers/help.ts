/** /help: everything a person can ask for. */
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/sending.ts';

export function help(ctx: BotContext): Promise<void> {
  return notice(ctx, 'help');
}
