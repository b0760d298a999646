/** A press on a button, as its handler is given it. */
import type { Composer } from 'telegraf';
import type { BotContext, PressContext } from '../context.ts';

/** Has the press handled where the button's data matches. */
export function onPress(
  composer: Composer<BotContext>,
  pattern: RegExp,
  handler: (ctx: PressContext) => Promise<void>,
): void {
  composer.use(async (ctx, next) => {
    const press = ctx.callbackQuery;
    const match = press !== undefined && 'data' in press ? pattern.exec(press.data) : null;
    if (match === null) return next();
    await handler(Object.assign(ctx, { match }));
  });
}
