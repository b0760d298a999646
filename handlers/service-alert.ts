/** The button under the alert that the service's quota is used up. */
import { CALL_KINDS } from '../src/paid-calls.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/outbox/answer.ts';
import type { Callback } from '../src/telegram/request/callback.ts';

/** *Try now*, after topping up. The button stays: if the quota is still used up, no other alert follows. */
export const tryNow: Callback<BotContext> = {
  data: /^try-now:(\w+)$/,
  isForAdmins: true,
  handle: async (ctx, [, name]) => {
    const kind = CALL_KINDS.find((one) => one === name);
    const isPaused = kind !== undefined && (await ctx.bot.interpreter.account.probeQuota(kind));
    await notice(ctx, isPaused ? 'try-now-done' : 'try-now-needless');
  },
};
