/** /privacy says what is stored about a person, for how long, and how to erase it; /forget erases it, after a confirming button. */
import type { BotContext, ReceivedContext } from '../src/telegram/context.ts';
import { confirm, notice } from '../src/telegram/reply/answer.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';

export const privacy: Command<BotContext> = {
  name: 'privacy',
  menu: 'private',
  isForStrangers: () => true,
  handle: (ctx) =>
    notice(ctx, 'privacy', { args: { days: ctx.bot.resultsTtlDays, version: ctx.bot.version } }),
};

/** Any admin may confirm what an anonymous admin asked in the chat's name. */
const forgetButton: Callback<BotContext> = {
  data: /^forget:(?<owner>-?\d+)$/,
  owned: { notYours: 'forget-not-yours', notGroupAdmins: 'forget-not-yours' },
  isForStrangers: true,
  handle: async (ctx, [, asker = '']) => {
    await ctx.bot.forget(asker);
    await confirm(ctx, 'forgotten');
    if (asker === ctx.person) dropRequest(ctx);
  },
};

export const forget: Command<BotContext> = {
  name: 'forget',
  menu: 'private',
  callbacks: [forgetButton],
  isForStrangers: () => true,
  // A blocked person cannot be asked to confirm, and loses nothing that they could still use.
  handleUnanswered: async (ctx) => {
    await ctx.bot.forget(ctx.person);
    dropRequest(ctx);
  },
  handle: (ctx) => {
    const button = {
      text: ctx.words('button-forget'),
      callback_data: `forget:${ctx.person}`,
      style: 'danger',
    } as const;
    return notice(ctx, 'forget-sure', { keyboard: [[button]] });
  },
};

/** Erases the request itself, too. */
function dropRequest(ctx: ReceivedContext): void {
  ctx.session = undefined;
  ctx.ending = { state: 'gone' };
}
