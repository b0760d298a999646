/** /tibetan, /chinese and /auto: translate just this into that language, or everything from now on. */
import type { Language } from '../src/language/script.ts';
import type { CommandContext } from '../src/telegram/context.ts';
import { repliedTo } from '../src/telegram/replied-to.ts';
import { notice } from '../src/telegram/sending.ts';
import { translatePicture, translateText } from './text.ts';

export function translateInto(target: Language | 'auto') {
  return async (ctx: CommandContext): Promise<void> => {
    const given = ctx.payload.trim();
    if (given !== '') return translateText(ctx, given, target);
    const replied = repliedTo(ctx);
    if (replied?.picture !== undefined) return translatePicture(ctx, replied.picture, target, replied.id);
    if (replied !== undefined) return translateText(ctx, replied.text, target, replied.id);
    ctx.session.target = target;
    await notice(ctx, `target-${target}`);
  };
}
