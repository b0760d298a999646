/** What the bot has no answer to (a sticker, a video, an unknown command): one line on what it can do, in private chats; an unknown button is an old one. */
import { notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { isServiceMessage } from '../src/telegram/message/content.ts';

export async function anythingElse(ctx: BotContext): Promise<void> {
  if (ctx.callbackQuery !== undefined) return notice(ctx, 'press-too-old');
  if (ctx.message === undefined || !ctx.isPrivate || isServiceMessage(ctx.message)) return;
  await notice(ctx, 'anything-else');
}
