/** The button under a request whose paid call stayed in doubt: its sender has it done once more. */
import type { PressContext } from '../src/telegram/context.ts';
import { removePressedButton } from '../src/telegram/pressed-message.ts';
import { notice } from '../src/telegram/sending.ts';

/** The button has done its work with the first press, and goes. */
export async function tryAgainPressed(ctx: PressContext): Promise<void> {
  const repeated = await ctx.bot.parked.repeat(ctx.match[1] ?? '', ctx.person);
  if (!repeated) await notice(ctx, 'button-too-old');
  await removePressedButton(ctx);
}
