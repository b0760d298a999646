/** Which requests are meant for the bot (spec §2, Groups), and which commands and buttons their sender may use. */
import type { Message } from 'telegraf/types';
import { dominantLanguage } from '../../language/script.ts';
import type { Groups } from '../../store/kept/groups.ts';
import type { ReceivedContext } from '../context.ts';
import { notice } from '../outbox/answer.ts';
import { refusalOf } from '../request/callback.ts';
import { copiedPost, isAnotherBot, mayPost } from '../request/identity.ts';
import { albumText, hasFile } from '../request/parsed-message.ts';

/**
 * Whether the request is meant for the bot, or is a text or caption to translate where it listens. An edited message that was answered
 * before counts as withdrawn, except for a file, which the bot has read already.
 */
export async function isAddressed(ctx: ReceivedContext): Promise<boolean> {
  const { message } = ctx;
  if (message === undefined) return ctx.callbackQuery !== undefined;
  // Otherwise two bots could answer each other without end.
  if (isAnotherBot(ctx.from)) return false;
  // A message sent from inline mode is the bot's own work, meant for somebody else, unless it is forwarded to the bot.
  const isSentInline = 'via_bot' in message && message.via_bot?.id === ctx.botInfo.id;
  if (isSentInline && !(ctx.isPrivate && 'forward_origin' in message)) return false;
  if (ctx.isPrivate) return true;
  const settings = await ctx.bot.groups.settings(String(message.chat.id));
  if (await isMeantInGroup(ctx, message, settings)) return true;
  const isReadFile = ctx.part !== undefined && hasFile(ctx.part) && !(ctx.isOverheard && settings.listens);
  if (ctx.edit === 'none' || isReadFile) return false;
  ctx.edit = 'withdrawn';
  return true;
}

async function isMeantInGroup(
  ctx: ReceivedContext,
  message: Message,
  { listens, joinedAt = 0 }: Awaited<ReturnType<Groups['settings']>>,
): Promise<boolean> {
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

/** Whether its sender may use the command, and is told if not; or may press the button: acknowledging.ts has told others why not. */
export async function isPermitted(ctx: ReceivedContext): Promise<boolean> {
  const { intent, bot, person } = ctx;
  if (intent.kind === 'command' && intent.command?.menu === 'admins') {
    const { notAdmins = 'admins-only', isPrivateOnly } = intent.command;
    const isAdmin = bot.access.isAdmin(person);
    if (isAdmin && (ctx.isPrivate || !isPrivateOnly)) return true;
    await notice(ctx, isAdmin ? 'admins-private-only' : notAdmins, { args: { id: person } });
    return false;
  }
  if (intent.kind !== 'callback') return true;
  if (intent.matched?.callback.isForAdmins && !bot.access.isAdmin(person)) return false;
  return (await refusalOf(intent.matched, intent.query, bot.api)) === undefined;
}
