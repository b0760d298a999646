/** A text that begins with a command, as its handler is given it. */
import type { Composer } from 'telegraf';
import type { BotContext, CommandContext } from '../context.ts';
import { textCommandIn } from '../message/command-in.ts';

/**
 * Has the command handled, in any case of its letters. In place of Telegraf's own `command`, which looks at the first entity alone (of
 * one in bold that is its boldness), and drops a character behind the command, be it a space or half an emoji.
 */
export function onCommand(
  composer: Composer<BotContext>,
  name: string,
  handler: (ctx: CommandContext) => Promise<void>,
): void {
  composer.use(async (ctx, next) => {
    const command = ctx.message && textCommandIn(ctx.message, ctx.botInfo);
    if (command?.name !== name) return next();
    await handler(Object.assign(ctx, { payload: command.payload }));
  });
}
