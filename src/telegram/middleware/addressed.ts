/** Whether a message in a group is meant for the bot (spec §2, Groups); everything in a private chat is. */
import type { Middleware } from 'telegraf';
import type { Message, UserFromGetMe } from 'telegraf/types';
import { dominantLanguage } from '../../language/script.ts';
import type { BotContext } from '../context.ts';
import { captionCommandIn, isCommand } from '../message/command-in.ts';
import { isAnotherBot } from '../message/identity.ts';
import { repliedMessage } from '../message/replied-to.ts';
import { mentions, textIn } from '../message/text-in.ts';

/**
 * Lets pass what is meant for the bot, and in a group where it listens every text to translate; the rest ends here, unanswered, but
 * for a text that was answered before its edit, which passes as withdrawn. A picture is still the one that was read.
 */
export function onlyWhenAddressed(): Middleware<BotContext> {
  return async (ctx, next) => {
    const { message } = ctx;
    if (message !== undefined && isSentInline(ctx, message)) return;
    // Two bots that answer each other would never stop.
    if (message !== undefined && isAnotherBot(ctx.from)) return;
    const isMeant =
      message === undefined
        ? ctx.callbackQuery !== undefined
        : ctx.isPrivate || (await isMeantInGroup(ctx, message));
    ctx.isWithdrawn = !isMeant && ctx.isEdit && message !== undefined && 'text' in message;
    if (isMeant || ctx.isWithdrawn) await next();
  };
}

/** What a person sends from inline mode is the bot's own work already, and said to somebody else, unless it is forwarded to the bot. */
function isSentInline(ctx: BotContext, message: Message): boolean {
  if (!('via_bot' in message) || message.via_bot?.id !== ctx.botInfo.id) return false;
  return !(ctx.isPrivate && 'forward_origin' in message);
}

/** What was said before the bot was added was said to others. */
async function isMeantInGroup(ctx: BotContext, message: Message): Promise<boolean> {
  ctx.isOverheard = !isAddressed(ctx, message);
  const { listens, joinedAt = 0 } = await ctx.bot.groups.settings(String(message.chat.id));
  if (message.date * 1000 < joinedAt) return false;
  return (
    !ctx.isOverheard || (listens && 'text' in message && dominantLanguage(textIn(message)) !== undefined)
  );
}

function isAddressed(ctx: BotContext, message: Message): boolean {
  // Of an album that was answered, one message came back edited: the mention may stand under another.
  if (ctx.isEdit && ctx.album.length > 1) return true;
  return [message, ...ctx.album].some((part) => namesBot(part, ctx.botInfo));
}

/** Whether a message in a group is said to the bot: a command, a reply to it, a mention, or a caption that asks about its photo. */
export function namesBot(message: Message, me: UserFromGetMe): boolean {
  if (isCommand(message, me) || repliedMessage(message)?.from?.id === me.id) return true;
  return mentions(message, me) || asksAbout(message, me);
}

/** What can be asked about a photo in its own caption; Telegram delivers it as a command, though the message has no text. */
const ABOUT_PHOTOS: ReadonlySet<string> = new Set(['ocr', 'speak', 'tibetan', 'chinese', 'auto']);

function asksAbout(message: Message, me: UserFromGetMe): boolean {
  const command = captionCommandIn(message, me);
  return command !== undefined && ABOUT_PHOTOS.has(command.name);
}
