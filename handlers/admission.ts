/** Who is let in: the buttons by which somebody asks and the admins answer, and /allow and /block for people and groups. */
import type { Chat, Message, User } from 'telegraf/types';
import type { Decided, Subject } from '../src/store/access/admissions.ts';
import { unlessRefused } from '../src/telegram/api/api-errors.ts';
import type { BotContext } from '../src/telegram/context.ts';
import {
  decideOn,
  deciderOf,
  decisionWords,
  groupSubject,
  nameOf,
  requestAccess,
} from '../src/telegram/reply/admission.ts';
import { confirm, notice } from '../src/telegram/reply/answer.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { isStandIn } from '../src/telegram/request/identity.ts';
import { repliedMessage } from '../src/telegram/request/parsed-message.ts';

export const askAccess: Callback<BotContext> = {
  data: /^access:ask$/,
  isForStrangers: true,
  handle: async (ctx) => {
    const verdict = await ctx.bot.access.verdict(ctx.asker);
    if (verdict === 'in') return confirm(ctx, 'access-let-in');
    const { questions } = await requestAccess(ctx, 'person');
    await confirm(ctx, questions === null ? 'access-asked' : 'access-waits');
  },
};

/** The buttons under the request, for each admin. The first press decides; the others are told who decided. */
export const answerAccess: Callback<BotContext> = {
  data: /^access:(let|block):(-?\d{1,16})$/,
  isForAdmins: true,
  handle: async (ctx, [, word, askedAs = '']) => {
    const { access, api } = ctx.bot;
    if (access.isAdmin(askedAs)) return confirm(ctx, 'access-of-admin');
    const target = await numbered(ctx, askedAs);
    const known = 'problem' in target ? undefined : await access.admissions.find(target.id);
    if (known == null || known.id === null) return confirm(ctx, 'access-request-gone', { id: askedAs });
    const { id } = known;
    const isMine = known.standing === 'asking' || known.by === deciderOf(ctx).name;
    const standing = word === 'let' ? 'member' : 'blocked';
    const decision = isMine ? await decideOn(ctx, { id, name: undefined }, standing) : known;
    if (isMine && standing === 'blocked' && id.startsWith('-'))
      await unlessRefused(api.leaveChat(Number(id)));
    const [sentence, { args }] = decisionWords(decision, id);
    await confirm(ctx, sentence, args);
  },
};

export const allow: Command<BotContext> = {
  name: 'allow',
  menu: 'admins',
  handle: (ctx, payload) => decide(ctx, payload, 'member'),
};

export const block: Command<BotContext> = {
  name: 'block',
  menu: 'admins',
  handle: (ctx, payload) => decide(ctx, payload, 'blocked'),
};

async function decide(ctx: BotContext, payload: string, standing: Decided): Promise<void> {
  const { access } = ctx.bot;
  const target = await targetOf(ctx, payload);
  if ('problem' in target) return notice(ctx, target.problem, { args: target.args });
  if (access.isAdmin(target.id)) return notice(ctx, 'access-of-admin');
  await notice(ctx, ...decisionWords(await decideOn(ctx, target, standing), target.id));
}

type MessageOrigin = NonNullable<Message.CommonMessage['forward_origin']>;

/** The person or group that the command means, or a key of `locales/` that says why there is none. */
type Target = Subject | { readonly problem: string; readonly args?: { readonly id: string } };

const NUMBER = /^-?[1-9]\d{0,15}$/;
const NAME = /^(?:@|(?:https?:\/\/)?t\.me\/)([a-z]\w{2,31})$/i;

async function targetOf(ctx: BotContext, payload: string): Promise<Target> {
  if (payload !== '') return named(ctx, payload);
  const { message } = ctx;
  const replied = repliedMessage(message);
  if (replied !== undefined) return senderOf(ctx, replied);
  if (message !== undefined && 'external_reply' in message && message.external_reply !== undefined)
    return originOf(ctx, message.external_reply.origin);
  return ctx.isPrivate ? { problem: 'access-how' } : groupSubject(ctx);
}

async function named(ctx: BotContext, payload: string): Promise<Target> {
  const { message, bot } = ctx;
  // A person without a @name is mentioned by a link.
  for (const entity of message !== undefined && 'entities' in message ? (message.entities ?? []) : [])
    if (entity.type === 'text_mention') return subjectOfUser(ctx, entity.user);
  if (NUMBER.test(payload)) return numbered(ctx, payload);
  const name = NAME.exec(payload)?.[1];
  if (name === undefined) return { problem: 'access-how' };
  if (name.toLowerCase() === ctx.botInfo.username.toLowerCase()) return { problem: 'access-of-bot' };
  const id = await bot.access.findByName(name);
  return id === undefined ? { problem: 'access-name-unknown' } : numbered(ctx, id);
}

/** A person or group by id, also one that Telegram does not let the bot see. */
async function numbered(ctx: BotContext, id: string): Promise<Target> {
  if (Number(id) === ctx.botInfo.id || isStandIn(Number(id))) return { problem: 'access-of-bot' };
  const known = await unlessRefused(ctx.bot.api.getChat(Number(id)));
  const name = known && ('title' in known ? known.title : nameOf(known));
  // For a group that has become a supergroup, Telegram gives the new id.
  return { id: String(known?.id ?? id), name: name || undefined };
}

/** The sender of the message replied to; its first sender in private chats, and if the admin forwarded it. */
function senderOf(ctx: BotContext, replied: Message): Target {
  const { from, sender_chat: chat } = replied;
  const first = 'forward_origin' in replied ? replied.forward_origin : undefined;
  if (first !== undefined && (ctx.isPrivate || from?.id === ctx.from?.id)) return originOf(ctx, first);
  if (chat !== undefined) return subjectOfChat(chat);
  return from === undefined ? { problem: 'access-how' } : subjectOfUser(ctx, from);
}

function originOf(ctx: BotContext, first: MessageOrigin): Target {
  if (first.type === 'user') return subjectOfUser(ctx, first.sender_user);
  if (first.type === 'chat') return subjectOfChat(first.sender_chat);
  return first.type === 'channel' ? subjectOfChat(first.chat) : { problem: 'access-of-hidden' };
}

function subjectOfUser(ctx: BotContext, one: User): Target {
  if (one.is_bot) return isStandIn(one.id) ? groupSubject(ctx) : { problem: 'access-of-bot' };
  return { id: String(one.id), name: nameOf(one) || undefined };
}

/** Anonymous admins write as the group. A person who writes as a channel counts as the group, so a channel itself must be named. */
function subjectOfChat(chat: Chat): Target {
  const id = String(chat.id);
  if (chat.type === 'channel') return { problem: 'access-of-channel', args: { id } };
  return { id, name: 'title' in chat ? chat.title : undefined };
}
