/** Which requests pass: messages that are meant for the bot (spec §2, Groups), operators' commands by an operator, and callback queries by one's own buttons. */
import type { Middleware } from 'telegraf';
import type { Message } from 'telegraf/types';
import { dominantLanguage } from '../../language/script.ts';
import { notice } from '../answer/sending.ts';
import type { ReceivedContext } from '../context.ts';
import { refusalOf } from '../request/callback.ts';
import { wordsBesideCommand } from '../request/command.ts';
import { isAnotherBot, mayPost } from '../request/identity.ts';
import { pictureFileIn } from '../request/sent-file.ts';
import { textOfAlbum } from '../request/text-in.ts';

/**
 * Lets pass what is meant for the bot, and in a group where it listens every text and caption to translate; the rest ends here, unanswered, but
 * for a text, or a caption, that was answered before its edit, which passes as withdrawn. A picture is still the one that was read.
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
    if (ctx.edit === 'none' || message === undefined) return;
    if (pictureFileIn(message) !== undefined && !(await isListenedTo(ctx, message))) return;
    ctx.edit = 'withdrawn';
    await next();
  };
}

/** What a person sends from inline mode is the bot's own work already, and said to somebody else, unless it is forwarded to the bot. */
function isSentInline(ctx: ReceivedContext, message: Message): boolean {
  if (!('via_bot' in message) || message.via_bot?.id !== ctx.botInfo.id) return false;
  return !(ctx.isPrivate && 'forward_origin' in message);
}

async function isListenedTo(ctx: ReceivedContext, { chat }: Message): Promise<boolean> {
  return ctx.isOverheard && (await ctx.bot.groups.settings(String(chat.id))).listens;
}

/** What was said before the bot was added was said to others. */
async function isMeantInGroup(ctx: ReceivedContext, message: Message): Promise<boolean> {
  const { listens, joinedAt = 0 } = await ctx.bot.groups.settings(String(message.chat.id));
  if (message.date * 1000 < joinedAt) return false;
  if (!ctx.isOverheard) return mayAnswerThere(ctx);
  // A caption may be meant for another bot.
  const isCommand = ctx.album.some((part) => wordsBesideCommand(part, ctx.bot) !== undefined);
  const isToTranslate =
    listens && !isCommand && ctx.asked.kind === 'text' && dominantLanguage(textOfAlbum(ctx)) !== undefined;
  return isToTranslate && !(await isOwnPost(ctx, message)) && mayAnswerThere(ctx);
}

/**
 * Of a channel's posts, and of what Telegram forwards from it into its discussion group: whether it is an answer of the bot's own, which
 * no field tells. Translated again it would be answered again, without end.
 */
async function isOwnPost({ bot }: ReceivedContext, message: Message): Promise<boolean> {
  if (message.chat.type === 'channel') return bot.answers.isAnswer(message.chat.id, message.message_id);
  if (!('is_automatic_forward' in message) || message.forward_origin?.type !== 'channel') return false;
  const { chat, message_id } = message.forward_origin;
  return bot.answers.isAnswer(chat.id, message_id);
}

/** Of a channel that has to be asked before anything is paid for: its admins choose what the bot may do there. */
async function mayAnswerThere({ bot, chat, botInfo }: ReceivedContext): Promise<boolean> {
  return chat.type !== 'channel' || mayPost(bot.api, chat.id, botInfo.id);
}

/**
 * Lets a command pass where its sender may ask for it, and says so where they may not; and a callback query where its sender owns the button: why
 * another changes nothing was told as it came in (acknowledging.ts).
 */
export function onlyWhoMay(): Middleware<ReceivedContext> {
  return async (ctx, next) => {
    const { asked, bot } = ctx;
    const isOwner = (): boolean => bot.access.isAdmin(ctx.person);
    if (asked.kind === 'command' && asked.command?.menu === 'owners') {
      const { notOwners = 'owners-only', isPrivateOnly } = asked.command;
      if (!isOwner()) return notice(ctx, notOwners, { args: { id: ctx.person } });
      if (isPrivateOnly && !ctx.isPrivate) return notice(ctx, 'owners-private-only');
    }
    if (asked.kind !== 'callback') return next();
    if (asked.matched?.callback.isForOwners && !isOwner()) return;
    if ((await refusalOf(asked.matched, asked.query, bot.api)) === undefined) await next();
  };
}
