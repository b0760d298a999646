/**
 * /members: lists who was let in, was blocked, or asks to be let in, since when and by whom; pressing a number changes the decision (spec
 * §8).
 */
import type { Admission, ListPosition } from '../src/store/access/admissions.ts';
import { decideOn, describe } from '../src/telegram/answer/admission.ts';
import type { Button, Keyboard } from '../src/telegram/answer/buttons.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { replacePressed, say } from '../src/telegram/outbox/answer.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';

const PAGE = 10;
/** Buttons in each row under a page. */
const NUMBERS_IN_A_ROW = 5;
const SIGNS: Readonly<Record<Admission['standing'], string>> = { member: '✓', blocked: '✕', asking: '?' };

interface Panel {
  readonly text: string;
  readonly keyboard: Keyboard;
}

/** Shows the page that begins at a position. */
const pageButton: Callback<BotContext> = {
  data: /^members:(\d{1,16}):([\w-]{1,32})$/,
  isForAdmins: true,
  handle: async (ctx, [, at, subject = '']) => show(ctx, await pageOf(ctx, { at: Number(at), subject })),
};

/** Opens an entry of the list, or decides on it. */
const memberButton: Callback<BotContext> = {
  data: /^member:([\w-]{1,32})(?::(member|blocked|none))?$/,
  isForAdmins: true,
  handle: async (ctx, [, subject = '', wish]) => {
    const { admissions } = ctx.bot.access;
    const one = await admissions.at(subject);
    if (wish === 'none') await admissions.remove(subject);
    else if ((wish === 'member' || wish === 'blocked') && one?.id !== undefined)
      await decideOn(ctx, { ...one, id: one.id }, wish);
    const now = wish === undefined ? one : await admissions.at(subject);
    await show(ctx, now === undefined ? await pageOf(ctx) : panelOf(ctx, now));
  },
};

/** Only in private chats: others must not see who is let in. */
export const members: Command<BotContext> = {
  name: 'members',
  menu: 'admins',
  isPrivateOnly: true,
  callbacks: [pageButton, memberButton],
  handle: async (ctx) => {
    const { text, keyboard } = await pageOf(ctx);
    await say(ctx, text, { keyboard });
  },
};

async function show(ctx: BotContext, { text, keyboard }: Panel): Promise<void> {
  await replacePressed(ctx, text, keyboard);
}

/** One page of the list, by default the newest. */
async function pageOf(ctx: BotContext, from?: ListPosition): Promise<Panel> {
  const { page, newer, older } = await ctx.bot.access.admissions.page(PAGE, from);
  if (page.length === 0) return { text: ctx.words('members-none'), keyboard: [] };
  const list = page.map((one, index) => `${index + 1}. ${lineOf(ctx, one)}`).join('\n');
  const numbers = page.map(({ subject }, index) => ({
    text: String(index + 1),
    callback_data: `member:${subject}`,
  }));
  const turns = [
    ...(newer === undefined ? [] : [turnTo(newer, ctx.words('button-members-newer'))]),
    ...(older === undefined ? [] : [turnTo(older, ctx.words('button-members-older'))]),
  ];
  const keyboard = [numbers.slice(0, NUMBERS_IN_A_ROW), numbers.slice(NUMBERS_IN_A_ROW), turns];
  return { text: ctx.words('members', { list }), keyboard };
}

function turnTo({ at, subject }: ListPosition, text: string): Button {
  return { text, callback_data: `members:${at}:${subject}` };
}

/** An entry of the list, with its possible decisions. Of a person who used /forget, only the decision is left. */
function panelOf(ctx: BotContext, one: Admission): Panel {
  const button = (id: string, wish: string): Button => ({
    text: ctx.words(id),
    callback_data: `member:${one.subject}:${wish}`,
  });
  const { id, standing } = one;
  const choices = [
    ...(id === undefined || standing === 'member' ? [] : [button('button-let-in', 'member')]),
    ...(id === undefined || standing === 'blocked' ? [] : [button('button-block', 'blocked')]),
    ...(standing === 'asking' ? [] : [button('button-take-back', 'none')]),
  ];
  return { text: lineOf(ctx, one), keyboard: [choices, [turnTo(one, ctx.words('button-back'))]] };
}

function lineOf(ctx: BotContext, { id, name, standing, at, by = '—' }: Admission): string {
  const who = describe({ id, name });
  const day = new Date(at).toISOString().slice(0, 10);
  return `${SIGNS[standing]} ${who || ctx.words('members-forgotten')} · ${day} · ${by}`;
}
