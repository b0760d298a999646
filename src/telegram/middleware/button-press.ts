/** A press on a button, as its handler is given it. */
import type { Composer } from 'telegraf';
import type { BotContext, PressContext } from '../context.ts';
import { type PressKind, pressIn } from '../message/presses.ts';

/** Has the press handled where the button is of this kind. */
export function onPress(
  composer: Composer<BotContext>,
  kind: PressKind,
  handler: (ctx: PressContext) => Promise<void>,
): void {
  composer.use(async (ctx, next) => {
    const press = ctx.callbackQuery;
    const pressed = press !== undefined && 'data' in press ? pressIn(press.data) : undefined;
    if (pressed?.kind !== kind) return next();
    await handler(Object.assign(ctx, { match: pressed.match }));
  });
}
