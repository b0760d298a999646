/** /members: lists who was let in, was blocked or asks, since when and by whom; pressing a number changes the decision. */
import type { Admission } from '../src/store/access/admissions.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { decideOn, describe } from '../src/telegram/reply/admission.ts';
import { type Panel, showPanel } from '../src/telegram/reply/answer.ts';
import type { Button } from '../src/telegram/reply/buttons.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';

const PAGE = 10;
const NUMBERS_IN_A_ROW = 5;
const SIGNS: Readonly<Record<Admission['standing'], string>> = { member: '✓', blocked: '✕', asking: '?' };

const pageButton: Callback<BotContext> = {
  data: /^members:(\d{1,5})$/,
  isForAdmins: true,
  handle: async (ctx, [, page]) => showPanel(ctx, await pageOf(ctx, Number(page))),
};

/** Opens an entry of a page of the list, or decides on it. */
const memberButton: Callback<BotContext> = {
  data: /^member:(\d{1,5}):([\w-]{1,32})(?::(member|blocked|none))?$/,
  isForAdmins: true,
  handle: async (ctx, [, from, subject = '', wish]) => {
    const { admissions } = ctx.bot.access;
    const page = Number(from);
    const one = await admissions.at(subject);
    if (wish === 'none') await admissions.remove(subject);
    else if ((wish === 'member' || wish === 'blocked') && one?.id != null)
      await decideOn(ctx, { id: one.id, name: undefined }, wish);
    const now = wish === undefined ? one : await admissions.at(subject);
    await showPanel(ctx, now === undefined ? await pageOf(ctx, page) : panelOf(ctx, now, page));
  },
};

/** Only in private chats: others must not see who is let in. */
export const members: Command<BotContext> = {
  name: 'members',
  menu: 'admins',
  isPrivateOnly: true,
  callbacks: [pageButton, memberButton],
  handle: async (ctx) => showPanel(ctx, await pageOf(ctx, 0)),
};

/** One page of the list, from 0; the one before if its last entry was taken back. */
async function pageOf(ctx: BotContext, page: number): Promise<Panel> {
  const { entries, isLast } = await ctx.bot.access.admissions.page(PAGE, page);
  if (entries.length === 0 && page > 0) return pageOf(ctx, page - 1);
  if (entries.length === 0) return { text: ctx.words('members-none'), keyboard: [] };
  const list = entries.map((one, index) => `${index + 1}. ${lineOf(ctx, one)}`).join('\n');
  const numbers = entries.map(({ subject }, index) => ({
    text: String(index + 1),
    callback_data: `member:${page}:${subject}`,
  }));
  const turns = [
    ...(page === 0 ? [] : [turnTo(page - 1, ctx.words('button-members-newer'))]),
    ...(isLast ? [] : [turnTo(page + 1, ctx.words('button-members-older'))]),
  ];
  const keyboard = [numbers.slice(0, NUMBERS_IN_A_ROW), numbers.slice(NUMBERS_IN_A_ROW), turns];
  return { text: ctx.words('members', { list }), keyboard };
}

function turnTo(page: number, text: string): Button {
  return { text, callback_data: `members:${page}` };
}

/** An entry of the list, with its possible decisions. Of a person who used /forget, only the decision is left. */
function panelOf(ctx: BotContext, one: Admission, page: number): Panel {
  const button = (id: string, wish: string): Button => ({
    text: ctx.words(id),
    callback_data: `member:${page}:${one.subject}:${wish}`,
  });
  const { id, standing } = one;
  const choices = [
    ...(id === null || standing === 'member' ? [] : [button('button-let-in', 'member')]),
    ...(id === null || standing === 'blocked' ? [] : [button('button-block', 'blocked')]),
    ...(standing === 'asking' ? [] : [button('button-take-back', 'none')]),
  ];
  return { text: lineOf(ctx, one), keyboard: [choices, [turnTo(page, ctx.words('button-back'))]] };
}

function lineOf(ctx: BotContext, { id, name, standing, at, by }: Admission): string {
  const who = describe({ id, name });
  const day = new Date(at).toISOString().slice(0, 10);
  return `${SIGNS[standing]} ${who || ctx.words('members-forgotten')} · ${day} · ${by ?? '—'}`;
}
