/** /pause and /resume: until /resume, everybody but the admins gets the same text, and nothing is paid (spec §8). */
import type { BotContext } from '../src/telegram/context.ts';
import { answer, notice } from '../src/telegram/outbox/answer.ts';
import type { Command } from '../src/telegram/request/command.ts';

/** Everybody gets the payload as it stands; without one, a sentence in their language. */
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
