/** The button under what failed, and may pass. */
import type { ReceivedContext } from '../context.ts';
import type { Button } from './buttons.ts';

interface TryAgain {
  /** Whether the new answer takes the place of the message that the button hangs on. */
  readonly isInPlace: boolean;
  /** Follows the button's words where there are several. */
  readonly which?: string;
}

/** The request, as the updates that it came in, waits under the button: after a failure only the person has it done once more. */
export async function tryAgainButton(
  ctx: ReceivedContext,
  updates: readonly object[],
  { isInPlace, which = '' }: TryAgain,
): Promise<Button> {
  const id = await ctx.bot.parked.park(ctx.person, { updates, isInPlace });
  return { text: `${ctx.words('button-try-again')}${which}`, callback_data: `again:${id}:${ctx.person}` };
}
