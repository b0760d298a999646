/** The button under a request that failed: its sender has it done once more. */
import { removeCallbackButton } from '../src/telegram/answer/editing.ts';
import type { BotContext } from '../src/telegram/context.ts';
import type { Callback } from '../src/telegram/request/callback.ts';

/** The button has done its work with the first press, and goes; before the answer takes the place of the message that it hangs on. */
export const tryAgain: Callback<BotContext> = {
  data: /^again:([\w-]+):(?<owner>-?\d+)$/,
  // What was asked in a chat's name, anybody there may have repeated.
  owned: { notYours: 'try-again-not-yours', isInOwnersName: false },
  told: async ([, id = '', asker = ''], { parked }) =>
    (await parked.find(id, asker)) === undefined ? { id: 'try-again-gone', isAlert: true } : undefined,
  handle: async (ctx, [data, id = '', asker = '']) => {
    // Its sender has been told so; that message may be an answer by now, with buttons of its own.
    if (!(await ctx.bot.parked.isThere(id, asker))) return;
    await removeCallbackButton(ctx, data);
    const message = ctx.callbackQuery?.message;
    await ctx.bot.parked.repeat(id, asker, message && { chat: message.chat.id, message: message.message_id });
  },
};
