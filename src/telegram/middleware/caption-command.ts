/** A photo whose caption is a command: the command is about that photo, as if it came in reply to it. */
import type { Composer } from 'telegraf';
import type { BotContext, CommandContext } from '../context.ts';
import { captionCommandIn } from '../message/command-in.ts';
import { pictureIn } from '../message/picture-in.ts';

/** Has the command handled where it is the caption of one photo; an album is read as a whole whatever stands under it. */
export function onCaption(
  composer: Composer<BotContext>,
  name: string,
  handler: (ctx: CommandContext) => Promise<void>,
): void {
  composer.use(async (ctx, next) => {
    const { message } = ctx;
    const command = message && captionCommandIn(message, ctx.botInfo);
    if (command?.name !== name || ctx.album.length > 1) return next();
    if (pictureIn(message, ctx.bot.api) === undefined) return next();
    await handler(Object.assign(ctx, { payload: command.payload }));
  });
}
