/** The button under a request whose paid call stayed in doubt: its sender has it done once more. */
import { removePressedButton } from '../src/telegram/answer/pressed-edits.ts';
import type { PressContext } from '../src/telegram/context.ts';

/** The button has done its work with the first press, and goes. What was asked in a chat's name, anybody there may repeat. */
export async function tryAgainPressed(ctx: PressContext): Promise<void> {
  const [, id = '', asker = ''] = ctx.match;
  const repeated = await ctx.bot.parked.repeat(id, asker);
  if (repeated) await removePressedButton(ctx);
}
