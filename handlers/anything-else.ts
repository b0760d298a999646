/** Answers messages that the bot cannot use: a sticker, a video, an unknown command. */
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/outbox/answer.ts';
import { isServiceMessage } from '../src/telegram/request/intent.ts';

/** Says in one line what the bot can do; in a group only if the message names the bot. */
export async function anythingElse(ctx: BotContext): Promise<void> {
  if (ctx.message === undefined || isServiceMessage(ctx.message)) return;
  if (ctx.isPrivate || isCalledByName(ctx)) await notice(ctx, 'anything-else');
}

/** Whether a text, caption or command (`/nonsense@bot`) names the bot: silence would leave the person waiting. */
function isCalledByName({ album, intent }: BotContext): boolean {
  if (intent.kind === 'command' && intent.isByName) return true;
  return album.some(({ mentionsBot }) => mentionsBot);
}
