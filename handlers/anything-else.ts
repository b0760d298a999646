/** What the bot has no answer to: a sticker, a video, an unknown command. */
import { notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { isCommandTo } from '../src/telegram/message/command-in.ts';
import { isServiceMessage } from '../src/telegram/message/content.ts';
import { mentions } from '../src/telegram/message/text-in.ts';

/** One line on what the bot can do, in a group to whom calls it by its name. */
export async function anythingElse(ctx: BotContext): Promise<void> {
  if (ctx.message === undefined || isServiceMessage(ctx.message)) return;
  if (ctx.isPrivate || isCalledByName(ctx)) await notice(ctx, 'anything-else');
}

/** By a mention, be it in a caption, or in a command (`/nonsense@bot`): silence would leave them waiting. */
function isCalledByName({ album, botInfo }: BotContext): boolean {
  return album.some((part) => mentions(part, botInfo) || isCommandTo(part, botInfo));
}
