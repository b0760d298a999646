/** Which requests pass: messages that are meant for the bot (spec §2, Groups), and presses on one's own buttons. */
import type { Middleware } from 'telegraf';
import type { Message } from 'telegraf/types';
import { dominantLanguage } from '../../language/script.ts';
import type { ReceivedContext } from '../context.ts';
import { refusalOf } from '../request/callback.ts';
import { isAnotherBot, isGroupAdmin } from '../request/identity.ts';
import { textIn } from '../request/text-in.ts';

/**
 * Lets pass what is meant for the bot, and in a group where it listens every text to translate; the rest ends here, unanswered, but
 * for a text that was answered before its edit, which passes as withdrawn. A picture is still the one that was read.
 */
export function onlyWhenAddressed(): Middleware<ReceivedContext> {
  return async (ctx, next) => {
    const { message } = ctx;
    if (message !== undefined && isSentInline(ctx, message)) return;
    // Two bots that answer each other would never stop.
    if (message !== undefined && isAnotherBot(ctx.from)) return;
    const isMeant =
      message === undefined
        ? ctx.callbackQuery !== undefined
        : ctx.isPrivate || (await isMeantInGroup(ctx, message));
    if (isMeant) return next();
    if (ctx.edit === 'none' || message === undefined || !('text' in message)) return;
    ctx.edit = 'withdrawn';
    await next();
  };
}

/** What a person sends from inline mode is the bot's own work already, and said to somebody else, unless it is forwarded to the bot. */
function isSentInline(ctx: ReceivedContext, message: Message): boolean {
  if (!('via_bot' in message) || message.via_bot?.id !== ctx.botInfo.id) return false;
  return !(ctx.isPrivate && 'forward_origin' in message);
}

/** What was said before the bot was added was said to others. */
async function isMeantInGroup(ctx: ReceivedContext, message: Message): Promise<boolean> {
  const { listens, joinedAt = 0 } = await ctx.bot.groups.settings(String(message.chat.id));
  if (message.date * 1000 < joinedAt) return false;
  return (
    !ctx.isOverheard || (listens && 'text' in message && dominantLanguage(textIn(message)) !== undefined)
  );
}

/** Lets a press pass where its button is the presser's; why another changes nothing was told as it came in (acknowledging.ts). */
export function pressesAreTheirOwners(): Middleware<ReceivedContext> {
  return async (ctx, next) => {
    const { asked, bot } = ctx;
    if (asked.kind !== 'callback') return next();
    const isAdmin = (chat: number, user: number) => isGroupAdmin(bot.api, chat, user);
    const refusal = await refusalOf(asked.pressed, asked.query, isAdmin);
    if (refusal === undefined) await next();
  };
}
