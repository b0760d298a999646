/** How people, groups and channels come in: /invite makes a link for them, somebody opens it, or the bot is added and removed. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ChatMember, ChatMemberUpdated } from 'telegraf/types';
import { unlessRefused } from '../src/telegram/api/api-errors.ts';
import type { BotContext, ReceivedContext } from '../src/telegram/context.ts';
import { languageOf } from '../src/telegram/locale.ts';
import {
  askButton,
  deciderOf,
  groupSubject,
  requestAccess,
  senderSubject,
  TOLD_WITHIN_MS,
} from '../src/telegram/reply/admission.ts';
import { notice, say } from '../src/telegram/reply/answer.ts';
import type { Button } from '../src/telegram/reply/buttons.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { noteNames } from '../src/telegram/request/identity.ts';
import { welcome } from './listen.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_USES = 1000;
const MAX_DAYS = 365;
/** Uses, then days; each may be left out. */
const WORDS = /^(\d{1,4})?(?:\s+(\d{1,3}))?$/;

/** The `?start=` payload of an invitation; the group of the match is its token. */
export const INVITATION = /^in-([\w-]{1,61})$/;

export const invite: Command<BotContext> = {
  name: 'invite',
  menu: 'admins',
  // In a group, everybody could use the link.
  isPrivateOnly: true,
  handle: async (ctx, payload) => {
    const { access, now } = ctx.bot;
    const [, times = '1', length = '7'] = WORDS.exec(payload) ?? [undefined, '0'];
    const [uses, days] = [Number(times), Number(length)];
    if (uses < 1 || uses > MAX_USES || days < 1 || days > MAX_DAYS)
      return notice(ctx, 'invite-how', { args: { uses: MAX_USES, days: MAX_DAYS } });
    const token = await access.admissions.invite(uses, now() + days * DAY_MS, deciderOf(ctx));
    const link = `https://t.me/${ctx.botInfo.username}`;
    const [person, group] = [`${link}?start=in-${token}`, `${link}?startgroup=in-${token}`];
    const keyboard = [
      [passOn(ctx, person, ctx.words('button-invite-person'))],
      [passOn(ctx, group, ctx.words('button-invite-group'))],
    ];
    await notice(ctx, 'invite', { args: { uses, days, link: person, group }, keyboard });
  },
};

/** A button that makes Telegram ask for a chat, and send the link there with a few words. */
function passOn(ctx: BotContext, link: string, text: string): Button {
  const query = `url=${encodeURIComponent(link)}&text=${encodeURIComponent(ctx.words('invite-words'))}`;
  return { text, url: `https://t.me/share/url?${query}` };
}

/** Lets in the person who opened the link; in a group, everybody. Returns whether to greet; sends every other answer itself. */
export async function isLetIn(ctx: BotContext, token: string): Promise<boolean> {
  const { access } = ctx.bot;
  const { chat, isPrivate, person } = ctx;
  const isAdmin = access.isAdmin(person);
  // An admin is trying the link before giving it away.
  if (isAdmin && isPrivate) return true;
  // A member who adds the bot lets the group in (`membership`), and the invitation loses no use, whichever update comes first.
  if (!isPrivate && !access.isOpen && (await isSenderIn(ctx)) && (await isBeingAdded(ctx))) return false;
  const own = isAdmin ? [] : [senderSubject(ctx)];
  const subjects = isPrivate ? own : [...own, groupSubject(ctx)];
  const { outcome, asked } = await access.admissions.redeem(token, subjects);
  if (isPrivate) {
    if (outcome !== 'over' || access.isOpen) return true;
    if (asked.includes(person)) await notice(ctx, 'access-waits');
    else await notice(ctx, 'invitation-over', { keyboard: [[askButton(ctx)]] });
    return false;
  }
  if (outcome === 'over') return false;
  // Welcome also a group that is already in: an earlier attempt may have crashed before its welcome.
  if (asked.includes(String(chat.id)) || !(await isBeingAdded(ctx))) await welcome(ctx);
  return false;
}

/** Whether the sender is a member personally, not through their group. */
async function isSenderIn({ bot: { access }, from }: ReceivedContext): Promise<boolean> {
  const sender = String(from?.id);
  return access.isAdmin(sender) || (await access.admissions.find(sender))?.standing === 'member';
}

/** A message sent within this time after the bot was added comes from the link that added it, in ms. */
const ADDED_WITHIN_MS = 5000;

/** Whether `membership` will send the welcome. Unless it is known when the bot was added, that update comes a moment later. */
async function isBeingAdded({ bot, chat, message }: BotContext): Promise<boolean> {
  const sentAt = (message?.date ?? 0) * 1000;
  const { joinedAt = sentAt } = await bot.groups.settings(String(chat.id));
  return sentAt - joinedAt <= ADDED_WITHIN_MS;
}

/** Handles an update that the bot was added to a group or channel, or removed from one. */
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
  const isByMember = !isBlocked && (access.isOpen || (await isSenderIn(ctx)));
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
