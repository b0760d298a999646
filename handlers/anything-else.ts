/** What the bot has no answer to: a sticker, a video, an unknown command. */
import { notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { isServiceMessage } from '../src/telegram/message/content.ts';

/** One line on what the bot can do, in private chats; whoever presses a button that is not known any more is told so. */
export async function anythingElse(ctx: BotContext): Promise<void> {
  if (ctx.callbackQuery !== undefined) return notice(ctx, 'press-too-old');
  if (ctx.message === undefined || !ctx.isPrivate || isServiceMessage(ctx.message)) return;
  await notice(ctx, 'anything-else');
}
