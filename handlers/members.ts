/** /members: lists who was let in, was blocked, or asks to be let in, since when and by whom (spec §8). */
import type { Admission, Cursor } from '../src/store/access/admissions.ts';
import { describe } from '../src/telegram/answer/admission.ts';
import type { Button, Keyboard } from '../src/telegram/answer/buttons.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/outbox/answer.ts';
import { replaceCallbackMessage } from '../src/telegram/outbox/editing.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';

const PAGE = 10;
const SIGNS: Readonly<Record<Admission['standing'], string>> = { member: '✓', blocked: '✕', asking: '?' };

/** Turns the page in place. */
const pageButton: Callback<BotContext> = {
  data: /^members:(older|newer):(\d{1,16}):([\w-]{1,32})$/,
  isForAdmins: true,
  handle: async (ctx, [, direction, at, subject = '']) => {
    const page = await pageOf(ctx, {
      direction: direction === 'older' ? 'older' : 'newer',
      at: Number(at),
      subject,
    });
    if (page !== undefined) await replaceCallbackMessage(ctx, page.text, page.keyboard);
  },
};

/** Only in private chats: others should not see who is let in. */
export const members: Command<BotContext> = {
  name: 'members',
  menu: 'admins',
  isPrivateOnly: true,
  callbacks: [pageButton],
  handle: async (ctx) => {
    const page = await pageOf(ctx);
    if (page === undefined) return notice(ctx, 'members-none');
    await notice(ctx, 'members', { args: { list: page.list }, keyboard: page.keyboard });
  },
};

/** One page of the list; undefined if it is empty. */
async function pageOf(ctx: BotContext, from?: Cursor) {
  const { admissions, hasNewer, hasOlder } = await ctx.bot.access.admissions.page(PAGE, from);
  const [newest, oldest] = [admissions.at(0), admissions.at(-1)];
  if (newest === undefined || oldest === undefined) return undefined;
  const list = admissions.map((one) => lineOf(ctx, one)).join('\n');
  const turn = (direction: Cursor['direction'], { at, subject }: Admission): Button => ({
    text: ctx.words(`button-members-${direction}`),
    callback_data: `members:${direction}:${at}:${subject}`,
  });
  const keyboard: Keyboard = [
    [...(hasNewer ? [turn('newer', newest)] : []), ...(hasOlder ? [turn('older', oldest)] : [])],
  ];
  return { list, text: ctx.words('members', { list }), keyboard };
}

function lineOf(ctx: BotContext, { id, name, standing, at, by = '—' }: Admission): string {
  const who = describe({ id, name });
  const day = new Date(at).toISOString().slice(0, 10);
  return `${SIGNS[standing]} ${who || ctx.words('members-forgotten')} · ${day} · ${by}`;
}
