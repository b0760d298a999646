/** /pause and /resume: the operators have everybody told the same, and nothing paid, until it goes on (spec §8). */
import { answer, notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import type { Command } from '../src/telegram/request/command.ts';

/** What follows the command is told to everybody as it stands; nothing: a sentence in each one's language. */
export const pause: Command<BotContext> = {
  name: 'pause',
  menu: 'admins',
  handle: async (ctx, payload) => {
    const { access } = ctx.bot;
    await access.pause(payload === '' ? undefined : payload);
    await answer(ctx, ctx.words('pause-begun', { text: payload || ctx.words('paused') }));
  },
};

export const resume: Command<BotContext> = {
  name: 'resume',
  menu: 'admins',
  handle: async (ctx) => {
    const { access } = ctx.bot;
    const wasPaused = await access.resume();
    await notice(ctx, wasPaused ? 'pause-ended' : 'pause-none');
  },
};
