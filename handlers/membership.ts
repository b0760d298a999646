/** Handles updates that the bot was added to a group or channel, or removed from one. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ChatMember, ChatMemberUpdated } from 'telegraf/types';
import { deciderOf, groupSubject, requestAccess, TOLD_WITHIN_MS } from '../src/telegram/answer/admission.ts';
import { unlessRefused } from '../src/telegram/api/api-errors.ts';
import type { ReceivedContext } from '../src/telegram/context.ts';
import { languageOf } from '../src/telegram/locale.ts';
import { say } from '../src/telegram/outbox/answer.ts';
import { noteNames } from '../src/telegram/request/identity.ts';
import { ADDED_WITHIN_MS } from './invite.ts';
import { welcome } from './listen.ts';

export async function membership(ctx: ReceivedContext, change: ChatMemberUpdated): Promise<void> {
  const { chat, date, old_chat_member: before, new_chat_member: after } = change;
  if (chat.type === 'private') return;
  if (!isInside(before) && isInside(after)) await added(ctx, String(chat.id), date);
  else if (before.status !== 'administrator' && after.status === 'administrator') await promoted(ctx, date);
  if (isInside(before) && !isInside(after)) await removed(ctx, chat.id);
}

/** `date`: in seconds since the epoch. */
async function added(ctx: ReceivedContext, group: string, date: number): Promise<void> {
  const { access, groups } = ctx.bot;
  noteNames(ctx.bot, ctx);
  await groups.join(group, date * 1000);
  const isBlocked = await access.isBlocked({ person: String(ctx.from?.id), group });
  if (isBlocked && access.isOpen) return;
  const isByMember = !isBlocked && (await isAdderIn(ctx));
  const wait = () => delay(TOLD_WITHIN_MS, undefined, { signal: ctx.stopping });
  // Wait for an upgrade, or for the message of an invitation, which lets the group in.
  const isAwaited = ctx.chat.type === 'supergroup' || !isByMember;
  if (isAwaited) {
    await wait();
    const { isUpgraded } = await groups.settings(group);
    if (isUpgraded) return;
  }
  if (isBlocked) {
    await unlessRefused(ctx.bot.api.leaveChat(ctx.chat.id));
    return;
  }
  if (!access.isOpen && (await access.admissions.find(group))?.standing !== 'member') {
    if (isByMember) await access.admissions.decide(groupSubject(ctx), 'member', deciderOf(ctx));
    // An invitation may have let it in at this very moment.
    else if ((await requestAccess(ctx, 'group')).standing !== 'member') return;
  }
  // A channel's readers need no welcome.
  if (ctx.chat.type === 'channel') return;
  // A link that makes the bot listen is answered in its place (start.ts).
  if (!isAwaited) await wait();
  if (!(await groups.settings(group)).listens) await welcome(ctx);
}

/**
 * Says that the bot now gets every message, if the group switched listening on while it could not (listen.ts). A link adds it to a basic
 * group and promotes it in one go. `date`: in seconds since the epoch.
 */
async function promoted(ctx: ReceivedContext, date: number): Promise<void> {
  const { bot, chat, from } = ctx;
  if (chat.type === 'channel' || from === undefined || bot.me.can_read_all_group_messages) return;
  const { listens, joinedAt = 0 } = await bot.groups.settings(String(chat.id));
  const isAtOnce = date * 1000 - joinedAt <= ADDED_WITHIN_MS;
  if (listens && !isAtOnce) await say(ctx, bot.words(await languageOf(from, bot.sessions), 'listen-hears'));
}

async function isAdderIn({ bot: { access }, from }: ReceivedContext): Promise<boolean> {
  const adder = String(from?.id);
  if (access.isOpen || access.isAdmin(adder)) return true;
  return (await access.admissions.find(adder))?.standing === 'member';
}

async function removed(ctx: ReceivedContext, group: number): Promise<void> {
  // Telegram gives the new id if the group was upgraded.
  const { id: became } = (await unlessRefused(ctx.bot.api.getChat(group))) ?? { id: group };
  if (became === group) await ctx.bot.groups.leave(String(group));
  else await ctx.bot.groups.upgrade(String(group), String(became));
}

function isInside(member: ChatMember): boolean {
  if (member.status === 'restricted') return member.is_member;
  return member.status !== 'left' && member.status !== 'kicked';
}
