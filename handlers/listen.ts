/** /listen: group admins decide whether every Tibetan or Chinese text is translated, and each member whether theirs are. */
import type { BotContext, ReceivedContext } from '../src/telegram/context.ts';
import { confirm, notice } from '../src/telegram/reply/answer.ts';
import { type Button, listenButton } from '../src/telegram/reply/buttons.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { isFromGroupAdmin, isGroupAdmin } from '../src/telegram/request/identity.ts';

export async function welcome(ctx: ReceivedContext): Promise<void> {
  const { listens } = await ctx.bot.groups.settings(String(ctx.chat.id));
  const keyboard = listens ? [] : [[listenButtonFor(ctx)]];
  await notice(ctx, 'welcome', { args: { username: ctx.botInfo.username }, keyboard });
}

function listenButtonFor(ctx: ReceivedContext): Button {
  return listenButton(ctx.words('button-listen'), String(ctx.chat.id));
}

/** Makes the bot listen, and returns the sentence that says so. */
export async function switchOn(ctx: BotContext): Promise<string> {
  await ctx.bot.groups.setListening(String(ctx.chat.id), true);
  return (await hearsEverything(ctx)) ? 'listen-on' : 'listen-on-deaf';
}

const welcomeButton: Callback<BotContext> = {
  data: /^listen:(?<owner>-\d+)$/,
  owned: { notYours: 'listen-admins-only', notGroupAdmins: 'listen-admins-only' },
  handle: async (ctx) => confirm(ctx, await switchOn(ctx)),
};

/** `on` or `off` sets it for the group, `skip` or `me` for the sender; without a word it shows the state to anybody. */
export const listen: Command<BotContext> = {
  name: 'listen',
  menu: 'group-admins',
  callbacks: [welcomeButton],
  handle: async (ctx, payload) => {
    const { group } = ctx.asker;
    if (group === undefined) return notice(ctx, 'listen-groups-only');
    const word = payload.toLowerCase();
    if (word === 'skip' || word === 'me') {
      ctx.session.unheard = word === 'skip';
      return notice(ctx, `listen-${word}`);
    }
    if (word === '') {
      const { listens } = await ctx.bot.groups.settings(group);
      if (listens) return notice(ctx, (await hearsEverything(ctx)) ? 'listen-is-on' : 'listen-on-deaf');
      return notice(ctx, 'listen-is-off', { keyboard: [[listenButtonFor(ctx)]] });
    }
    if (!(await isFromGroupAdmin(ctx.bot.api, ctx.message))) return notice(ctx, 'listen-admins-only');
    if (word !== 'on' && word !== 'off') return notice(ctx, 'listen-wrong');
    if (word === 'on') return notice(ctx, await switchOn(ctx));
    await ctx.bot.groups.setListening(group, false);
    await notice(ctx, 'listen-off');
  },
};

/** Telegram delivers plain texts only to bots that are admins, or whose privacy mode was off when they were added. */
async function hearsEverything(ctx: BotContext): Promise<boolean> {
  const me = await ctx.bot.api.getMe();
  return me.can_read_all_group_messages || (await isGroupAdmin(ctx.bot.api, ctx.chat.id, me.id));
}
