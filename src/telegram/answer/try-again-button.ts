/** The button under a request whose paid call stayed in doubt. */
import type { BotContext } from '../context.ts';
import type { Button } from './buttons.ts';

/**
 * A call in doubt may have been charged, so only the person may repeat it: the request, as an update, waits under a button.
 * `which` follows the button's words where there are several.
 */
export async function tryAgainButton(ctx: BotContext, update: object, which = ''): Promise<Button> {
  const id = await ctx.bot.parked.park(ctx.person, { ...update, is_repeated: true });
  return { text: `${ctx.words('button-try-again')}${which}`, callback_data: `again:${id}:${ctx.person}` };
}
