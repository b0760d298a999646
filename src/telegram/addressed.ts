/** Whether a message in a group is meant for the bot (spec §2, Groups); everything in a private chat is. */
import type { Middleware } from 'telegraf';
import type { Message } from 'telegraf/types';
import type { BotContext } from './context.ts';
import { repliedMessage } from './replied-to.ts';
import { mentions } from './text-in.ts';

/** Lets pass what is meant for the bot; the rest ends here, unanswered. */
export function onlyWhenAddressed(): Middleware<BotContext> {
  return async (ctx, next) => {
    if (isAddressed(ctx)) await next();
  };
}

function isAddressed(ctx: BotContext): boolean {
  const { message } = ctx;
  if (message === undefined) return ctx.callbackQuery !== undefined;
  if (ctx.isPrivate || isCommand(message) || repliedMessage(message)?.from?.id === ctx.botInfo.id)
    return true;
  return ctx.album.some((part) => mentions(part, ctx.botInfo));
}

/** Any command at the beginning: a handler for commands itself passes over those that name another bot. */
export function isCommand(message: Message): boolean {
  const first = 'entities' in message ? message.entities?.[0] : undefined;
  return first?.type === 'bot_command' && first.offset === 0;
}
