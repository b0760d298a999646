/** The button under a request that failed: its sender has it done once more. */
import { removePressedButton } from '../src/telegram/answer/pressed-edits.ts';
import type { PressContext } from '../src/telegram/context.ts';

/** The button has done its work with the first press, and goes; before the answer takes the place of the message that it hangs on. */
export async function tryAgainPressed(ctx: PressContext): Promise<void> {
  const [, id = '', asker = ''] = ctx.match;
  // Who pressed has been told so (acknowledging.ts); that message may be an answer by now, with buttons of its own.
  if (!(await ctx.bot.parked.isThere(id, asker))) return;
  await removePressedButton(ctx);
  const message = ctx.callbackQuery?.message;
  await ctx.bot.parked.repeat(id, asker, message && { chat: message.chat.id, message: message.message_id });
}
