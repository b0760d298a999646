/** /wylie: turns Tibetan into Wylie (EWTS) and Wylie into Tibetan, without a paid call. */
import { hasScript, isVisible } from '../src/language/script.ts';
import { fromWylieInTurns, toWylieInTurns } from '../src/language/wylie.ts';
import { textButtons } from '../src/telegram/answer/buttons.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { answer, notice } from '../src/telegram/outbox/answer.ts';
import { type FreeText, freeCommand } from './free-text.ts';

const LATIN_LETTER = /[a-z]/iu;

/** If a text has any Tibetan, converts only that. */
export const wylie = freeCommand('wylie', write);

async function write(ctx: BotContext, { text, replyTo }: FreeText): Promise<void> {
  const options = { keyboard: textButtons(ctx), replyTo };
  if (text === '') return notice(ctx, 'wylie-how');
  if (hasScript(text, 'tibetan')) {
    // /speak speaks the Tibetan next: the Wylie cannot be spoken.
    ctx.session.lastText = text;
    return answer(ctx, await toWylieInTurns(text), options);
  }
  if (!LATIN_LETTER.test(text)) return notice(ctx, 'wylie-nothing');
  const tibetan = await fromWylieInTurns(text);
  // EWTS can escape any character, including invisible ones; Telegram refuses a message that has only those.
  if (!isVisible(tibetan)) return notice(ctx, 'wylie-nothing');
  ctx.session.lastText = tibetan;
  await answer(ctx, tibetan, options);
}
