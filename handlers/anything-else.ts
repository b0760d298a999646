/** What the bot has no answer to: a sticker, a video, an unknown command. */
import { notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { isServiceMessage } from '../src/telegram/request/asked.ts';
import { mentions } from '../src/telegram/request/text-in.ts';

/** One line on what the bot can do, in a group to whom calls it by its name. */
export async function anythingElse(ctx: BotContext): Promise<void> {
  if (ctx.message === undefined || isServiceMessage(ctx.message)) return;
  if (ctx.isPrivate || isCalledByName(ctx)) await notice(ctx, 'anything-else');
}

/** By a mention, be it in a caption, or in a command (`/nonsense@bot`): silence would leave them waiting. */
function isCalledByName({ album, asked, botInfo }: BotContext): boolean {
  if (asked.kind === 'command' && asked.isByName) return true;
  return album.some((part) => mentions(part, botInfo));
}
