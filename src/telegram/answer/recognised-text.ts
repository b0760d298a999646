/** Answers with what was read in pictures; with the Wylie of its Tibetan for a person who wants it. */
import { hasScript } from '../../language/script.ts';
import { toWylieInTurns } from '../../language/wylie.ts';
import type { BotContext } from '../context.ts';
import { withWylie } from '../request/own-headings.ts';
import { type KeyboardFor, textButtons } from './buttons.ts';
import { answer, fitsMessage } from './sending.ts';

export interface RecognisedOptions {
  readonly keyboard: KeyboardFor;
  /** The message to reply to, in place of the one that asked. */
  readonly replyTo?: number | undefined;
  /** What was read, where the text says more than that (which photo, what failed). */
  readonly recognised?: string;
}

/** The Wylie stands under the text where one message holds both, else in messages of its own. */
export async function answerRecognised(
  ctx: BotContext,
  text: string,
  { keyboard, replyTo, recognised = text }: RecognisedOptions,
): Promise<void> {
  if (!ctx.session.wylie || !hasScript(recognised, 'tibetan')) {
    return answer(ctx, text, { keyboard, replyTo });
  }
  const wylie = await toWylieInTurns(recognised);
  const both = withWylie(text, wylie);
  if (fitsMessage(both)) return answer(ctx, both, { keyboard: () => keyboard(text), replyTo });
  await answer(ctx, text, { keyboard, replyTo });
  await answer(ctx, wylie, { keyboard: textButtons(ctx), replyTo });
}
