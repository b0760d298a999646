/** A photo or an album whose caption is a command: the command is about it, as if it came in reply to it. */
import type { Composer } from 'telegraf';
import type { BotContext, CommandContext } from '../context.ts';
import { captionCommandIn } from '../message/command-in.ts';

/** Has the command handled where it is a caption; of an album the first that is a command counts, whichever picture it stands under. */
export function onCaption(
  composer: Composer<BotContext>,
  name: string,
  handler: (ctx: CommandContext) => Promise<void>,
): void {
  composer.use(async (ctx, next) => {
    const commands = ctx.album.flatMap((part) => captionCommandIn(part, ctx.botInfo) ?? []);
    const [command] = commands;
    if (command?.name !== name) return next();
    await handler(Object.assign(ctx, { payload: command.payload }));
  });
}
