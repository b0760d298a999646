/** /invite: makes a link that lets in the people who open it, and handles an opened link (spec §8). */
import { askButton, deciderOf, groupSubject, senderSubject } from '../src/telegram/answer/admission.ts';
import type { Button } from '../src/telegram/answer/buttons.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/outbox/answer.ts';
import type { Command } from '../src/telegram/request/command.ts';
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
  if (!isPrivate && (await isLetInByAdder(ctx))) return false;
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

/** If a member adds the bot, that lets the group in (membership.ts), and the invitation loses no use, whichever update comes first. */
async function isLetInByAdder(ctx: BotContext): Promise<boolean> {
  const { access } = ctx.bot;
  if (access.isOpen) return false;
  const isIn =
    access.isAdmin(ctx.person) || (await access.admissions.find(ctx.person))?.standing === 'member';
  return isIn && isBeingAdded(ctx);
}

/** A message sent within this time after the bot was added comes from the link that added it, in ms. */
export const ADDED_WITHIN_MS = 5000;

/** Whether membership.ts will send the welcome. Unless it is known when the bot was added, that update comes a moment later. */
async function isBeingAdded({ bot, chat, message }: BotContext): Promise<boolean> {
  const sentAt = (message?.date ?? 0) * 1000;
  const { joinedAt = sentAt } = await bot.groups.settings(String(chat.id));
  return sentAt - joinedAt <= ADDED_WITHIN_MS;
}
