/** Lets requests pass that are meant for the bot (spec §2, Groups), and commands and buttons that their sender may use. */
import type { Message } from 'telegraf/types';
import { dominantLanguage } from '../../language/script.ts';
import type { ReceivedContext } from '../context.ts';
import { notice } from '../outbox/answer.ts';
import { refusalOf } from '../request/callback.ts';
import { copiedPost, isAnotherBot, mayPost } from '../request/identity.ts';
import { albumText, hasFile } from '../request/parsed-message.ts';

/**
 * Lets messages pass that are meant for the bot, and, where it listens, every text and caption to translate. Ends all others without an
 * answer. An edited message that was answered before passes as withdrawn, except for a file, which the bot has read already.
 */
export async function requireAddressed(ctx: ReceivedContext, next: () => Promise<void>): Promise<void> {
  const { message } = ctx;
  if (message !== undefined && isSentInline(ctx, message)) return;
  // Otherwise two bots could answer each other without end.
  if (message !== undefined && isAnotherBot(ctx.from)) return;
  const isMeant =
    message === undefined
      ? ctx.callbackQuery !== undefined
      : ctx.isPrivate || (await isMeantInGroup(ctx, message));
  if (isMeant) return next();
  if (ctx.edit === 'none' || message === undefined) return;
  if (ctx.part !== undefined && hasFile(ctx.part) && !(await isListenedTo(ctx, message))) return;
  ctx.edit = 'withdrawn';
  await next();
}

/** A message sent from inline mode is the bot's own work, meant for somebody else, unless it is forwarded to the bot. */
function isSentInline(ctx: ReceivedContext, message: Message): boolean {
  if (!('via_bot' in message) || message.via_bot?.id !== ctx.botInfo.id) return false;
  return !(ctx.isPrivate && 'forward_origin' in message);
}

async function isListenedTo(ctx: ReceivedContext, { chat }: Message): Promise<boolean> {
  return ctx.isOverheard && (await ctx.bot.groups.settings(String(chat.id))).listens;
}

async function isMeantInGroup(ctx: ReceivedContext, message: Message): Promise<boolean> {
  const { listens, joinedAt = 0 } = await ctx.bot.groups.settings(String(message.chat.id));
  if (message.date * 1000 < joinedAt) return false;
  if (!ctx.isOverheard) return !(await isDoneInChannel(ctx, message)) && mayAnswerThere(ctx);
  // A caption's command may be meant for another bot.
  const isCommand = ctx.album.some(({ command }) => command !== undefined);
  const isToTranslate =
    listens &&
    !isCommand &&
    ctx.intent.kind === 'text' &&
    dominantLanguage(albumText(ctx.album)) !== undefined;
  return isToTranslate && !(await isOwnPost(ctx, message)) && mayAnswerThere(ctx);
}

/**
 * Whether a channel's post, or its copy in the discussion group, is one of the bot's own answers. No field says so, and translating its own
 * answers would never end.
 */
async function isOwnPost({ bot }: ReceivedContext, message: Message): Promise<boolean> {
  if (message.chat.type === 'channel') return bot.requests.isAnswer(message.chat.id, message.message_id);
  const post = copiedPost(message);
  return post !== undefined && bot.requests.isAnswer(post.chat.id, post.message_id);
}

/** Whether a message is the copy of a channel's command that was answered in the channel: it is not carried out a second time. */
async function isDoneInChannel({ bot, intent }: ReceivedContext, message: Message): Promise<boolean> {
  const post = copiedPost(message);
  if (post === undefined || intent.kind !== 'command') return false;
  return bot.requests.isAnswered(post.chat.id, post.message_id);
}

/** Checks a channel before any paid call: its admins may have taken away the bot's right to post. */
async function mayAnswerThere({ bot, chat, botInfo }: ReceivedContext): Promise<boolean> {
  return chat.type !== 'channel' || mayPost(bot.api, chat.id, botInfo.id);
}

/**
 * Lets an admins' command pass from admins, and refuses it to others. Lets a callback query pass if its sender may press the button;
 * acknowledging.ts has told others why not.
 */
export async function requirePermission(ctx: ReceivedContext, next: () => Promise<void>): Promise<void> {
  const { intent, bot } = ctx;
  const isAdmin = (): boolean => bot.access.isAdmin(ctx.person);
  if (intent.kind === 'command' && intent.command?.menu === 'admins') {
    const { notAdmins = 'admins-only', isPrivateOnly } = intent.command;
    if (!isAdmin()) return notice(ctx, notAdmins, { args: { id: ctx.person } });
    if (isPrivateOnly && !ctx.isPrivate) return notice(ctx, 'admins-private-only');
  }
  if (intent.kind !== 'callback') return next();
  if (intent.matched?.callback.isForAdmins && !isAdmin()) return;
  if ((await refusalOf(intent.matched, intent.query, bot.api)) === undefined) await next();
}
