/** /listen: group admins decide whether every Tibetan or Chinese text is translated, and each member whether theirs are. */
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/outbox/answer.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { isFromGroupAdmin, isGroupAdmin } from '../src/telegram/request/identity.ts';

/** `on` or `off` sets it for the group, `skip` or `me` for the sender; without a word it shows the state to anybody. */
export const listen: Command<BotContext> = {
  name: 'listen',
  menu: 'group-admins',
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
      return notice(ctx, listens ? 'listen-is-on' : 'listen-is-off');
    }
    if (!(await isFromGroupAdmin(ctx.bot.api, ctx.message))) return notice(ctx, 'listen-admins-only');
    if (word !== 'on' && word !== 'off') return notice(ctx, 'listen-wrong');
    await ctx.bot.groups.setListening(group, word === 'on');
    if (word === 'off') return notice(ctx, 'listen-off');
    await notice(ctx, (await hearsEverything(ctx)) ? 'listen-on' : 'listen-on-deaf');
  },
};

/** Telegram delivers plain texts only to bots that are admins, or whose privacy mode was off when they were added. */
async function hearsEverything(ctx: BotContext): Promise<boolean> {
  const me = await ctx.bot.api.getMe();
  return me.can_read_all_group_messages || (await isGroupAdmin(ctx.bot.api, ctx.chat.id, me.id));
}
