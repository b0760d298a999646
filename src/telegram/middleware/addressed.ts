/** Which requests are meant for the bot, who may use it, and which commands and buttons their sender may use. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Message, MessageOriginChannel } from 'telegraf/types';
import { markOf } from '../../language/normalise.ts';
import { dominantLanguage } from '../../language/script.ts';
import { unlessRefused } from '../api/api-errors.ts';
import type { BotContext, ReceivedContext } from '../context.ts';
import { askButton, requestAccess, TOLD_WITHIN_MS } from '../reply/admission.ts';
import { notice } from '../reply/answer.ts';
import { refusalOf } from '../request/callback.ts';
import { askerOf, copiedPost, isAnotherBot, noteNames } from '../request/identity.ts';
import { albumText, repliedMessage } from '../request/parsed-message.ts';
import type { NoticeLimit } from './failure-boundary.ts';

/** Whether the request is meant for the bot, or is a text or caption to translate where it listens. */
export async function isAddressed(ctx: ReceivedContext): Promise<boolean> {
  const { message } = ctx;
  if (message === undefined) return ctx.callbackQuery !== undefined;
  if (ctx.intent.kind === 'service') return false;
  // Otherwise two bots could answer each other without end.
  if (isAnotherBot(ctx.from)) return false;
  // A message sent from inline mode is the bot's own work, meant for somebody else, unless it is forwarded to the bot.
  const isSentInline = 'via_bot' in message && message.via_bot?.id === ctx.botInfo.id;
  if (isSentInline && !(ctx.isPrivate && 'forward_origin' in message)) return false;
  if (ctx.isPrivate) return true;
  const { listens, joinedAt = 0 } = await ctx.bot.groups.settings(String(message.chat.id));
  if (message.date * 1000 < joinedAt || (await isOwnPost(ctx, message))) return false;
  if (!ctx.isOverheard) return !(await isDoneInChannel(ctx, message)) && mayAnswerThere(ctx);
  // A caption's command may be meant for another bot.
  const isCommand = ctx.album.some(({ command }) => command !== undefined);
  const isToTranslate =
    listens &&
    !isCommand &&
    ctx.intent.kind === 'text' &&
    dominantLanguage(albumText(ctx.album)) !== undefined;
  return isToTranslate && !(await isMadeOfOwn(ctx, message)) && mayAnswerThere(ctx);
}

/**
 * Whether a post, or its copy in the discussion group, is the bot's own answer, which may name the bot (/help). No field says so, and
 * translating it would never end.
 */
async function isOwnPost({ bot }: ReceivedContext, message: Message): Promise<boolean> {
  const post = postOf(message);
  return post !== undefined && bot.requests.isAnswer(post.chat.id, post.message_id);
}

/**
 * Whether an overheard message repeats an answer of the bot: it is forwarded, or says the same text in a channel; or it is a post in reply to
 * one. In a channel nothing tells whether a person or another bot posts, and two bots that translate would translate each other without end.
 */
async function isMadeOfOwn({ bot, album, botInfo }: ReceivedContext, message: Message): Promise<boolean> {
  const { requests } = bot;
  const { forward_origin: origin, external_reply }: Partial<Message.CommonMessage> = message;
  if (origin?.type === 'user' && origin.sender_user.id === botInfo.id) return true;
  if (origin?.type === 'channel' && (await requests.isAnswer(origin.chat.id, origin.message_id))) return true;
  const post = postOf(message);
  // Readers may comment on an answer, and have that translated.
  if (post === undefined) return false;
  const replied = repliedMessage(message);
  const about = replied === undefined ? external_reply : postOf(replied);
  if (about?.chat !== undefined && about.message_id !== undefined)
    if (await requests.isAnswer(about.chat.id, about.message_id)) return true;
  for (const { text } of album) if (await requests.hasSaid(post.chat.id, markOf(text))) return true;
  return false;
}

/** The channel's post that a message is, or of which it is the copy in the discussion group. */
function postOf(message: Message): Pick<Message, 'message_id' | 'chat'> | MessageOriginChannel | undefined {
  return message.chat.type === 'channel' ? message : copiedPost(message);
}

/** Whether a message is the copy of a channel's command that was answered in the channel: it is not carried out a second time. */
async function isDoneInChannel({ bot, intent }: ReceivedContext, message: Message): Promise<boolean> {
  const post = copiedPost(message);
  if (post === undefined || intent.kind !== 'command') return false;
  return bot.requests.isAnswered(post.chat.id, post.message_id);
}

/** Checks a channel before any paid call: its admins may have taken away the bot's right to post. */
async function mayAnswerThere({ bot, chat, botInfo }: ReceivedContext): Promise<boolean> {
  if (chat.type !== 'channel') return true;
  const member = await unlessRefused(bot.api.getChatMember(chat.id, botInfo.id));
  return member?.status === 'administrator' && member.can_post_messages === true;
}

/** Whether its sender may use the command, and is told if not; or may press the button: the acknowledgement has told others why not. */
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
  return (await refusalOf(intent, bot.api)) === undefined;
}

/** How many messages of the same stranger are answered in a minute. */
const MAX_TOLD = 2;

/**
 * Whether the person may use the bot, or strangers may make the request. Blocked people get no answer. A stranger is told in private how to
 * ask to be let in; a group is told once that it waits. Throws `paused` in a pause, and `database`.
 */
export async function isAdmitted(ctx: BotContext, notices: NoticeLimit): Promise<boolean> {
  noteNames(ctx.bot, ctx);
  // For a chat's button, too, the person who pressed it counts.
  const verdict = await ctx.bot.access.verdict(askerOf(ctx));
  if (verdict === 'in') return true;
  const { intent, bot } = ctx;
  if (verdict === 'blocked') {
    if (ctx.isPrivate && intent.kind === 'command') await intent.command?.handleUnanswered?.(ctx);
    return false;
  }
  if (isForStrangers(intent)) return true;
  if (ctx.isOverheard) return false;
  if (!ctx.isPrivate)
    return (await isLetInSoon(ctx)) || (await requestAccess(ctx, 'group')).standing === 'member';
  if (!notices.may(`stranger:${ctx.person}`, MAX_TOLD)) return false;
  const admission = await bot.access.admissions.find(ctx.person);
  if (admission?.standing === 'asking') await notice(ctx, 'access-waits');
  else await notice(ctx, 'access-stranger', { keyboard: [[askButton(ctx)]] });
  return false;
}

/** Whether a group is let in within a moment: it is being upgraded or invited. A group that has asked already does not wait for that. */
async function isLetInSoon(ctx: BotContext): Promise<boolean> {
  const { admissions } = ctx.bot.access;
  if ((await admissions.find(String(ctx.chat.id))) !== undefined) return false;
  await delay(TOLD_WITHIN_MS, undefined, { signal: ctx.stopping });
  return (await ctx.bot.access.verdict(askerOf(ctx))) === 'in';
}

function isForStrangers(intent: BotContext['intent']): boolean {
  if (intent.kind === 'callback') return intent.matched?.callback.isForStrangers === true;
  return intent.kind === 'command' && intent.command?.isForStrangers?.(intent.payload) === true;
}
