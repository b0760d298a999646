/** /phonetics: writes how a Tibetan text sounds, in Latin letters, without a paid call. */
import { toPhonetics } from '../src/language/phonetics.ts';
import { hasScript } from '../src/language/script.ts';
import { tibetanIfWylie } from '../src/language/wylie.ts';
import { copyButtons } from '../src/telegram/answer/buttons.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { answer, notice } from '../src/telegram/outbox/answer.ts';
import { type FreeText, freeCommand } from './free-text.ts';

/** Also takes Tibetan in Wylie. */
export const phonetics = freeCommand('phonetics', write);

async function write(ctx: BotContext, { text, replyTo }: FreeText): Promise<void> {
  if (text.trim() === '') return notice(ctx, 'phonetics-how', { replyTo });
  const tibetan = hasScript(text, 'tibetan') ? text : tibetanIfWylie(text);
  if (tibetan === undefined) {
    const id = hasScript(text, 'chinese') ? 'phonetics-chinese' : 'phonetics-nothing';
    return notice(ctx, id, { replyTo });
  }
  // /speak speaks it next.
  ctx.session.lastText = tibetan;
  const sounds = await toPhonetics(tibetan);
  const keyboard = () => [copyButtons(ctx, sounds)];
  await answer(ctx, `${ctx.words('phonetics-heading')}\n${sounds}`, { keyboard, replyTo });
}
