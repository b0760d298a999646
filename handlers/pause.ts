/** What stops the bot and lets it go on: /pause and /resume, and *Try now* where the quota was used up. */
import { probeQuota } from '../src/interpreter/service-pause.ts';
import { CALL_KINDS } from '../src/paid-calls.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { answer, notice } from '../src/telegram/reply/answer.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';

/** Everybody gets the payload as it stands; without one, a sentence in their language. */
export const pause: Command<BotContext> = {
  name: 'pause',
  menu: 'admins',
  handle: async (ctx, payload) => {
    await ctx.bot.access.pause(payload === '' ? undefined : payload);
    await answer(ctx, ctx.words('pause-begun', { text: payload || ctx.words('paused') }));
  },
};

export const resume: Command<BotContext> = {
  name: 'resume',
  menu: 'admins',
  handle: async (ctx) => {
    const wasPaused = await ctx.bot.access.resume();
    await notice(ctx, wasPaused ? 'pause-ended' : 'pause-none');
  },
};

/** *Try now*, under the alert that the quota is used up. The button stays: if the quota is still used up, no other alert follows. */
export const tryNow: Callback<BotContext> = {
  data: /^try-now:(\w+)$/,
  isForAdmins: true,
  handle: async (ctx, [, name]) => {
    const kind = CALL_KINDS.find((one) => one === name);
    const isPaused = kind !== undefined && (await probeQuota(ctx.bot.pauses, kind));
    await notice(ctx, isPaused ? 'try-now-done' : 'try-now-needless');
  },
};
