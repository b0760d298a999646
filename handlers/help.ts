/** /help: everything a person can ask for. */
import { notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';

/** The same words for everybody, in their language. */
export function help(ctx: BotContext): Promise<void> {
  return notice(ctx, 'help', { args: { username: ctx.botInfo.username } });
}
