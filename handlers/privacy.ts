/** /privacy: says what is stored about a person, for how long, and how to erase it. */
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/outbox/answer.ts';
import type { Command } from '../src/telegram/request/command.ts';

/** Names the configured days (`RESULTS_TTL_DAYS`) and the running release. */
export const privacy: Command<BotContext> = {
  name: 'privacy',
  menu: 'private',
  isForStrangers: () => true,
  handle: (ctx) =>
    notice(ctx, 'privacy', { args: { days: ctx.bot.resultsTtlDays, version: ctx.bot.version } }),
};
